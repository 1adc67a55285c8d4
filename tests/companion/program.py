"""The whole program as another process, driven through the text board."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence

PROGRAM = [sys.executable, "-m", "companion"]


def run(*arguments: str, lines: Sequence[str] = (), timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, with lines on its standard input."""
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(
        [*PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=timeout, check=False, env=os.environ
    )


class TextGame:
    """A game on the text board, line by line: each `send` returns all that its line set going."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*PROGRAM, "play", "--board", "text", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        self._count = 0
        self.beginning = self.send("")

    def send(self, line: str) -> list[str]:
        """Send a line and return what is told before the next one is read."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._count += 1
        mark = f"mark-{self._count}"
        self._process.stdin.write(f"{line}\necho {mark}\n")
        self._process.stdin.flush()
        told: list[str] = []
        for answer in self._process.stdout:
            if answer.rstrip("\n") == f"*> {mark}":
                return told
            told.append(answer.rstrip("\n"))
        raise EOFError(f"the program ended: {self._process.stderr.read() if self._process.stderr else ''}")

    def kill(self) -> None:
        """Pull the plug."""
        self._process.kill()
        self._finish()

    def end(self) -> int:
        """End the input and return the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._finish()

    def _finish(self) -> int:
        code = self._process.wait(20)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return code

    @property
    def pid(self) -> int:
        """The program's process number."""
        return self._process.pid

    def __enter__(self) -> TextGame:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._finish()


SHOT = re.compile(r"([12])> ([A-J](?:10|[1-9])): (miss|hit(?: [^:]+)?|sunk(?: [^:]+)?|wasted)")


def shots(told: Sequence[str]) -> list[tuple[str, str]]:
    """The shots that seat 1 was told, with their results; seat 2 must have been told the same."""
    found = [match.groups() for line in told if (match := SHOT.fullmatch(line))]
    one = [(square, result) for seat, square, result in found if seat == "1"]
    assert one == [(square, result) for seat, square, result in found if seat == "2"]
    return one


def dial(square: str) -> str:
    """The keys that dial a square."""
    column = "ABCDEFGHIJ".index(square[0]) + 1
    return f"D {column % 10} {int(square[1:]) % 10}"


def panel(told: Sequence[str], seat: int, grid: str) -> list[list[str]]:
    """One panel of a `show`, as rows of marks."""
    start = told.index(f"seat {seat} {grid}") + 2
    return [[line[3 + 3 * column] for column in range(10)] for line in told[start : start + 10]]
