"""Every mode scored from a table: offered, correctable, and only then counted."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import table_of
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.rules.modes import BattleArea, mode, spots
from companion.games.tmg.rules.readings import Readings
from models import Sigma, TableToken
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

MODES = sorted(PLAYS)
SCORING = [key for key in MODES if PLAYS[key].scoring_rule]
SILENT = [key for key in MODES if not PLAYS[key].scoring_rule and not PLAYS[key].quadrants]


def named(key: tuple[str, str]) -> str:
    return "-".join(key)


def begun(key: tuple[str, str]) -> Battle:
    """A game of that mode in its second round."""
    game, name = key
    battle = battle_of(name, game.rpartition("-")[2], defender="red" if name == "SOS" else None)
    battle.round_over()
    while battle.state.step == "redeploy":
        battle.do("continue")
    while battle.state.step == "missions":  # TMG-MODE-WOW-4
        battle.do("reveal", player=PLAY.pending(battle.state)[0].data["player"], card="11")
    assert battle.state.round == 2
    return battle


def tokens_of(key: tuple[str, str], battle: Battle) -> tuple[TableToken, ...]:
    """The tokens where the mode puts them, or in a row where players place them."""
    fixed = spots(mode(*key), BattleArea(), Readings())
    if fixed:
        return tuple(spot.token() for spot in fixed)
    return tuple(
        TableToken(token.id, 8.0 + 8 * place, 24.0)
        for place, token in enumerate(battle.state.tokens)
    )


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-5", "TMG-RND-13")
@pytest.mark.parametrize("key", SCORING, ids=named)
def test_units_on_tokens_are_offered_corrected_and_counted(key: tuple[str, str]) -> None:
    battle = begun(key)
    tokens = tokens_of(key, battle)
    # Blue stands on the first token; red on the last, where there is more than one.
    holders = {tokens[-1].id: "r2", tokens[0].id: "b2"}
    places = {token.id: token for token in tokens}
    stand = {
        unit: (places[token].x, places[token].y, NORTH if unit == "b2" else SOUTH)
        for token, unit in holders.items()
    }
    seen(battle, stand, tokens=tokens)
    assert {name: battle.token(name).holder for name in holders} == holders
    before = battle.vp()
    battle.finish_round().do("continue")
    offers = {one.token: (one.side, one.vp) for one in battle.state.proposals if one.token}
    assert offers == {
        name: ("blue" if unit == "b2" else "red", battle.token(name).vp)
        for name, unit in holders.items()
    }
    assert battle.vp() == before, "nothing is scored silently"
    battle.do("score", offer=1, vp=7)
    changed = battle.state.proposals[0]
    assert "7 instead of" in changed.why
    while len(battle.state.proposals) > 1:
        battle.do("score", drop=2)
    battle.do("score", confirm=True)
    gained = tuple(after - earlier for after, earlier in zip(battle.vp(), before, strict=True))
    assert gained == ((7, 0) if changed.side == "blue" else (0, 7))
    assert any("instead of" in line for line in battle.report())


@pytest.mark.rule("TMG-RND-13")
@pytest.mark.parametrize("key", SILENT, ids=named)
def test_modes_that_score_by_deeds_offer_nothing_for_places(key: tuple[str, str]) -> None:
    battle = begun(key)
    seen(battle, {"b2": (24, 24, NORTH)})
    battle.finish_round().do("continue")
    assert battle.state.proposals == ()
    battle.do("score", side="blue", vp=2, why="the card says so")
    assert battle.vp()[0] >= 2


@pytest.mark.rule("TMG-MODE-HWS-12", "TMG-MODE-HWS-5")
def test_a_unit_between_two_quadrants_is_named_and_not_counted() -> None:
    battle = begun(("tmg-2021", "HWS"))
    seen(battle, {"b1": (24, 12, NORTH)})
    battle.finish_round().do("continue")
    assert any("b1 stands in" in line for line in battle.answer["reminders"])
    battle.do("quadrants", units={"b1": "upper-left", "b2": "upper-left"})
    assert [(one.side, one.why) for one in battle.state.proposals] == [
        ("blue", "upper-left quadrant")
    ]


@pytest.mark.rule("TMG-OBJ-1")
def test_a_token_too_close_to_call_is_named_where_points_hang_on_it() -> None:
    battle = begun(("tmg-2021", "GOT"))
    tokens = tokens_of(("tmg-2021", "GOT"), battle)
    near = DEEP / 2 - tokens[0].radius  # the whole token lies under the tray by a hair, or not
    seen(
        battle,
        {"b2": (tokens[0].x, tokens[0].y - near, NORTH)},
        tokens=tokens,
        sigma=Sigma(0.3, 1.0),
    )
    battle.finish_round().do("continue")
    assert any("too close to call" in line for line in battle.answer.get("reminders", ()))


@pytest.mark.rule("TMG-OBJ-4")
def test_what_moved_since_the_table_was_seen_is_named() -> None:
    battle = begun(("tmg-2021", "GOT"))
    seen(battle, {"b2": (24, 24, NORTH)}, tokens=tokens_of(("tmg-2021", "GOT"), battle))
    side = battle.state.active
    unit = f"{side[0]}2"
    battle.do("activate", unit=unit).do("action", action="march").do("end-turn")
    battle.finish_round().do("continue")
    assert any(f"{unit} moved since" in line for line in battle.answer["reminders"])


@pytest.mark.rule("TMG-GLO-11", "TMG-OBJ-1")
def test_a_table_given_with_the_set_up_counts_from_the_first_round() -> None:
    battle = battle_of("GOT")
    token = (TableToken("o1", 24, 24),)
    seen(battle, {"b1": (24, 24, NORTH), "r1": (24, 24 + 4.8, SOUTH)}, tokens=token)
    again = Battle("GOT", table=table_of(battle.state.table).to_json()).deployed()
    assert again.unit("b1").engaged == ("r1",)
    assert again.unit("r1").engaged == ("b1",)
    assert again.token("o1").holder == "b1"
    assert again.folded() == again.state


@pytest.mark.rule("TMG-SET-1")
def test_a_set_up_table_that_gives_units_to_the_wrong_side_is_refused() -> None:
    battle = seen(battle_of("GOT"), {})
    table = table_of(battle.state.table).to_json()
    table["units"][0]["side"] = "red"
    asked = {"do": "set-up", "mode": "GOT", "armies": [STARK, LANNISTER], "table": table}
    found = PLAY.prepare("tmg-2021", asked)
    assert isinstance(found, Refusal)
    assert found.say == "b1 is blue's"
