from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.errors import IllegalMove
from companion.game.events import (
    Abandon,
    AnswerTakeBack,
    AskTakeBack,
    Command,
    DrawFleet,
    Ending,
    Event,
    Fire,
    LayFleet,
    Leave,
    Lift,
    Mark,
    Outcome,
    Phase,
    Place,
    Sail,
    Shot,
    ShotsTold,
    decode_command,
    decode_event,
    encode,
)
from companion.game.fleet import Ship, placements, random_fleet
from companion.game.match import Match, begin, choose_opener
from companion.game.ruleset import HouseRule, Opener, Shots, preset
from companion.game.squares import SQUARES, Direction, Square
from companion.game.views import view
from tests.companion.game.strategies import legal_shots, new_match, play_on, rules, seeds

squares = st.sampled_from(SQUARES)


def commands(match: Match) -> st.SearchStrategy[Command]:
    """Any command at all, legal or not, more often of the seat to move."""
    seats = st.sampled_from([1, 2, match.to_move])
    names = st.sampled_from([*match.rules.lengths, "Raft"])
    return st.one_of(
        st.builds(Place, seats, names, squares, st.sampled_from(list(Direction))),
        st.builds(Lift, seats, squares),
        st.builds(DrawFleet, seats),
        st.builds(Sail, seats),
        st.builds(Mark, seats, squares),
        st.builds(Fire, seats, st.lists(squares, max_size=5).map(tuple)),
        st.builds(AskTakeBack, seats),
        st.builds(AnswerTakeBack, seats, st.booleans()),
    )


def check_sound(match: Match) -> None:
    """What must hold in every state."""
    for seat in (1, 2):
        sea = match.sea(seat)
        taken = [square for ship in sea.fleet for square in ship.squares]
        assert len(taken) == len(set(taken))
        if not sea.confirmed:
            continue
        assert sorted(ship.name for ship in sea.fleet) == sorted(match.rules.ships)
        for number, ship in enumerate(sea.fleet):
            unhit = [square for square in ship.squares if square not in sea.shots]
            assert sea.squares_left[number] == len(unhit)
        assert sea.afloat == sum(left > 0 for left in sea.squares_left)
        assert sea.untried == len(SQUARES) - len(sea.shots) - len(sea.open_water)
        assert not sea.open_water & set(taken)
    if match.phase is Phase.BATTLE:
        assert 1 <= match.shots_due <= 1 + 4 * (match.rules.shots is Shots.ONE_FOR_EACH_SHIP_AFLOAT)
        assert min(match.sea(1).afloat, match.sea(2).afloat) >= 1


@settings(max_examples=40)
@given(rules, seeds, st.data())
def test_no_command_sequence_reaches_an_illegal_state(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int, data: st.DataObject
) -> None:
    match = new_match(*chosen, seed=seed, sail=data.draw(st.booleans()))
    events: list[Event] = [match.began]
    if match.phase is Phase.BATTLE:
        events = _events_so_far(match)
    chance = Random(seed)
    for _ in range(data.draw(st.integers(0, 12))):
        if match.phase is Phase.BATTLE and data.draw(st.booleans()):
            command: Command = legal_shots(match, chance)
        else:
            command = data.draw(commands(match))
        before = [encode(view(match, seat)) for seat in (1, 2)]
        try:
            events += match.do(command, chance)
        except IllegalMove:
            assert [encode(view(match, seat)) for seat in (1, 2)] == before
        check_sound(match)
    _assert_same(Match.from_events([decode_event(encode(event)) for event in events]), match)


def _events_so_far(match: Match) -> list[Event]:
    """The events of a match that has just sailed."""
    again = Match(match.began)
    events: list[Event] = [match.began]
    for seat in (match.began.opener, 3 - match.began.opener):
        events += again.do(LayFleet(seat, tuple(match.sea(seat).fleet)))
        events += again.do(Sail(seat))
    return events


def _assert_same(one: Match, other: Match) -> None:
    for seat in (1, 2):
        assert view(one, seat) == view(other, seat)
        assert vars(one.sea(seat)) == vars(other.sea(seat))
    assert (one.phase, one.to_move, one.shots_due, one.marked, one.moves, one.history, one.ended) == (
        other.phase,
        other.to_move,
        other.shots_due,
        other.marked,
        other.moves,
        other.history,
        other.ended,
    )


