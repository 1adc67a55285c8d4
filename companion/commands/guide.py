"""`broadside guide`: writes the wiring guide for exactly one kit into a folder of its own."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from itertools import count
from pathlib import Path

from companion.errors import UserError
from companion.kits import kit_file, kit_path
from hardware.kit import load_kit
from wiring.document.html import GENERATOR
from wiring.document.markdown import DRAWINGS
from wiring.guide import KIT_META, guide_files, kit_digest

PAGE = "guide.html"
KIT = "kit.toml"
OWN = {PAGE, "guide.md", KIT, "board.jpg"}
"""What a guide's folder may hold beside its drawings and kept kits."""

KEPT_KIT = re.compile(r"kit-[1-9][0-9]*\.toml")
"""A kit that was edited in the folder, and kept when the guide was made again."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--kit", metavar="FILE|NAME", default="full", help="what is to be built; full without it")
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="the folder to write; broadside-guide-NAME without it, replaced if there",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the kit and write its guide, the whole folder or nothing."""
    path = kit_path(arguments.kit)
    kit = load_kit(path)
    name = path.name if path == Path(arguments.kit).expanduser() else arguments.kit
    out = arguments.out or Path(f"broadside-guide-{path.stem}")
    folder = out.expanduser().resolve()
    _check(folder, out)
    files = guide_files(kit, name, path.read_text(encoding="utf-8"))
    try:
        _take_back(folder)
        kept, edited = _kept_kits(folder, files[KIT])
        _write(folder, {**files, **kept})
    except OSError as error:
        raise UserError(
            f"The guide cannot be written to {out} ({error.strerror or error}): make room there, or name another "
            "folder with --out."
        ) from error
    if edited:
        sys.stdout.write(
            f"{KIT} in {out} had been edited and is kept as {edited}; for a guide of it: --kit {out / edited}\n"
        )
    own = kit_file(arguments.kit, path)
    sys.stdout.write(f"The guide for {name}{f' ({own})' if own else ''} is in {out}: open {PAGE}, or print it.\n")
    return 0


def _check(folder: Path, out: Path) -> None:
    """Raise UserError where the folder cannot be made, or holds what no guide wrote."""
    if folder == Path.cwd():
        raise UserError("The guide needs a folder of its own, and not the one that you are in: name one with --out.")
    if not folder.parent.is_dir():
        raise UserError(
            f"There is no folder {folder.parent} to put the guide into: make it, or name another with --out."
        )
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UserError(f"{out} is a file: name a folder with --out.")
    try:
        foreign = next((path for path in sorted(folder.rglob("*")) if not _is_own(path.relative_to(folder))), None)
        is_guide = (folder / PAGE).is_file() and GENERATOR in (folder / PAGE).read_text(
            encoding="utf-8", errors="replace"
        )
        empty = not any(folder.iterdir())
    except OSError as error:
        raise UserError(f"{out} cannot be read ({error.strerror}): name another folder with --out.") from error
    if foreign is not None or not (is_guide or empty):
        what = f"{foreign.relative_to(folder)}, which" if foreign else "files that"
        raise UserError(f"{out} holds {what} no guide wrote: name another folder with --out, or move them away.")


def _is_own(path: Path) -> bool:
    if path.parent == Path(DRAWINGS):
        return path.suffix == ".svg"
    return str(path) in OWN | {DRAWINGS} or KEPT_KIT.fullmatch(str(path)) is not None


def _kept_kits(folder: Path, kit: bytes) -> tuple[dict[str, bytes], str]:
    """Return the kits in a folder that no guide wrote, and the name that is new among them, or "".

    The page holds the digest of the kit that it was made from: a `kit.toml` with another one was edited since then.
    Raises OSError.
    """
    if not (folder / KIT).is_file():
        return {}, ""
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if KEPT_KIT.fullmatch(path.name)}
    there = (folder / KIT).read_bytes()
    page = (folder / PAGE).read_text(encoding="utf-8", errors="replace")
    written = re.search(f'<meta name="{KIT_META}" content="([0-9a-f]+)">', page)
    if there == kit or (written and written[1] == kit_digest(there.decode("utf-8", "replace"))):
        return kept, ""
    name = next(name for number in count(1) if (name := f"kit-{number}.toml") not in kept)
    return {**kept, name: there}, name


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write beside the folder first and exchange them when all is there. A run that was killed leaves `.NAME.new`,
    which the next one takes away. Raises OSError, and then the folder is as it was."""
    new, old = _beside(folder, "new"), _beside(folder, "old")
    try:
        _remove(new, old)
        for name, content in files.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
    finally:
        _remove(new, old)


def _take_back(folder: Path) -> None:
    """Put back what a run that was killed in the middle of the exchange had put aside. Raises OSError."""
    old = _beside(folder, "old")
    if old.exists() and not folder.exists():
        old.rename(folder)


def _beside(folder: Path, word: str) -> Path:
    return folder.with_name(f".{folder.name}.{word}")


def _remove(*folders: Path) -> None:
    for folder in folders:
        if folder.exists():
            shutil.rmtree(folder)
