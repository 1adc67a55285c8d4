"""Whatever is typed at the text board: every answer has one of its few forms, and nothing but the end ends it."""

from __future__ import annotations

import io
import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.service import Service, Wishes
from companion.settings import Settings
from hardware.text import TextBoard
from tests.companion.table.living import MemoryStore

LINE = re.compile(
    r"[12*]> .*|!> .*|seat [12] (target|ocean)|   A  B  C  D  E  F  G  H  I  J |[ 1]\d([ \[][.Sox#~?!*][ \]]){10}"
)

keys = st.sampled_from([*"0123456789ABCD*#abcd", "hold *", "hold 5", "hold d"])

key_lines = st.builds(
    lambda seat, pressed: " ".join([seat, *pressed]), st.sampled_from("12"), st.lists(keys, min_size=1, max_size=6)
)

other_lines = st.sampled_from(["show", "SHOW 1", "show 2", "", "  ", "1 A #", "2 A #", "1 hold * 8", "1 #", "2 #"])

wrong_lines = st.one_of(
    st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(["3 5", "1", "hold", "1 hold", "1 holdd *", "1 12", "show 3", "quit now", "echo", "0 5", "1 Ａ"]),
).filter(lambda line: line.split()[:1] not in (["quit"], ["QUIT"]) or len(line.split()) > 1)


def play(lines: list[str], rules: str | None, against: str | None) -> list[str]:
    """Type lines in a table of their own; return all that is told."""
    out = io.StringIO()
    service = Service(
        TextBoard(io.StringIO("".join(f"{line}\n" for line in lines)), out),
        MemoryStore(),
        Settings(names=("Ana", "Rui")),
        Wishes(rules, against, seed=1),
        save=lambda _settings: None,
    )
    service.run()
    return out.getvalue().split("\n")[:-1]


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.one_of(key_lines, key_lines, other_lines, wrong_lines), max_size=40),
    rules=st.sampled_from([None, "classic", "salvo", "naval-warfare", "kingdoms"]),
    against=st.sampled_from([None, "jack", "friend"]),
)
def test_any_lines_are_answered_in_the_boards_forms(lines: list[str], rules: str | None, against: str | None) -> None:
    told = play([*lines, "echo the end"], rules, against)
    assert told[-1] == "*> the end"
    for line in told:
        assert LINE.fullmatch(line), line


@settings(max_examples=30, deadline=None)
@given(wrong_lines)
def test_a_line_that_is_no_command_is_answered_and_changes_nothing(line: str) -> None:
    words = line.split()
    told = play(["1 A", "show", "echo between", line, "echo after", "show"], "classic", "friend")
    between, after = told.index("*> between"), told.index("*> after")
    if not words:
        assert after == between + 1
    elif words[0].lower() not in ("echo", "show", "1", "2"):
        assert after == between + 2
        assert told[between + 1].startswith("!> ")
    assert told[between - 48 : between] == told[after + 1 :]


def test_every_key_of_a_line_counts_before_the_next_line_is_read() -> None:
    told = play(["1 A # 5", "echo one", "2 A #", "echo two"], "classic", "friend")
    one, two = told.index("*> one"), told.index("*> two")
    assert told[one - 1] == "1> Your fleet has sailed; no ship can be moved any more"
    assert told[two - 1] in ("2> Ana's turn", "2> Your turn, Rui")


def test_a_captains_answer_is_told_before_the_next_line() -> None:
    shots = ["1 D 1 1 #", "1 D 1 2 #", "1 D 1 3 #"]
    told = play(["1 A #", *[line for shot in shots for line in (shot, "echo shot")]], "classic", "jack")
    results = [n for n, line in enumerate(told) if re.fullmatch(r"1> [A-J]\d+: .*", line)]
    ends = [n for n, line in enumerate(told) if line == "*> shot"]
    for start, end in pairwise(ends):
        assert sum(start < n < end for n in results) == 2
