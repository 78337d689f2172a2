"""Positions of the miniatures game in which one action is plainly better, for every level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.balance import begun
from companion.engine.rival_turn import PROMPT, RivalMove, best_move
from companion.engine.snapshot import Snapshot
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, TrayEnd
from companion.games.api.rival import LEVELS, TEMPERS, LineText, RivalSeat
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.positions import entry
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.table_facts import current_table, survey
from companion.games.tmg.rival import RIVAL
from companion.games.tmg.rival_ends import Aim, roomy
from companion.games.tmg.rival_facts import attack_facts, effect_facts
from companion.games.tmg.rival_value import Attacks, exposure, likely
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.due_moves import due_moves
from companion.session.fold import Position
from companion.session.game_view import GameView
from companion.session.rivals import Rivals
from companion.session.session import Session
from models import Pose
from tests.rival.announced import check
from tests.rival.battles import battle
from tests.rival.test_miniatures import do, practice, thoughtful

TOUCHING_IN = 4.8 / 2 + 5.5 / 2
"""Between the middles of two trays of infantry, the front of one at the flank of the other."""


def standing(*poses: tuple[str, float, float, float]) -> GameState:
    """The practice game with its few units there; those that touch fight."""
    state = practice()
    table = current_table(state)
    for name, x, y, heading in poses:
        table = table.moved(name, Pose(x, y, heading))
    tokens = tuple(replace(one, holder="") for one in state.tokens)
    return replace(state, table=table.text(), tokens=tokens)


def fighting(state: GameState, one: str, other: str) -> GameState:
    for name, foe in ((one, other), (other, one)):
        state = state.with_unit(replace(state.unit(name), engaged=(foe,)))
    return state


def flanked(x: float = 20.0, y: float = 24.0) -> GameState:
    """Sworn Swords with Mountain's Men at their right flank; the others far away."""
    state = standing(
        ("b1", x, y, 90.0),
        ("r3", x + TOUCHING_IN, y, 180.0),
        ("b2", 42.0, 4.0, 90.0),
        ("r2", 5.0, 44.0, 270.0),
    )
    return fighting(state, "b1", "r3")


def best(state: GameState, level: str) -> list[dict[str, object]]:
    return [dict(one) for one in thoughtful("blue", level).ranked(state)[0].commands]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["captain", "commander"])
def test_a_unit_in_melee_attacks_and_turns_its_front_first(level: str) -> None:
    """TMG-MEL-3: with two wounds and more to expect it never holds its ground."""
    state = do(flanked(), {"do": "activate", "unit": "b1"})
    odds = Attacks.of(state).odds("b1", "r3", "melee")
    assert odds is not None
    assert odds[1].mean > 2
    lines = list(RIVAL.lines(state, "blue"))
    assert all(one.commands[-1]["action"] != "forgo" for one in lines)
    (attack,) = best(state, level)
    assert (attack["action"], attack["turned"]) == ("attack", True)
    state = do(state, attack)
    (turn,) = due_moves(state)
    headings = {end.poses[0][1].heading for end in turn.ends}
    assert headings == {0.0}, "players see where it may stand"
    state = do(state, *thoughtful("blue", level).ranked(state)[0].commands)
    assert current_table(state).unit("b1").pose.heading == pytest.approx(0.0, abs=0.1)
    assert not due_moves(state)


def test_holding_is_thought_of_where_an_attack_costs_wounds() -> None:
    """TMG-TER-9: on dangerous ground."""
    state = do(flanked(20.0, 34.5), {"do": "activate", "unit": "b1"})
    assert [one for one in RIVAL.lines(state, "blue") if one.commands[-1]["action"] == "forgo"]


@pytest.mark.parametrize("level", [one.id for one in LEVELS])
def test_a_sure_charge_into_a_flank_beats_holding(level: str) -> None:
    """TMG-BON-3: five inches from the flank of an enemy that holds no objective. A way to the
    objective may be worth as much."""
    state = standing(
        ("b1", 8.0, 10.0, 0.0),
        ("r3", 18.5, 10.0, 90.0),
        ("b2", 42.0, 4.0, 90.0),
        ("r2", 42.0, 44.0, 270.0),
    )
    state = do(state, {"do": "activate", "unit": "b1"})
    attacks = Attacks.of(state)
    assert attacks.chance("b1", "r3", "charge") == 1.0
    ranked = [one.commands[0]["action"] for one in thoughtful("blue", level).ranked(state)]
    before = ranked.index("charge"), ranked.index("forgo") if "forgo" in ranked else len(ranked)
    assert before[0] < before[1]


