"""Pieces, seats, score and pages of the miniatures game: names, never ids, in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.api.prompt import Entry
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.names import names_of
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.new_game import seat_colours
from companion.session.game_lookup import find_screen
from companion.text.translation import catalogue, set_language
from models import CompanionError
from tests.games.tmg.screen.played import played, spoken, wrong
from tests.play.battle import LANNISTER, STARK, battle_of

GAMES = ["2021-GOT", "2018-SOS", "2021-COK-team", "2021-HWS-ffa", "2021-FAB"]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")


def everything(state: Any) -> Iterator[str]:
    yield from spoken(SCREEN.pieces(state))
    yield from spoken(SCREEN.seats(state))
    yield from spoken(SCREEN.score(state))
    yield SCREEN.headline(state)
    for seat in (None, *(one.id for one in SCREEN.seats(state))):
        yield from spoken(SCREEN.pages(state, seat))


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("name", GAMES)
def test_no_text_holds_an_id_or_a_rule_number(name: str, language: str) -> None:
    words = catalogue(language)
    for _, _, state in played(name)[::16]:
        told = (words.translate(text) for text in everything(state))
        assert wrong(told, state) == []


def test_the_screen_is_found_for_both_editions() -> None:
    for game in ("tmg-2018", "tmg-2021"):
        screen = find_screen(game)
        assert screen.space(game).kind == "open"
        assert screen.seat_range(game).most == 4
        assert str(screen.name(game)).endswith(game[-4:])


@pytest.mark.rule("TMG-UNT-1")
def test_names_are_unique_and_numbered() -> None:
    state = played("2021-COK-team")[0][0]
    names = [view.name for view in SCREEN.pieces(state)]
    assert len(set(names)) == len(names)
    assert any(name.endswith(" 2") for name in names)


@pytest.mark.rule("TMG-RNK-1", "TMG-WND-2", "TMG-CON-1")
def test_a_piece_shows_what_is_left_of_it() -> None:
    state = battle_of("GOT").state
    unit = replace(state.unit("b1"), wounds=5, tokens=("panicked",), activated=True)
    view = next(one for one in SCREEN.pieces(state.with_unit(unit)) if one.id == "b1")
    assert (view.left, view.most, view.ranks, view.state) == (7, 12, (2, 3), "spent")
    assert [badge.text for badge in view.badges] == ["Panicked"]
    assert view.leader


@pytest.mark.rule("TMG-WND-2")
def test_every_correction_is_accepted() -> None:
    state = battle_of("GOT").state
    for view in SCREEN.pieces(state):
        for choice in view.corrections:
            assert not isinstance(PLAY.decide(state, choice.commands[0]), Refusal), choice
        for form in view.forms:
            given = {entry.field: most(entry) for entry in form.entries}
            assert not isinstance(PLAY.decide(state, {**form.command, **given}), Refusal), form


def most(entry: Entry) -> Any:
    """The largest value that an entry takes."""
    every = [value for value, _ in entry.options]
    last = every[-1] if every else None
    return {"number": entry.most, "text": "Horn", "several": every, "option": last}[entry.kind]


@pytest.mark.rule("TMG-DECK-5")
def test_hands_only_for_their_own_seat() -> None:
    state = battle_of("GOT").state
    hand = set(state.players[0].hand)
    own = [c for page in SCREEN.pages(state, "blue") for s in page.sections for c in s.cards]
    assert hand <= {card.title for card in own}
    for seat in (None, "red"):
        cards = [c for page in SCREEN.pages(state, seat) for s in page.sections for c in s.cards]
        assert not any(c.title in hand and c.seat == "blue" for c in cards)


@pytest.mark.rule("TMG-OBJ-5", "TMG-RND-13")
def test_points_to_confirm_have_reasons_and_corrections() -> None:
    scoring = [
        state
        for name in ("2021-GOT", "2021-COK", "2021-DWD")
        for _, _, state in played(name)
        if state.step == "score" and not state.done
    ]
    assert scoring
    for state in scoring:
        view = SCREEN.score(state)
        assert view.confirm is not None
        assert [line.points for line in view.lines[: len(state.proposals)]] == [
            one.vp for one in state.proposals
        ]
        for line in view.lines:
            for choice in line.choices:
                assert not isinstance(PLAY.decide(state, choice.commands[0]), Refusal), choice


@pytest.mark.rule("TMG-MODE-COK-2")
def test_objectives_go_by_their_place() -> None:
    state = battle_of("COK").state
    assert str(names_of(state).of("o2")) == "the left objective"
    assert catalogue("de").translate(names_of(state).of("o3")) == "rechtes Zielobjekt"


@pytest.mark.rule("TMG-TEAM-7")
def test_players_go_by_their_own_names() -> None:
    assert [one.name for one in SCREEN.seats(battle_of("GOT").state)] == ["Blue", "Red"]
    team = SCREEN.seats(played("2021-COK-team")[0][0])
    assert [one.name for one in team] == ["ablue & bblue", "cred & dred"]


@pytest.mark.rule("TMG-SET-1", "TMG-ARM-1")
def test_a_draft_becomes_a_set_up() -> None:
    draft: dict[str, Any] = {"game": {"mode": "GOT", "points": 40}}
    assert [one.id for one in SCREEN.steps("tmg-2021", draft)][:3] == ["game", "seats", "armies"]
    lacking = next(one for one in SCREEN.steps("tmg-2021", draft) if one.id == "armies")
    assert {one.seat for one in lacking.problems} == {"blue", "red"}
    draft["seats"] = [{"id": "blue", "name": "Anna"}, {"id": "red", "name": "Boris"}]
    draft["begin"] = {"first": "red"}
    command = SCREEN.set_up("tmg-2021", draft)
    assert command["ready"]
    assert [one["player"] for one in command["armies"]] == ["Anna", "Boris"]
    pairs = zip(command["armies"], (STARK, LANNISTER), strict=True)
    armies = [{**kept, "side": one["side"], "player": one["player"]} for one, kept in pairs]
    asked = {**command, "armies": armies, "unchecked": True, "seed": 1}
    setup = PLAY.prepare("tmg-2021", asked)
    assert not isinstance(setup, Refusal), setup
    state = PLAY.start("tmg-2021", setup)
    assert [one.name for one in SCREEN.seats(state)] == ["Anna", "Boris"]


@pytest.mark.rule("TMG-ARM-1")
def test_a_list_that_cannot_be_read_is_a_problem_of_its_step() -> None:
    draft = {"armies": {"blue": "nonsense\n??", "red": ""}}
    step = next(one for one in SCREEN.steps("tmg-2021", draft) if one.id == "armies")
    assert any(one.seat == "blue" and one.text for one in step.problems)
    try:
        begin = SCREEN.steps("tmg-2021", draft)[-1]
    except CompanionError:
        pytest.fail("a bad list stops the wizard")
    assert begin.problems


@pytest.mark.rule("TMG-OBJ-5", "TMG-RND-13")
@pytest.mark.parametrize("name", ["2021-GOT", "2021-FFC", "2018-GOT-ready"])
def test_points_told_before_the_end_of_a_round_are_those_proposed_then(name: str) -> None:
    ends = [(b, a) for b, _, a in played(name) if b.step != "score" and a.step == "score"]
    rounds: dict[int, bool] = {}
    for before, after in ends:
        told = [(one.seat, one.points) for one in SCREEN.score(before).lines if one.points]
        assert sorted(told) == sorted((one.side, one.vp) for one in after.proposals)
        rounds[before.round] = bool(told)
    assert not rounds[1]
    assert any(rounds.values())


@pytest.mark.rule("TMG-OBJ-1", "TMG-RND-13")
@pytest.mark.parametrize("name", ["2021-GOT", "2018-COK"])
def test_who_holds_any_objective_can_be_set_right_when_points_are_counted(name: str) -> None:
    counted = [state for _, _, state in played(name) if state.step == "score" and not state.done]
    assert counted
    for state in counted:
        ways = [way.commands[0] for line in SCREEN.score(state).lines for way in line.choices]
        named = {one["token"] for one in ways if one["do"] == "objective"}
        assert named == {token.id for token in state.tokens}


@pytest.mark.rule("TMG-VIC-1")
def test_the_score_says_how_the_game_was_won() -> None:
    state = battle_of("GOT").state
    assert SCREEN.score(state).how == ""
    won = SCREEN.score(replace(state, winner="blue", how="10 victory points"))
    assert (won.winner, won.how) == ("blue", "10 victory points")


def test_red_is_red_whoever_is_named_first() -> None:
    assert seat_colours(["blue", "red"]) == {"blue": 1, "red": 2}
    assert seat_colours(["red", "blue"]) == {"red": 2, "blue": 1}
    assert seat_colours(["north", "red", "south"]) == {"north": 1, "red": 2, "south": 3}


@pytest.mark.rule("TMG-MODE-GOT-4")
def test_objective_cards_are_named_and_entered_as_the_players_drew_them() -> None:
    battle = battle_of("GOT")
    (first,) = [one for one in SCREEN.prompts(battle.state) if one.id == "turn-start"]
    cards = {token.id: token.card for token in battle.state.tokens}
    assert len(set(cards.values())) == 5
    listed = ", ".join(cards.values())
    told = f"Objective cards {listed}: the Score page shows where they lie"
    assert [str(one.text) for one in first.facts] == [told]  # one line: the units are below it
    board = SCREEN.pages(battle.state, None)[0].sections[-1]
    assert [str(box.lines[0]) for box in board.cards] == [
        f"Objective card {card}" for card in cards.values()
    ]
    assert [str(line.detail) for line in SCREEN.score(battle.state).lines] == [
        f"Objective card {card}" for card in cards.values()
    ]
    assert not any(one.command == {"do": "objective"} for one in first.forms), "a correction"
    (line, *_) = SCREEN.score(battle.state).lines
    assert [one.commands[0]["card"] for one in line.choices] == [
        number for number in range(1, 11) if str(number) != cards["o1"]
    ]
    battle.do("objective", token="o1", card=int(cards["o2"]))
    assert battle.token("o1").card == cards["o2"]
    assert battle.token("o2").card == cards["o1"]  # no card lies there twice
    bare = battle_of("COK")
    bare.refused("TMG-MODE-GOT-4", "objective", token=bare.state.tokens[0].id, card=3)


@pytest.mark.rule("TMG-VIC-7")
def test_every_side_may_give_up_from_the_score_page() -> None:
    battle = battle_of("GOT")
    ends = {one.seat: one for one in SCREEN.score(battle.state).ends if one.seat}
    assert list(ends) == list(battle.state.playing)
    assert [one.by for one in ends.values()] == [(side,) for side in ends]
    command = dict(ends["red"].commands[0])
    battle.do(command.pop("do"), **command)
    assert battle.state.winner == "blue"
    assert SCREEN.score(battle.state).ends == ()


@pytest.mark.rule("TMG-RND-10")
def test_a_side_that_has_nothing_left_is_said_to_pass() -> None:
    battle = battle_of("GOT")
    told = "Red has nothing left to activate and passes"

    def facts() -> list[str]:
        return [str(one.text) for one in SCREEN.prompts(battle.state)[0].facts]

    assert told not in facts()
    state = battle.state
    done = tuple(replace(one, activated=one.side == "red") for one in state.units)
    ncus = tuple(replace(one, activated=one.side == "red") for one in state.ncus)
    card = SCREEN.prompts(replace(state, units=done, ncus=ncus))[0]
    assert told in [str(one.text) for one in card.facts]
