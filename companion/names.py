"""What players may be called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.errors import UserError


def check_names(names: Sequence[str]) -> tuple[str, str]:
    """Return two players' names as they are used. Raises UserError for one that cannot be told or told apart."""
    cleaned = [" ".join(name.split()) for name in names]
    for name in cleaned:
        if not re.fullmatch(r"[^\W\d_](?:[^\W_]|[ .'’-]){0,15}", name):
            raise UserError(
                f"{name!r} is no player's name: a letter first, then up to 15 letters, digits, blanks, dots, hyphens "
                "and apostrophes."
            )
    if cleaned[0].casefold() == cleaned[1].casefold():
        raise UserError("Both players have the same name: give them two, so that they can be told apart.")
    return cleaned[0], cleaned[1]