def advised(state: GameState) -> GameState:
    """The same with an NCU of blue, which is activated."""
    full = begun("tmg-2021", 1, SCREEN.practice("tmg-2021"))
    ncu = next(one for one in full.ncus if one.side == "blue")
    state = state.with_unit(replace(state.unit("b1"), activated=True))
    return do(replace(state, ncus=(ncu,)), {"do": "activate", "unit": ncu.id})


def test_a_zone_is_announced_with_its_effect() -> None:
    """TMG-ZON-2..6: what an NCU takes a zone for is said with it, and then done."""
    state = advised(flanked())
    lines = list(RIVAL.lines(state, "blue"))
    assert [one.commands[0]["do"] for one in lines] == ["claim"] * len(lines)
    assert {one.commands[0]["zone"] for one in lines} == set(ZONES)
    for line in lines:
        claim, effect, *_ = line.commands
        told = RIVAL.told(state, line.commands)
        check(RIVAL, state, line.commands, told)
        assert told.piece == effect.get("unit", state.acting.unit if state.acting else "")
        assert "takes the zone" in told.text
        assert RIVAL.pause(line.commands) == 1
        assert claim["do"] == "claim"
    combat = next(one for one in lines if one.commands[0]["zone"] == "combat")
    told = RIVAL.told(state, combat.commands)
    assert (told.piece, told.target) == ("b1", "r3")
    assert told.text.endswith("Stark Sworn Swords attacks House Clegane Mountain's Men.")


def test_an_ncu_goes_to_a_quadrant_where_that_brings_it_under_control() -> None:
    """TMG-MODE-HWS-6, -7: its points are added there, and a quadrant is worth a point a round."""
    state = replace(advised(flanked()), mode="HWS")
    ncu = state.acting.unit if state.acting else ""
    lines = [one for one in RIVAL.lines(state, "blue") if "quadrant" in one.commands[0]]
    assert len(lines) == 4
    told = RIVAL.told(state, lines[0].commands)
    assert (told.piece, told.text.count("quadrant")) == (ncu, 1)
    strong = replace(state, ncus=(replace(state.ncus[0], cost=9),))
    gains = [
        RIVAL.worth(do(one, lines[-1].commands[0]), "blue", TEMPERS[0]) for one in (state, strong)
    ]
    assert gains[1] > gains[0] + 0.9, "5 points and more than the enemy"


def test_what_it_announced_it_does_after_a_reaction() -> None:
    """The player reacts between a zone and its effect: the rest follows, or it says that it can
    no longer be done."""
    state, seat = advised(flanked()), RivalSeat("blue", "apprentice")
    lines = list(RIVAL.lines(state, "blue"))
    told = next(one.commands for one in lines if one.commands[0]["zone"] == "combat")
    start = Position(1, game="tmg-2021", play=PLAY, state=state, below=Position())
    start.memo[PROMPT] = RivalMove(seat, told, pause=RIVAL.pause(told))
    after = do(state, told[0])
    here = replace(start, seq=2, state=after, below=start)
    move = best_move(here, seat)
    assert move is not None
    assert move.commands == told[1:]
    assert not any("no longer" in one.text for one in move.facts)
    gone = after.with_unit(replace(after.unit("r3"), wounds=12, place="destroyed"))
    other = best_move(
        replace(here, state=gone.with_unit(replace(gone.unit("b1"), engaged=()))), seat
    )
    assert other is not None
    assert other.commands != told[1:]
    assert "no longer" in other.facts[0].text
    fresh = best_move(replace(here, rivals=Rivals(without=(told[1:],))), seat)
    assert fresh is not None
    assert fresh.commands != told[1:]


