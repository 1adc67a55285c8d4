"""The guide as a document: blocks that are written both as Markdown and as one HTML page that prints well on A4."""