@given(rules, seeds)
def test_a_game_ends_at_the_last_sinking_and_takes_nothing_after(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int
) -> None:
    match = new_match(*chosen, seed=seed)
    play_on(match, Random(seed))
    assert match.ended is not None
    winner = match.ended.winner
    assert match.ended.ending is Ending.FLEET_SUNK
    assert match.sea(3 - winner).afloat == 0
    assert match.sea(winner).afloat > 0
    assert match.moves[-1].seat == winner
    assert any(shot.outcome is Outcome.SUNK for shot in match.moves[-1].shots)
    later: list[Command] = [
        Fire(winner, (SQUARES[0],)),
        Fire(3 - winner, (SQUARES[0],)),
        AskTakeBack(1),
        Mark(1, SQUARES[0]),
        Leave(1),
        Abandon(1),
        Sail(2),
    ]
    for command in later:
        with pytest.raises(IllegalMove, match="over"):
            match.decide(command)


@pytest.mark.parametrize("length", range(2, 6))
def test_sunk_is_all_squares_of_that_ship_hit(length: int) -> None:
    """Every start, direction and length, flush to each edge: the last square sinks, none before it does."""
    lengths = {5: "Aircraft Carrier", 4: "Battleship", 3: "Submarine", 2: "Patrol Boat"}
    ruleset = preset("classic")
    for placement in placements(length):
        fleet = _fleet_around(Ship(lengths[length], placement.squares))
        match = Match(begin("classic", ruleset, ("Ana", "Rui"), Random(0)))
        for seat in (1, 2):
            match.do(LayFleet(seat, fleet))
            match.do(Sail(seat))
        shooter = match.to_move
        water = [square for square in SQUARES if square not in match.sea(shooter).ship_at]
        for number, square in enumerate(placement.squares, 1):
            told = match.do(Fire(shooter, (square,)))[0]
            expected = Outcome.SUNK if number == length else Outcome.HIT
            assert isinstance(told, ShotsTold)
            assert told.shots[0].outcome is expected
            match.do(Fire(3 - shooter, (water[number],)))


def _fleet_around(ship: Ship) -> tuple[Ship, ...]:
    """A legal classic fleet with this ship in its place."""
    for seed in range(1000):
        fleet = [ship if each.name == ship.name else each for each in random_fleet(preset("classic"), Random(seed))]
        taken = [square for each in fleet for square in each.squares]
        if len(taken) == len(set(taken)):
            return tuple(fleet)
    raise AssertionError("no fleet found")


def battle(name: str, *house: HouseRule) -> Match:
    """A battle that seat 1 opens, with the same fleets on both sides: ships flush left in every second row."""
    match = next(m for seed in range(50) if (m := new_match(name, house, seed, sail=False)).began.opener == 1)
    fleet = tuple(
        Ship(ship, tuple(Square.at(2 * row, column) for column in range(match.rules.lengths[ship])))
        for row, ship in enumerate(match.rules.ships[:5])
    )
    if len(match.rules.ships) == 6:
        fleet = (*fleet, Ship("Submarine", (Square("J1"), Square("J2"))))
    for seat in (1, 2):
        match.do(LayFleet(seat, fleet))
        match.do(Sail(seat))
    return match


def fire(match: Match, *names: str) -> list[str]:
    events = match.do(Fire(match.to_move, tuple(Square(name) for name in names)))
    return [str(shot) for event in events if isinstance(event, ShotsTold) for shot in event.shots]


def test_the_same_shot_thrice_never_wins() -> None:
    match = battle("classic")
    assert fire(match, "A9") == ["A9: hit"]
    assert fire(match, "J10") == ["J10: miss"]
    for _ in range(3):
        with pytest.raises(IllegalMove, match="fired at A9 before"):
            fire(match, "A9")
    assert match.to_move == 1
    assert match.sea(2).afloat == 5