def test_a_free_attack_is_worth_more_than_cards_that_it_cannot_play() -> None:
    """TMG-ZON-3, -5: Combat while a unit of its side fights, instead of Tactics."""
    lines = list(RIVAL.lines(advised(flanked()), "blue"))
    guesses = {str(one.commands[0]["zone"]): one.guess for one in reversed(lines)}
    assert guesses["combat"] > guesses["tactics"]
    state = flanked()
    state = advised(state.with_unit(replace(state.unit("b1"), engaged=(), attacks=())))
    combat = [one for one in RIVAL.lines(state, "blue") if one.commands[0]["zone"] == "combat"]
    assert [one.commands[1] for one in combat] == [{"do": "zone-effect", "skip": True}]


def test_a_condition_counts_where_it_is_felt() -> None:
    """TMG-CON-6, -7: on an enemy that fights now, not on one far away."""
    state = flanked()

    def with_token(name: str, token: str) -> float:
        marked = state.with_unit(replace(state.unit(name), tokens=(token,)))
        return RIVAL.worth(marked, "blue", TEMPERS[0])

    for token in ("weakened", "vulnerable"):
        assert (
            with_token("r3", token)
            > with_token("r2", token)
            > RIVAL.worth(state, "blue", TEMPERS[0])
        )


def test_a_token_rerolls_the_enemys_hits_alone() -> None:
    """TMG-CON-7: any of the dice; those that missed stay."""
    state = flanked()
    state = state.with_unit(replace(state.unit("b1"), tokens=("weakened",)))
    attack = {"do": "action", "action": "attack", "target": "r3", "ranged": False, "turned": False}
    state = do(state, {"do": "activate", "unit": "b1"}, attack)
    dice = PLAY.pending(state)[0].data["dice"]
    state = do(state, {"do": "roll", "faces": [1, 6, *[1] * (dice - 3), 6]})
    (reroll,) = [one for one in RIVAL.lines(state, "red") if one.commands[0]["do"] == "reroll"]
    assert reroll.commands[0]["places"] == [1, dice - 1]


def test_the_holder_of_an_objective_is_worth_more_to_hit() -> None:
    """TMG-OBJ-1: the objective falls with its unit."""
    state = flanked()
    before = Attacks.of(state).promised("b1", "r3", "melee")
    held = state.with_token(replace(state.tokens[0], holder="r3"))
    assert Attacks.of(held).promised("b1", "r3", "melee") > before


# -- why -------------------------------------------------------------------------------------------


def reasons(state: GameState, *commands: Plain) -> list[str]:
    return [str(one.text) for one in RIVAL.facts(state, commands)]


def test_three_facts_tell_what_a_move_is_after_what_may_happen_and_how_it_goes() -> None:
    state = do(
        standing(
            ("b1", 24.0, 8.0, 90.0),
            ("r3", 24.0, 40.0, 270.0),
            ("b2", 42.0, 4.0, 90.0),
            ("r2", 5.0, 44.0, 270.0),
        ),
        {"do": "activate", "unit": "b1"},
    )
    maneuver = {"do": "action", "action": "maneuver"}
    end = TrayEnd("", (("b1", Pose(24.0, 12.0, 130.0)),)).command(current_table(state))
    assert reasons(state, maneuver, end) == [
        "4″ nearer to the centre objective",
        "No enemy can charge it there",
        "4.0″ ahead, turned by 40° to its left",
    ]
    aside = TrayEnd("", (("b1", Pose(27.0, 10.0, 86.0)),)).command(current_table(state))
    way = "2.0″ ahead, 3.0″ to its right, turned by 4° to its right"
    assert reasons(state, maneuver, aside)[-1] == way, "a hand finds the place with a ruler"
    keeps = state.with_token(replace(state.tokens[1], holder="b1"))
    there = TrayEnd("", (("b1", Pose(6.0, 18.0, 90.0)),)).command(current_table(state))
    assert reasons(state, maneuver, there)[0] == "It claims the near left objective"
    assert reasons(keeps, maneuver, there)[0] == "It keeps the near left objective"


