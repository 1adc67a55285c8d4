from importlib.resources import files

import pytest

from companion.game.ruleset import (
    PRESETS,
    HouseRule,
    Opener,
    Placing,
    Repeat,
    RulesetError,
    Shots,
    SinkingTells,
    parse_house_rules,
    parse_ruleset,
    preset,
    with_house_rules,
)

CLASSIC = files("companion.game.rulesets").joinpath("classic.toml").read_text("utf-8")


def test_presets_are_what_the_rules_say() -> None:
    classic, salvo, naval, kingdoms = (preset(name) for name in PRESETS)
    assert classic.lengths == salvo.lengths
    assert list(classic.lengths.items()) == [
        ("Aircraft Carrier", 5),
        ("Battleship", 4),
        ("Submarine", 3),
        ("Destroyer", 3),
        ("Patrol Boat", 2),
    ]
    assert [naval.lengths[ship] for ship in naval.ships] == [4, 3, 3, 2, 2, 2]
    assert [kingdoms.lengths[ship] for ship in kingdoms.ships] == [5, 4, 3, 3, 2]
    assert [rules.may_touch for rules in (classic, salvo, naval, kingdoms)] == [True, True, False, False]
    assert [rules.shots for rules in (classic, salvo, naval, kingdoms)] == [
        Shots.ONE,
        Shots.ONE_FOR_EACH_SHIP_AFLOAT,
        Shots.ONE,
        Shots.ONE_AND_ANOTHER_AFTER_A_HIT,
    ]
    assert [rules.sinking_tells for rules in (classic, salvo, naval, kingdoms)] == [
        SinkingTells.NAME,
        SinkingTells.NAME,
        SinkingTells.NOTHING,
        SinkingTells.NAME_AND_SQUARES,
    ]
    assert [rules.mark_water_around_sunk for rules in (classic, salvo, naval, kingdoms)] == [False, False, False, True]
    assert naval.placing is Placing.IN_TURN
    assert {rules.placing for rules in (classic, salvo, kingdoms)} == {Placing.TOGETHER}
    assert [rules.opener for rules in (classic, salvo, naval, kingdoms)] == [
        Opener.COIN_FLIP,
        Opener.COIN_FLIP,
        Opener.IN_TURN,
        Opener.PERSON_OR_HOST,
    ]
    assert all(preset(name).title and preset(name).source for name in PRESETS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("may_touch = true", "may_tuch = true", "did you mean 'may_touch'"),
        ("may_touch = true\n", "", "may_touch"),
        ("may_touch = true", "may_touch = 1", "may_touch"),
        ('shots = "one"', 'shots = "two"', "shots is 'two'"),
        ("length = 5", "length = 11", "length 11"),
        ("length = 5", "length = 0", "length 0"),
        ("length = 5", "length = true", "length"),
        ("count = 1 },\n]", "count = 0 },\n]", "count 0"),
        ("length = 5, count = 1", "length = 10, count = 20", "squares cannot fit"),
        ("Battleship", "Aircraft Carrier", "stands there twice"),
        ("Battleship", "7", "no ship's name"),
        ("Battleship", "Bad, Ship", "no ship's name"),
        ("mark_water_around_sunk = false", "mark_water_around_sunk = true", "mark_water_around_sunk"),
        ("count = 1 }", "count = 1, colour = 2 }", "colour"),
        ("title", "= title", "not TOML"),
        ("title", "deep = " + "[" * 5000 + "]" * 5000 + "\ntitle", "nested too deep"),
    ],
)
def test_a_broken_file_names_the_key(old: str, new: str, told: str) -> None:
    text = CLASSIC.replace(old, new, 1)
    assert text != CLASSIC
    with pytest.raises(RulesetError, match=told) as caught:
        parse_ruleset(text, "mine.toml")
    assert "mine.toml" in str(caught.value)


def test_the_mark_that_windows_editors_put_first_is_read_over() -> None:
    assert parse_ruleset("\ufeff" + CLASSIC, "mine.toml") == preset("classic")


def test_title_and_source_may_be_left_out() -> None:
    lines = [line for line in CLASSIC.splitlines() if not line.startswith(("title", "source"))]
    assert parse_ruleset("\n".join(lines), "mine.toml").title == ""


def test_no_ship_at_all_is_refused() -> None:
    start, end = CLASSIC.index("fleet"), CLASSIC.index("may_touch")
    with pytest.raises(RulesetError, match="at least one ship"):
        parse_ruleset(CLASSIC[:start] + "fleet = []\n" + CLASSIC[end:], "mine.toml")


def test_ships_that_cannot_keep_apart_are_refused() -> None:
    text = CLASSIC.replace("may_touch = true", "may_touch = false").replace(
        "length = 5, count = 1", "length = 5, count = 9"
    )
    with pytest.raises(RulesetError, match="without touching"):
        parse_ruleset(text, "mine.toml")


@pytest.mark.parametrize(
    ("name", "house", "told"),
    [
        ("salvo", ["extra-shot-on-hit"], "salvo"),
        ("classic", ["mark-water-around-sunk"], "mark_water_around_sunk"),
        ("kingdoms", ["ships-may-touch"], "mark_water_around_sunk"),
        ("classic", ["sinkings-unnamed", "name-the-ship-hit"], "contradict"),
        ("classic", ["sinkings-unnamed", "show-sunk-squares"], "contradict"),
        ("classic", ["ships-never-touch", "ships-may-touch"], "contradict"),
    ],
)
def test_contradictions_are_refused_with_their_reason(name: str, house: list[str], told: str) -> None:
    with pytest.raises(RulesetError, match=told):
        with_house_rules(preset(name), parse_house_rules(house))


def test_house_rules_change_what_they_name() -> None:
    played = with_house_rules(preset("classic"), list(HouseRule)[:1])
    assert not played.may_touch
    played = with_house_rules(
        preset("naval-warfare"),
        [HouseRule.EXTRA_SHOT_ON_HIT, HouseRule.REPEAT_WASTES_THE_TURN, HouseRule.SHOW_SUNK_SQUARES],
    )
    assert played.shots is Shots.ONE_AND_ANOTHER_AFTER_A_HIT
    assert played.repeat is Repeat.WASTED
    assert played.sinking_tells is SinkingTells.NAME_AND_SQUARES
    both = [HouseRule.SHIPS_NEVER_TOUCH, HouseRule.MARK_WATER_AROUND_SUNK]
    assert with_house_rules(preset("classic"), both).mark_water_around_sunk


def test_an_unknown_house_rule_is_told_the_nearest() -> None:
    with pytest.raises(RulesetError, match="did you mean ships-never-touch"):
        parse_house_rules(["ship-never-touch"])


def test_house_rules_come_in_one_order_and_once() -> None:
    names = ["repeat-wastes-the-turn", "ships-may-touch", "ships-may-touch"]
    assert parse_house_rules(names) == (HouseRule.SHIPS_MAY_TOUCH, HouseRule.REPEAT_WASTES_THE_TURN)
