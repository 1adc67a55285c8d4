"""A household's choices, kept in settings.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from companion.errors import UserError
from companion.files import write_atomically
from companion.home import home
from companion.names import check_names

Percent = Annotated[int, msgspec.Meta(ge=5, le=100)]
Minutes = Annotated[float, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]
Suit = Literal["diamonds", "clubs"]


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    """What a household chose. `brightness` is in per cent; `captain_pause` is the visible moment (s) that a captain
    takes; panels dim after `dim_after` idle minutes and go dark after `dark_after` (0: never)."""

    names: tuple[Name, Name] = ("Player 1", "Player 2")
    kingdoms: tuple[Suit, Suit] = ("diamonds", "clubs")
    language: Literal["auto", "en", "pt"] = "auto"
    brightness: Percent = 100
    sound: bool = True
    blinking: bool = True
    rules: str = "classic"
    house_rules: tuple[str, ...] = ()
    against: str = "jack"
    captain_pause: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.8
    dim_after: Minutes = 5
    dark_after: Minutes = 20


def settings_path() -> Path:
    """Where the settings lie."""
    return home() / "settings.toml"


def _read(path: Path) -> Settings:
    """Read a settings file. Raises UserError with the reason where it cannot be read."""
    try:
        # Editors on Windows put a byte order mark before the text.
        text = path.read_text("utf-8-sig")
        if not text.strip():
            raise UserError("it is empty")
        settings = msgspec.convert(tomllib.loads(text), Settings, strict=True)
        settings.names = check_names(settings.names)
    except OSError as error:
        raise UserError(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise UserError("it is not text in UTF-8") from None
    except RecursionError:
        raise UserError("its lists and tables are nested too deep") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UserError(re.sub(r" - at `\$\.(.*)`", r" at \1", str(error))) from None
    return settings


def _holds_text(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False


def load_settings() -> tuple[Settings, str | None]:
    """Return the settings and, where the file could not be read, one sentence about it.

    A file that is empty or wrong is as good as missing: the one before it is read, else the defaults stand. It is kept
    beside the new one as settings.toml.broken.
    """
    path = settings_path()
    previous = path.with_suffix(".toml.previous")
    if not _holds_text(path) and not _holds_text(previous):
        return Settings(), None
    try:
        return _read(path), None
    except UserError as error:
        reason = str(error).rstrip(".")
    broken = path.with_suffix(".toml.broken")
    try:
        if _holds_text(path):
            path.replace(broken)
        settings = _read(previous)
    except (OSError, UserError):
        return Settings(), f"{path} could not be read ({reason}); the usual settings are used."
    return settings, f"{path} could not be read ({reason}); the settings before it are used."


def save_settings(settings: Settings) -> None:
    """Write the settings, keeping the ones before. Raises UserError where the disk refuses."""
    import tomlkit

    path = settings_path()
    text = tomlkit.dumps(msgspec.to_builtins(settings, builtin_types=()))
    try:
        old = path.read_text("utf-8", "replace") if path.is_file() else ""
        if old == text:
            return
        if old.strip():
            write_atomically(path.with_suffix(".toml.previous"), old)
        write_atomically(path, text)
    except OSError as error:
        raise UserError(f"The settings cannot be written to {path}: {error.strerror or error}.") from None