def test_a_retreat_and_a_zone_say_why() -> None:
    """TMG-ZON-3: who may attack whom, and what that promises."""
    state = flanked()
    retreat = {"do": "action", "action": "retreat"}
    (why,) = reasons(do(state, {"do": "activate", "unit": "b1"}), retreat)
    assert why.startswith("House Clegane Mountain's Men: ")
    assert not list(effect_facts(state, "wealth", "b1", "")), "nobody is wounded"
    (crown,) = effect_facts(state, "crown", "r3", "")
    assert str(crown.text).endswith("wounds on average")


def test_an_answer_names_no_unit() -> None:
    """So that dice that lie are shown as they are, with what they gave."""
    state = do(flanked(), {"do": "activate", "unit": "b1"})
    assert RIVAL.told(state, ({"do": "continue"},)).piece == ""


def test_no_tray_is_put_into_a_gap_for_which_a_hand_is_too_large() -> None:
    """A quarter of an inch beside a friend; and the front is worth more than the last inch."""
    state = standing(("b1", 24.0, 24.0, 90.0), ("b2", 35.0, 24.0, 90.0))
    field = survey(state).battlefield
    beside = 35.0 - 5.5
    assert not roomy(field, "b1", Pose(beside - 0.1, 24.0, 90.0))
    assert roomy(field, "b1", Pose(beside - 0.3, 24.0, 90.0))
    foe = Aim(24.0, 40.0)
    assert exposure(Pose(24.0, 20.0, 90.0), foe) < exposure(Pose(24.0, 26.0, 0.0), foe)


def test_a_token_says_whom_it_helps() -> None:
    state = flanked()
    (vulnerable,) = effect_facts(state, "tactics", "r3", "vulnerable")
    assert str(vulnerable.text).startswith("Stark Sworn Swords may attack House Clegane")
    (weakened,) = effect_facts(state, "tactics", "r3", "weakened")
    assert str(weakened.text).startswith("House Clegane Mountain's Men may attack Stark")


def test_a_shot_is_told_as_a_shot() -> None:
    """Where it could charge the same enemy, nothing is said of a charge (TMG-RNG-1)."""
    state = do(practice(), {"do": "activate", "unit": "b2"})
    shoot = {"do": "action", "action": "attack", "target": "r3", "ranged": True}
    charge = {"do": "action", "action": "charge", "target": "r3"}
    assert reasons(state, charge)[0] == "The charge arrives"
    assert "wounds on average" in reasons(state, shoot)[0]


def test_a_free_pivot_in_the_turn_of_others_does_not_end_it() -> None:
    """TMG-RND-7, TMG-RET-7: whose turn it is ends it; the card says that the tray only turns."""
    state = do(practice(), {"do": "activate", "unit": "b1"}, {"do": "action", "action": "forgo"})
    assert [one.what for one in PLAY.pending(state)] == ["end-of-turn"]
    assert RIVAL.closing(state, "blue") == ({"do": "end-turn"},)
    assert RIVAL.closing(state, "red") == ()
    here = current_table(state).unit("r2").pose
    turn = TrayEnd("", (("r2", here.turned(180.0)),)).command(current_table(state))
    assert str(RIVAL.told(state, (turn,)).text).endswith("turn its tray where it stands.")


# -- what its trays may do beside their actions ----------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("TMG-MEL-5")
@pytest.mark.parametrize("level", ["captain", "commander"])
def test_a_unit_shifts_along_its_enemy_onto_an_objective(level: str) -> None:
    """The shift comes before the dice of the attack; where it gains nothing the tray stays."""
    state = standing(
        ("b1", 8.9, 18.0, 90.0),
        ("r3", 6.9, 22.8, 270.0),
        ("b2", 42.0, 4.0, 90.0),
        ("r2", 5.0, 44.0, 270.0),
    )
    state = do(fighting(state, "b1", "r3"), {"do": "activate", "unit": "b1"})
    attack, table = best(state, level)
    assert (attack["action"], table["units"]) == ("attack", ["b1"])
    told = RIVAL.told(state, (attack, table))
    assert "shifts first" in told.text
    after = do(state, attack, table)
    assert current_table(after).unit("b1").pose.x == pytest.approx(6.9)
    assert not due_moves(after)
    stays = do(fighting(flush(), "b1", "r3"), {"do": "activate", "unit": "b1"})
    (attack,) = best(stays, level)
    assert attack["action"] == "attack"