def test_a_wasted_shot_counts_as_a_turn_and_tells_nothing() -> None:
    match = battle("classic", HouseRule.REPEAT_WASTES_THE_TURN)
    fire(match, "A9")
    fire(match, "J10")
    assert fire(match, "A9") == ["A9: wasted"]
    assert match.to_move == 2
    assert match.sea(2).squares_left[4] == 1


def test_wasted_earns_no_extra_shot() -> None:
    match = battle("classic", HouseRule.REPEAT_WASTES_THE_TURN, HouseRule.EXTRA_SHOT_ON_HIT)
    assert fire(match, "A9") == ["A9: hit"]
    assert match.to_move == 1
    assert fire(match, "A9") == ["A9: wasted"]
    assert match.to_move == 2


def test_kingdoms_tells_name_and_squares_and_marks_the_water() -> None:
    match = battle("kingdoms")
    fire(match, "A9")
    assert fire(match, "B9") == ["B9: sunk Barque"]
    told = match.moves[-1].shots[0]
    assert told.squares == (Square("A9"), Square("B9"))
    around = {square.name for square in match.sea(2).open_water}
    assert around == {"A8", "B8", "C8", "C9", "A10", "B10", "C10"}
    with pytest.raises(IllegalMove, match="open water"):
        fire(match, "C9")
    assert match.to_move == 1


def test_marked_water_is_refused_where_a_repeat_is_wasted() -> None:
    match = battle("kingdoms", HouseRule.REPEAT_WASTES_THE_TURN)
    fire(match, "A9")
    fire(match, "B9")
    with pytest.raises(IllegalMove, match="open water"):
        fire(match, "C9")


def test_naval_warfare_tells_only_that_a_ship_sank() -> None:
    match = battle("naval-warfare")
    assert fire(match, "J1") == ["J1: hit"]
    fire(match, "H10")
    assert fire(match, "J2") == ["J2: sunk"]


def test_a_hit_names_the_ship_only_by_house_rule() -> None:
    assert fire(battle("classic"), "A1") == ["A1: hit"]
    assert fire(battle("classic", HouseRule.NAME_THE_SHIP_HIT), "A1") == ["A1: hit Aircraft Carrier"]


def test_a_salvo_is_told_together_and_named_with_the_shot_that_finished_the_ship() -> None:
    match = battle("salvo")
    told = fire(match, "A9", "J10", "B9", "A1", "I10")
    assert told == ["A9: hit", "J10: miss", "B9: sunk Patrol Boat", "A1: hit", "I10: miss"]
    assert match.shots_due == 4


def test_a_salvo_of_the_wrong_size_or_with_a_square_twice_is_refused() -> None:
    match = battle("salvo")
    with pytest.raises(IllegalMove, match="4 of 5"):
        fire(match, "A9", "J10", "B9", "A1")
    with pytest.raises(IllegalMove, match="all be different"):
        fire(match, "A9", "A9", "B9", "A1", "C1")
    assert match.moves == []


def test_a_salvo_is_as_large_as_what_is_left() -> None:
    """Seat 1 has lost a ship, fires at all water first, and comes to a last salvo of fewer squares than its ships."""
    match = battle("salvo", HouseRule.REPEAT_WASTES_THE_TURN)
    water = [square for square in SQUARES if square not in match.sea(2).ship_at]
    order = iter([*water, *match.sea(2).ship_at])
    again = (Square("A9"), Square("B9"), *water[:3])
    dues = []
    while match.ended is None:
        if match.to_move == 1:
            dues.append((match.shots_due, match.sea(2).untried))
            match.do(Fire(1, tuple(next(order) for _ in range(match.shots_due))))
        else:
            match.do(Fire(2, again[: match.shots_due]))
    assert dues[:2] == [(5, 100), (4, 95)]
    assert dues[-1] == (3, 3)


def test_marks_of_a_salvo_stay_when_it_is_refused() -> None:
    match = battle("salvo")
    match.do(Mark(1, Square("A1")))
    match.do(Mark(1, Square("B1")))
    with pytest.raises(IllegalMove, match="2 of 5"):
        match.do(Fire(1, match.marked))
    assert list(match.marked) == [Square("A1"), Square("B1")]
    match.do(Mark(1, Square("A1")))
    assert list(match.marked) == [Square("B1")]
    with pytest.raises(IllegalMove, match="turn"):
        match.do(Mark(2, Square("A1")))


