"""Renders guides in a browser: what is printed, and whether the drawings come out as they were checked."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.wiring.kits import KITS
from wiring.guide import guide_files

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="neither Chromium nor Chrome is installed")

MEASURE = """
<script>
const wrong = [...document.querySelectorAll("svg text[textLength]")]
  .filter(text => Math.abs(text.getComputedTextLength() - text.getAttribute("textLength")) > 1)
  .map(text => text.textContent);
const right = document.body.getBoundingClientRect().right + 1;
const wide = [...document.querySelectorAll("section *")]
  .filter(part => !part.closest("svg") && part.getBoundingClientRect().right > right)
  .map(part => part.tagName);
document.title = JSON.stringify({ wrong, wide });
</script>
"""


def browse(tmp_path: Path, *arguments: str) -> str:
    """Run the browser without a window and without the network; return what it prints."""
    assert BROWSER is not None
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        *quiet,
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_prints_on_a4(tmp_path: Path) -> None:
    page = tmp_path / "guide.html"
    page.write_bytes(guide_files(KITS["full"], "full", "")["guide.html"])
    pdf = tmp_path / "guide.pdf"
    browse(tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", page.as_uri())
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf.read_bytes())
    assert 15 <= len(boxes) <= 30
    for width, height in boxes:
        assert (float(width), float(height)) == pytest.approx((595, 842), abs=1)


def test_labels_are_as_wide_as_they_were_checked_and_nothing_is_cut_off(tmp_path: Path) -> None:
    page = tmp_path / "guide.html"
    text = guide_files(KITS["odd"], "odd", "")["guide.html"].decode()
    page.write_text(text.replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
    shown = browse(tmp_path, "--window-size=1200,1000", "--dump-dom", page.as_uri())
    (title,) = re.findall(r"<title>(\{.*?\})</title>", shown)
    assert title == '{"wrong":[],"wide":[]}'