def flush(shooter: tuple[float, float, float] = (42.0, 4.0, 90.0)) -> GameState:
    """Two units front to front, aligned, on no objective."""
    return standing(
        ("b1", 24.0, 10.0, 90.0),
        ("r3", 24.0, 14.8, 270.0),
        ("b2", *shooter),
        ("r2", 5.0, 44.0, 270.0),
    )


@pytest.mark.rule("TMG-SIM-2")
def test_a_shot_into_a_melee_counts_the_tests_of_its_friends() -> None:
    apart = flush(shooter=(34.0, 16.0, 180.0))
    state = fighting(apart, "b1", "r3")
    promised = [Attacks.of(one).promised("b2", "r3", "shot") for one in (apart, state)]
    assert 0 < promised[1] < promised[0]
    told = [one.text for one in attack_facts(state, LineText("", "b2", "r3"), "shot")]
    assert "Stark Sworn Swords must test panic afterwards" in told


@pytest.mark.rule("TMG-MODE-COK-7", "TMG-MODE-COK-8")
def test_a_unit_that_returns_is_put_down_where_it_may() -> None:
    state = begun("tmg-2021", 4, battle("tmg-2021", 4, "COK", 30))
    while state.round < 1:
        side = next(iter(RIVAL.waits(state)), "blue")
        line = next(iter(RIVAL.lines(state, side)), None)
        state = do(state, *(line.commands if line else PLAY.options(state)[0]["options"][:1]))
    fallen = replace(state.unit("b1"), place="destroyed")
    state = replace(state.with_unit(fallen), round=2, step="redeploy", done=())
    state = do(state, {"do": "redeploy", "unit": "b1"})
    assert RIVAL.waits(state)[0] == "blue"
    line = next(iter(RIVAL.lines(state, "blue")))
    assert str(RIVAL.told(state, line.commands).text).endswith("comes in: put its tray down here.")
    state = do(state, *line.commands)
    answer = entry(state, table_of(state.table), "b1")
    assert answer is not None
    assert answer.verdict == "yes"
    assert not due_moves(state)


@pytest.mark.rule("TMG-MEL-5", "TMG-RNG-5")
@pytest.mark.parametrize(("rivals", "asked"), [((), ("b1", "r3")), (("red",), ("b1",))])
def test_nobody_is_asked_for_the_shift_of_a_rival(
    rivals: tuple[str, ...], asked: tuple[str, ...]
) -> None:
    """Its attack dice are rolled by a player; whether its tray shifts it has decided before."""
    state = flush()
    due = tuple(ActionOffer("align", "", (), one, moves=True) for one in ("b1", "r3"))
    pieces = tuple(SCREEN.pieces(state))
    view = GameView(pieces=pieces, due=due, rivals=rivals)
    shown = Snapshot(table=current_table(state), view=view)
    assert tuple(one.piece for one in shown.due) == asked


def test_a_rival_deploys_with_a_table(tmp_path: Path) -> None:
    """TMG-DEP-3: it says where each of its units goes while the others are not on the table yet."""
    with Session.open(tmp_path / "deploying.game") as session:
        (set_up,) = battle("tmg-2021", 3, points=30)
        assert session.answer({**set_up, "rivals": [{"seat": "red", "level": "captain"}]})["ok"]
        client = Client(RunningGame(session))
        assert session.answer({"do": "continue"})["ok"]
        if client.view().prompts[0].id != PROMPT:
            assert session.answer({"do": "deploy", "unit": "b1"})["ok"]
        prompt = client.view().prompts[0]
        assert prompt.id == PROMPT
        assert str(prompt.text).endswith("deploy here.")
        assert len(prompt.ends) == 1, "its place is drawn before its tray lies there"


def test_who_goes_first_next_round_is_feared_more() -> None:
    """TMG-RND-2: a unit that has acted may charge before the enemy only if its side goes first."""
    state = practice()
    spent = replace(state.unit("b1"), activated=True)
    shares = [likely(replace(state, first=first), spent) for first in ("red", "blue")]
    assert shares[0] > shares[1] > 0
    assert likely(state, replace(spent, activated=False)) > shares[0]