def test_a_full_salvo_takes_no_further_mark() -> None:
    match = battle("salvo")
    for column in "ABCDE":
        match.do(Mark(1, Square(f"{column}1")))
    with pytest.raises(IllegalMove, match="full"):
        match.do(Mark(1, Square("F1")))


def test_marking_belongs_to_a_salvo() -> None:
    with pytest.raises(IllegalMove, match="only in a salvo"):
        battle("classic").do(Mark(1, Square("A1")))


def test_a_take_back_needs_both_and_gives_the_turn_back() -> None:
    match = battle("classic")
    before = view(match, 1), view(match, 2)
    fire(match, "A9")
    match.do(AskTakeBack(1))
    with pytest.raises(IllegalMove, match="Rui must agree"):
        match.do(AnswerTakeBack(1, True))
    with pytest.raises(IllegalMove, match="First answer"):
        fire(match, "J10")
    match.do(AnswerTakeBack(2, True))
    assert match.to_move == 1
    after = view(match, 1), view(match, 2)
    assert [each.target for each in after] == [each.target for each in before]
    assert [each.ocean for each in after] == [each.ocean for each in before]
    assert fire(match, "A9") == ["A9: hit"]


def test_a_take_back_may_be_declined_or_withdrawn() -> None:
    match = battle("classic")
    fire(match, "A9")
    match.do(AskTakeBack(2))
    match.do(AnswerTakeBack(1, False))
    match.do(AskTakeBack(2))
    match.do(AnswerTakeBack(2, False))
    assert match.to_move == 2
    assert len(match.moves) == 1


def test_no_two_take_backs_in_a_row_none_before_a_shot_and_none_in_placing() -> None:
    match = battle("classic")
    with pytest.raises(IllegalMove, match="no shot to take back"):
        match.do(AskTakeBack(1))
    fire(match, "A9")
    fire(match, "J10")
    match.do(AskTakeBack(1))
    match.do(AnswerTakeBack(2, True))
    assert match.to_move == 2
    with pytest.raises(IllegalMove, match="in a row"):
        match.do(AskTakeBack(1))
    with pytest.raises(IllegalMove, match="no shot"):
        new_match("classic", sail=False).do(AskTakeBack(1))


def test_a_take_back_undoes_a_salvo_whole_and_a_sinking_with_its_water() -> None:
    match = battle("kingdoms")
    fire(match, "A9")
    fire(match, "B9")
    match.do(AskTakeBack(2))
    match.do(AnswerTakeBack(1, True))
    sea = match.sea(2)
    assert (sea.afloat, sea.open_water, list(sea.shots)) == (5, set(), [Square("A9")])
    salvo = battle("salvo")
    fire(salvo, "A9", "B9", "A1", "B1", "C1")
    salvo.do(AskTakeBack(2))
    salvo.do(AnswerTakeBack(1, True))
    assert salvo.sea(2).shots == {}
    assert (salvo.to_move, salvo.shots_due) == (1, 5)


@given(rules, seeds, st.integers(1, 60))
def test_a_take_back_restores_the_state_before(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int
) -> None:
    match = new_match(*chosen, seed=seed)
    chance = Random(seed)
    play_on(match, chance, moves)
    if match.phase is Phase.ENDED:
        return
    before = [vars(match.sea(seat)) | {"open_water": set(match.sea(seat).open_water)} for seat in (1, 2)]
    kept = [(dict(sea["shots"]), sea["open_water"], list(sea["squares_left"]), sea["untried"]) for sea in before]
    mover, due = match.to_move, match.shots_due
    match.do(legal_shots(match, chance))
    if match.ended is not None:
        return
    match.do(AskTakeBack(1))
    match.do(AnswerTakeBack(2, True))
    assert (match.to_move, match.shots_due) == (mover, due)
    for seat, (shots, water, left, untried) in zip((1, 2), kept, strict=True):
        sea = match.sea(seat)
        assert (sea.shots, sea.open_water, sea.squares_left, sea.untried) == (shots, water, left, untried)


