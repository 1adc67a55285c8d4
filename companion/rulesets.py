"""Finds a rule set by name or by file: those that come with the game, and a household's own."""

from __future__ import annotations

import re
from pathlib import Path

from companion.game.ruleset import PRESETS, Ruleset, RulesetError, parse_ruleset, preset
from companion.home import home


def find_ruleset(name: str) -> tuple[str, Ruleset]:
    """Return a rule set and its name, from a preset's name, a file by path, or NAME.toml in the household's `rulesets`.

    Raises RulesetError where there is none or it cannot be played.
    """
    if name in PRESETS:
        return name, preset(name)
    path = Path(name).expanduser()
    if not (path.is_dir() or name.endswith(".toml") or "/" in name):
        path = home() / "rulesets" / f"{name}.toml"
        if not path.is_file():
            raise RulesetError(f"There is no rule set {name!r}: name a file, or one of {', '.join(ruleset_names())}.")
    return ruleset_name(path), parse_ruleset(_read(path), str(path))


def ruleset_name(path: Path) -> str:
    """Return the name that a rule set file gives: its own in lower-case kebab. Raises RulesetError for another."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path.stem):
        raise RulesetError(
            f"{path}: a rule set's file name is lower-case letters, digits and hyphens, such as my-rules.toml."
        )
    if path.stem in PRESETS:
        raise RulesetError(f"{path}: {path.stem} is the name of a rule set that comes with the game; choose another.")
    return path.stem


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise RulesetError(f"There is no rule set file {path}.") from None
    except UnicodeDecodeError:
        raise RulesetError(f"The rule set file {path} is not a text file in UTF-8.") from None
    except OSError as error:
        raise RulesetError(f"The rule set file {path} cannot be read: {error.strerror or error}.") from None


def ruleset_names() -> list[str]:
    """Return the names of all rule sets: the presets, then the household's own in alphabetical order."""
    folder = home() / "rulesets"
    own = sorted(path.stem for path in folder.glob("*.toml") if path.stem not in PRESETS) if folder.is_dir() else []
    return [*PRESETS, *own]
