"""The one error of the rules."""

from __future__ import annotations


class IllegalMove(ValueError):  # noqa: N818 - the players' word for it
    """A command that the rules refuse; `str()` is a sentence that can be shown as it is, and nothing has changed.

    `template` is the sentence with `{names}` in braces and `values` what stands for them, so that a table can show it
    in another language.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        super().__init__(template.format(**values))