def test_leaving_a_battle_is_a_loss_and_leaving_before_is_none() -> None:
    match = battle("classic")
    match.do(Leave(1))
    assert match.ended is not None
    assert (match.ended.winner, match.ended.ending) == (2, Ending.RESIGNED)
    placing = new_match("classic", sail=False)
    placing.do(Leave(1))
    assert placing.ended is not None
    assert (placing.ended.winner, placing.ended.ending) == (0, Ending.ABANDONED)


def test_no_ship_moves_once_its_fleet_has_sailed() -> None:
    match = new_match("classic", sail=False)
    chance = Random(0)
    match.do(DrawFleet(1), chance)
    match.do(Sail(1))
    bow = match.sea(1).fleet[0].squares[0]
    moves: list[Command] = [Lift(1, bow), DrawFleet(1), Place(1, "Submarine", bow, Direction.DOWN), Sail(1)]
    for command in moves:
        with pytest.raises(IllegalMove, match="has sailed"):
            match.decide(command, chance)


def test_a_lifted_ship_can_be_laid_elsewhere() -> None:
    match = new_match("classic", sail=False)
    match.do(Place(1, "Submarine", Square("A1"), Direction.ACROSS))
    with pytest.raises(IllegalMove, match="no ship on D1"):
        match.do(Lift(1, Square("D1")))
    match.do(Lift(1, Square("C1")))
    match.do(Place(1, "Submarine", Square("A1"), Direction.DOWN))
    assert [str(ship) for ship in match.sea(1).fleet] == ["Submarine A1-A3"]
    with pytest.raises(IllegalMove, match="is not placed yet"):
        match.do(Sail(1))


def test_naval_warfare_places_in_turn_the_opener_first() -> None:
    match = new_match("naval-warfare", sail=False)
    chance = Random(0)
    with pytest.raises(IllegalMove, match="Ana places first"):
        match.do(DrawFleet(2), chance)
    match.do(DrawFleet(1), chance)
    match.do(Sail(1))
    match.do(DrawFleet(2), chance)
    match.do(Sail(2))
    assert match.phase is Phase.BATTLE


def test_nobody_fires_before_battle_or_out_of_turn() -> None:
    with pytest.raises(IllegalMove, match="Battle has not begun"):
        new_match("classic", sail=False).do(Fire(1, (SQUARES[0],)))
    with pytest.raises(IllegalMove, match="Ana's turn"):
        battle("classic").do(Fire(2, (SQUARES[0],)))


def test_who_opens() -> None:
    flips = {choose_opener(Opener.COIN_FLIP, Random(seed), previous=1) for seed in range(20)}
    assert flips == {1, 2}
    assert choose_opener(Opener.IN_TURN, Random(0)) == 1
    assert choose_opener(Opener.IN_TURN, Random(0), previous=1) == 2
    assert choose_opener(Opener.PERSON_OR_HOST, Random(0), first=2) == 2
    assert choose_opener(Opener.PERSON_OR_HOST, Random(0), first=2, previous=2) == 1
    first = begin("kingdoms", preset("kingdoms"), ("Ana", "Rui"), Random(0))
    second = begin("kingdoms", preset("kingdoms"), ("Ana", "Rui"), Random(0), previous=first)
    assert [(first.opener, first.number), (second.opener, second.number)] == [(1, 1), (2, 2)]


def test_a_result_is_written_as_the_record_writes_it() -> None:
    assert str(Shot(Square("B7"), Outcome.SUNK, "Patrol Boat")) == "B7: sunk Patrol Boat"
    assert str(Shot(Square("B7"), Outcome.MISS)) == "B7: miss"


def test_commands_and_events_read_back_what_they_write() -> None:
    fired = Fire(1, (Square("B7"), Square("J10")))
    assert decode_command(encode(fired)) == fired
    match = battle("kingdoms")
    fire(match, "A9")
    events = match.do(Fire(1, (Square("B9"),)))
    assert tuple(decode_event(encode(event)) for event in events) == events
