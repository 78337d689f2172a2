"""What just happened, in one sentence: every event that players care about, in three languages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Accepted, Event
from companion.games.api.screen_views import Outcome
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.events.event_log import EVENTS
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.outcomes import HEADS, SILENT, SIMPLE
from companion.games.tmg.screen.played_step import PlayedStep
from companion.text.translation import catalogue
from models import Pose
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.games.tmg.screen.played import played, spoken, wrong
from tests.play.battle import battle_of
from tests.play.recorded import names

LANGUAGES = [catalogue(one) for one in ("en", "de", "ru")]
WITH_ANOTHER = {"wounds": "attack-wounds", "charge-ended": "charge-rolled"}
"""Events that another event of the same step tells."""

SELDOM = SILENT | {"task", "step"}
"""Events that often have no sentence."""


def test_every_event_type_is_told_or_shown_by_the_next_prompt() -> None:
    assert set(EVENTS) == set(HEADS) | set(SIMPLE) | SILENT
    assert not SILENT & (set(HEADS) | set(SIMPLE))


@pytest.mark.parametrize("name", names())
def test_every_event_has_a_sentence_without_ids_and_rule_numbers(name: str) -> None:
    for before, events, after in played(name):
        kinds = {event.type for event in events}
        for event in events:
            if event.type in SELDOM or WITH_ANOTHER.get(event.type) in kinds:
                continue
            alone = SCREEN.outcome(before, (event,), after)
            assert alone is not None, event
            check(alone, after, event.type)
        whole = SCREEN.outcome(before, events, after)
        if kinds - SELDOM:
            assert whole is not None, kinds
            check(whole, after, str(kinds))


def check(found: Outcome, state: GameState, what: str) -> None:
    assert found.text, what
    texts = list(spoken(found))
    for words in LANGUAGES:
        assert wrong((words.translate(text) for text in texts), state) == [], what
    for words in LANGUAGES[1:]:
        told = words.translate(found.text)
        assert told != found.text or not any(c.isalpha() for c in found.text), found.text


def outcome_of(state: GameState, command: dict[str, object]) -> tuple[Outcome, GameState]:
    decision = PLAY.decide(state, command)
    assert isinstance(decision, Accepted), decision
    after = state
    for event in decision.events:
        after = PLAY.apply(after, event)
    found = SCREEN.outcome(state, decision.events, after)
    assert found is not None
    return found, after


def charging(face: int) -> Outcome:
    state = battle_of("GOT").do("activate", unit="b1").state
    act = {"do": "action", "action": "charge", "target": "r1", "zone": "front", "distance": 8}
    return outcome_of(state, {**act, "faces": [face]})[0]


@pytest.mark.rule("TMG-CHG-14")
def test_a_failed_charge() -> None:
    found = charging(2)
    assert found.text == "Charge by Sworn Swords at Crossbowmen: rolled 2, it fails."
    assert found.follows == "It moves the full 7″ forward, then tests panic."
    assert (found.tone, found.dice) == ("bad", (2,))
    assert LANGUAGES[1].translate(found.text) == (
        "Geschworene Schwerter: Ansturm auf Armbrustschützen, 2 gewürfelt, er scheitert."
    )


@pytest.mark.rule("TMG-CHG-16", "TMG-CHG-26")
def test_a_failed_charge_with_a_one_bars_the_cards_too() -> None:
    """EX-15: a 1 is disorderly besides success or failure."""
    follows = str(charging(1).follows)
    assert follows.startswith("It moves the full 6″ forward, then tests panic. A disorderly charge")
    assert "no cards for the rest of the turn" in follows


@pytest.mark.rule("TMG-TER-17", "TMG-CHG-12")
def test_a_failed_charge_over_rough_ground_is_not_told_as_going_all_its_way() -> None:
    battle = battle_of("GOT")
    bog = slab(battle.game, "bog", (20, 14, 28, 16))
    seen(battle, {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 9, SOUTH)}, (bog,))
    state = battle.do("activate", unit="b1").state
    charge: dict[str, Any] = {"do": "action", "action": "charge", "target": "r1"}
    found = outcome_of(state, {**charge, "faces": [2]})[0]
    assert found.follows == "Move it as far as it comes, then test panic."


@pytest.mark.rule("TMG-VIC-8")
def test_the_points_for_a_destroyed_unit_are_told_with_it() -> None:
    battle = battle_of("GOT").do("wounds", unit="r1", wounds=11)
    command = {"do": "wounds", "unit": "r1", "wounds": 1, "by": "blue"}
    found, after = outcome_of(battle.state, dict(command))
    assert after.side("blue").vp == 1
    assert str(found.follows).endswith("Points: Blue +1.")
    assert "destroyed" in f"{found.text} {found.follows}"


@pytest.mark.rule("TMG-CHG-15")
def test_a_charge_that_arrives() -> None:
    found = charging(4)
    assert found.text == "Charge by Sworn Swords at Crossbowmen: rolled 4, it arrives."
    assert found.follows == "Roll 7 attack dice."
    assert found.tone == "good"


def fighting() -> GameState:
    state = battle_of("GOT").state
    state = state.with_unit(replace(state.unit("b1"), engaged=("r1",)))
    state = state.with_unit(replace(state.unit("r1"), engaged=("b1",)))
    act = {"do": "action", "action": "attack", "target": "r1", "zone": "front", "ranged": False}
    state = outcome_of(state, {"do": "activate", "unit": "b1"})[1]
    return outcome_of(state, act)[1]


@pytest.mark.rule("TMG-ATK-12")
def test_an_attack_to_its_wounds_and_test() -> None:
    state = fighting()
    found, state = outcome_of(state, {"do": "roll", "faces": [4, 4, 5, 6, 6, 1, 2]})
    assert found.text == "Sworn Swords against Crossbowmen: 5 of 7 dice hit so far."
    _, state = outcome_of(state, {"do": "continue"})
    found, state = outcome_of(state, {"do": "roll", "faces": [6, 6, 1, 1, 1], "keep": True})
    assert found.text == (
        "Sworn Swords against Crossbowmen: 5 of 7 dice hit, 2 blocked, 3 wounds, 12 → 9."
    )
    assert found.follows == "Lannister Crossbowmen must test panic."
    assert LANGUAGES[1].translate(found.text) == (
        "Geschworene Schwerter gegen Armbrustschützen: "
        "5 Treffer mit 7 Würfeln, 2 abgewehrt, 3 Wunden, 12 → 9."
    )
    assert LANGUAGES[2].translate(found.text) == (
        "Sworn Swords → Crossbowmen: попаданий 5 из 7, блокировано 2, 3 раны, 12 → 9."
    )
    found, _ = outcome_of(state, {"do": "panic", "faces": [4, 5], "keep": True})
    assert found.text == "Crossbowmen: passed (9 against 7+)."
    found, _ = outcome_of(state, {"do": "panic", "faces": [1, 2], "d3": 2, "keep": True})
    assert found.text == "Crossbowmen: failed (3 against 7+), 2 wounds, 9 → 7."


@pytest.mark.rule("TMG-WND-2")
def test_a_unit_is_destroyed() -> None:
    state = fighting()
    state = state.with_unit(replace(state.unit("r1"), wounds=11))
    _, state = outcome_of(state, {"do": "roll", "faces": [6] * 7, "keep": True})
    found, _ = outcome_of(state, {"do": "roll", "faces": [1] * 7, "keep": True})
    assert found.text == (
        "Sworn Swords against Crossbowmen: 7 of 7 dice hit, 0 blocked, 7 wounds, 1 → 0."
    )
    assert found.follows == (
        "Lannister Crossbowmen is destroyed by Stark Sworn Swords. Points: Blue +1."
    )


@pytest.mark.rule("TMG-RND-1", "TMG-RND-6")
def test_turns_and_rounds_deserve_a_banner() -> None:
    big = {
        found.text
        for before, events, after in played("2021-GOT")
        if (found := SCREEN.outcome(before, events, after)) and found.big
    }
    assert any(text.startswith("Round 2: ") for text in big)
    assert "Red: your turn." in big


@pytest.mark.rule("TMG-WND-2")
def test_corrections_are_told() -> None:
    state = battle_of("GOT").state
    found, _ = outcome_of(state, {"do": "correct", "unit": "b1", "wounds": 4})
    assert found.text == "Corrected: Stark Sworn Swords, 12 → 8 left."


@pytest.mark.rule("TMG-RET-9")
@pytest.mark.parametrize(
    ("leaves", "words"), [(True, "it may retreat up to 7″"), (False, "no way out")]
)
def test_a_retreat_says_whether_it_leads_out(leaves: bool, words: str) -> None:
    state = (
        battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1").state
    )
    act = {"do": "action", "action": "retreat", "faces": [2], "success": leaves}
    found, _ = outcome_of(state, act)
    assert words in found.text
    assert found.dice == (2,)


@pytest.mark.rule("TMG-MOV-1")
def test_a_tray_that_moves_alone_is_named() -> None:
    """A move that was declared, or a position that is put right."""
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 40.0, SOUTH)}
    battle = seen(battle_of("GOT"), spots)

    def told(y: float) -> str:
        before = battle.state
        seen(battle, {**spots, "b1": (24.0, y, NORTH)})
        outcome = SCREEN.outcome(before, battle.log[-1:], battle.state)
        assert outcome is not None
        return str(outcome.text)

    assert told(12.0) == "Stark Sworn Swords: position corrected, 2.0″."
    battle.do("activate", unit="b1").do("action", action="maneuver")
    assert told(16.0) == "Stark Sworn Swords moves 4.0″."
    assert told(16.05) == "Positions updated."


@pytest.mark.rule("TMG-OBJ-2")
def test_an_objective_that_is_lost_by_a_move_adds_to_what_moved_the_tray() -> None:
    """Undo alone told it; and Undo was named by it, not by the move."""
    state = battle_of("GOT").deployed().state
    token = state.tokens[0].id
    events = [Event("table", {}), Event("token-held", {"token": token, "unit": ""})]
    found = SCREEN.outcome(state, events, state)
    assert found is not None
    assert found.adds == found.text
    assert found.text.startswith("Nobody holds")
    assert found.undo == "Positions updated."
    alone = SCREEN.outcome(state, events[1:], state)
    assert alone is not None
    assert not alone.adds


@pytest.mark.rule("TMG-MODE-SOS-14")
def test_a_castle_wall_is_told_in_words() -> None:
    state = battle_of("SOS", defender="red").state
    wall = state.walls[-1].id
    told = PlayedStep(state, (), state, names_of(state)).short(wall)
    assert LANGUAGES[2].translate(told).startswith("стена ")


@pytest.mark.rule("TMG-ATK-16")
@pytest.mark.parametrize("name", ["2021-COK", "2018-FFC"])
def test_an_attack_without_a_wound_is_told_with_its_dice_and_asks_for_no_test(name: str) -> None:
    told = [
        SCREEN.outcome(before, events, after)
        for before, events, after in played(name)
        if {"attack-wounds", "test-over"} <= {event.type for event in events}
    ]
    assert told
    for found in told:
        assert found is not None
        assert " dice hit" in found.text
        assert found.follows.endswith(": panic test passed without a roll.")


@pytest.mark.rule("TMG-PAN-7")
def test_the_report_says_what_asked_for_a_test() -> None:
    state = fighting()
    state = outcome_of(state, {"do": "attack-result", "wounds": 0})[1]
    asked = {"do": "test", "unit": "b1", "why": "Lannister Supremacy", "modifier": -1}
    state = outcome_of(state, asked)[1]
    roll = PLAY.decide(state, {"do": "panic", "faces": [1, 2], "d3": 2, "keep": True})
    assert isinstance(roll, Accepted)
    after = state
    for event in roll.events:
        after = PLAY.apply(after, event)
    (told,) = [line for line in SCREEN.report_lines(state, roll.events, after) if "test" in line]
    assert re.match(r"panic test \(Lannister Supremacy\): .*3 − 1 = 2 against", told), told


@pytest.mark.rule("TMG-CON-4")
def test_undo_of_a_count_names_the_count_and_no_question() -> None:
    battle = battle_of("GOT").do("token", unit="b1", token="weakened")
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    found, after = outcome_of(battle.state, {"do": "roll", "count": 3})
    assert [one.kind for one in after.tasks] == ["spent"]
    assert found.text.endswith(": 3 hits counted.")


def test_undo_of_going_on_names_what_is_over() -> None:
    state = replace(battle_of("GOT").state, step="end-of-round")
    told: dict[str, dict[str, Any]] = {
        "proposed": {"proposals": []},
        "step": {"step": "discard", "phase": "clean-up", "say": "discard cards"},
    }
    for kind, data in told.items():
        found = SCREEN.outcome(state, (Event(kind, data),), state)
        assert found is not None
        assert found.undo == "End of the round: done"


@pytest.mark.rule("TMG-ABL-3")
def test_hits_that_precision_lets_through_are_told() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", zone="front")
    battle.do("modify", what="ability", name="precision")
    dice = battle.state.attack.dice if battle.state.attack else 0
    faces = [6, 6, 5, *[1] * (dice - 3)]
    told, state = outcome_of(battle.state, {"do": "roll", "faces": faces})
    assert f"3 of {dice} dice hit (2 cannot be blocked) so far" in told.text
    told, state = outcome_of(state, {"do": "continue"})
    assert f"3 of {dice} dice hit (2 cannot be blocked)" in told.text
    told, _ = outcome_of(state, {"do": "roll", "faces": [6], "keep": True})
    assert f"3 of {dice} dice hit (2 cannot be blocked), 1 blocked, 2 wounds" in told.text


@pytest.mark.rule("TMG-ABL-2")
def test_an_ability_that_an_effect_gives_is_told_in_the_players_language() -> None:
    found = outcome_of(fighting(), {"do": "modify", "what": "ability", "name": "vicious"})[0]
    assert LANGUAGES[1].translate(found.text).casefold() == "grausam zählt für diesen angriff."


@pytest.mark.rule("TMG-RET-2", "TMG-RET-7")
def test_how_far_a_retreat_went_and_the_free_pivot_after_it_are_told() -> None:
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[6])

    def told(unit: str, spot: tuple[float, float, float]) -> tuple[str, list[str]]:
        before = battle.state
        table = current_table(before).moved(unit, Pose(*spot))
        battle.do("table", table=table.to_json(), units=[unit])
        log = battle.log[-1:]
        outcome = SCREEN.outcome(before, log, battle.state)
        assert outcome is not None
        lines = SCREEN.report_lines(before, log, battle.state) or ()
        return str(outcome.text), [str(one) for one in lines if one]

    way = "Stark Sworn Swords retreats 7.0″."
    assert told("b1", (24.0, 13.0, NORTH)) == (way, [way])
    stays = "Lannister Crossbowmen stays where it is."
    there, log = battle.state, battle.log
    assert told("r1", (24.0, 20 + DEEP, SOUTH)) == (stays, []), "Undo named it “positions”"
    battle.state, battle.log = there, log[:-1]
    turn = "Lannister Crossbowmen pivots by 30°."
    assert told("r1", (24.0, 20 + DEEP, SOUTH + 30)) == (turn, [turn])
