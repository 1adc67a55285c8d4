"""What the doctor looks at, one subject a file. A check takes a `Subject` and yields findings."""
