"""Whole battles: one by script to its winner, random ones against invariants, broken commands."""

from __future__ import annotations

import io
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from companion.games.api.play import Accepted, Refusal
from companion.games.tactics.game import GAME
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.state import SkirmishState, battle_position
from companion.games.tactics.rules.position import standing_problem
from companion.games.tactics.screen import SCREEN
from companion.session.protocol import converse
from companion.session.session import Session
from models import CompanionError

BLUE = """Warden of the Ford + lucky-charm
Grey Bannerman
Marsh Scout
2 Ford Guard
2 Ford Archer"""
RED = """Captain of the Riders (mounted)
Red Reaver
Thornhill Healer
3 Thornhill Axeman
Thornhill Crossbow"""


def set_up(seed: int) -> dict[str, Any]:
    """The practice battle."""
    squads = [{"player": "Ann", "list": BLUE}, {"player": "Bob", "list": RED}]
    return {"do": "set-up", "scenario": "sample-crossing", "seed": seed, "squads": squads}


def offered(state: SkirmishState) -> list[dict[str, Any]]:
    """Every command that the game offers to those it asks."""
    sides = [one.side for one in PLAY.pending(state)]
    return [
        command
        for side in dict.fromkeys(sides)
        for each in PLAY.options(state, side)
        for command in each["options"]
    ]


def check_invariants(state: SkirmishState) -> None:
    """What is true after every command."""
    assert standing_problem(battle_position(state)) == ""
    for squad in state.squads:
        assert min(squad.coins.to_json()) >= 0
        assert squad.vp >= 0
    for figure in state.figures:
        assert figure.on_board == (figure.cell is not None)
        assert (figure.fate == "captive") == bool(figure.captor)
        if figure.on_board and not state.tasks and state.attack is None:
            assert figure.wounds < figure.health
    now = state.activation
    if now is not None:
        assert 0 <= now.ap <= 2
        assert now.spent + now.free <= 3
    assert PLAY.pending(state) or state.winner


@cache
def play_at_random(seed: int, most: int = 1500) -> SkirmishState:
    """A battle by commands that the game itself offers; every one must be accepted."""
    dice = random.Random(seed)
    setup = PLAY.prepare("tactics", {**set_up(seed), "seed": seed})
    assert not isinstance(setup, Refusal)
    state = PLAY.start("tactics", setup)
    for count in range(most):
        if state.winner:
            return state
        commands = offered(state)
        eager = [one for one in commands if one["do"] in ("attack", "charge", "loot", "surge")]
        command = dice.choice(eager if eager and dice.random() < 0.7 else commands)
        found = PLAY.decide(state, command)
        assert isinstance(found, Accepted), (command, found)
        before = state
        for event in found.events:
            state = PLAY.apply(state, event)
            PLAY.title(event)
            PLAY.report_sentence(state, event)
            PLAY.dice(event)
        assert state == found.after
        check_invariants(state)
        if count % 12 == 0:
            look_at_everything(before, found, state)
    raise AssertionError("the battle does not end")


def look_at_everything(before: SkirmishState, found: Accepted, state: SkirmishState) -> None:
    """Every record of the screen and the view can be made; offers keep their word."""
    json.dumps(PLAY.view(state), default=str)
    SCREEN.outcome(before, found.events, state)
    SCREEN.headline(state)
    SCREEN.score(state)
    assert len({one.name for one in SCREEN.pieces(state)}) == len(state.figures)
    assert SCREEN.pages(state, "blue")
    asked = SCREEN.prompts(state)
    assert bool(asked) == (not state.winner)
    assert all(one.title and one.rule for one in asked)
    acting = state.acting.figure if state.acting else None
    for offer in SCREEN.offers(state, None, acting):
        commands = [*offer.commands[:1], *(one.commands[0] for one in offer.cells)]
        for command in commands:
            legal = isinstance(PLAY.decide(state, command), Accepted)
            assert legal == (offer.verdict == "yes"), (offer, command)
    sent = [one.commands[0] for prompt in asked for one in prompt.choices]
    sent += [one.commands[0] for prompt in asked for one in prompt.cells]
    for command in sent:
        assert isinstance(PLAY.decide(state, command), Accepted), command


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_battles_end_with_a_winner(seed: int) -> None:
    state = play_at_random(seed)
    assert state.winner in ("blue", "red", "draw")
    moment = PLAY.moment(state)
    assert (moment.winner, moment.side) == (state.winner, None)
    assert GAME.report(moment.table).to_json("end")["game"] == "tactics"
    assert [len(one.members) for one in PLAY.armies(state)] == [7, 7]


# -- by script -------------------------------------------------------------------------------------

ZONES = {"blue": [f"{c},0" for c in range(7)], "red": [f"{c},13" for c in range(7)]}


def scripted() -> list[dict[str, Any]]:
    """A battle in the words of its players: deployment, a fight at the ford, a concession."""
    commands: list[dict[str, Any]] = [
        {**set_up(3), "game": "tactics"},
        {"do": "roll-off", "faces": [9, 4]},
        {"do": "zone", "zone": "gold"},
        {"do": "start-marker", "side": "blue"},
        {"do": "agenda", "side": "blue"},
        {"do": "agenda", "side": "red"},
    ]
    for name, cell in zip(("b1", "b2", "b3", "b4", "b5", "b6", "b7"), ZONES["blue"], strict=True):
        commands.append({"do": "deploy", "figure": name, "to": cell})
    commands.append({"do": "deployed"})
    for name, cell in zip(
        ("r1", "r2", "r3", "r4", "r5", "r6", "r7"),
        ("0,12", "2,13", "3,13", "4,13", "5,13", "6,13", "3,12"),
        strict=True,
    ):
        commands.append({"do": "deploy", "figure": name, "to": cell})
    commands += [{"do": "deployed"}, {"do": "begin"}]
    return commands


CROSSING = Path(__file__).parent / "crossing.jsonl"
"""A battle of five rounds, one command in a line."""
OBJECTIVES = {"3,6", "1,7", "5,9"}
FAR_ZONES = {"blue": ("12", "13"), "red": ("0", "1")}
"""The rows of the opponent's deployment zone."""


def covered(figure: dict[str, Any]) -> set[str]:
    """The spaces of a figure, by its name and its first space."""
    if figure["cell"] is None:
        return set()
    column, row = map(int, figure["cell"].split(","))
    side = 2 if "(mounted)" in figure["name"] else 1
    return {f"{column + c},{row + r}" for c in range(side) for r in range(side)}


def expected_points(session: Session, last: bool, extra: dict[str, int]) -> dict[str, int]:
    """What an end phase scores, worked out from the positions alone (TAC-END-2 to -4, TAC-AGD)."""
    state = session.answer({"do": "state"})["state"]
    figures = list(state["figures"].values())
    gained = {}
    for side, foe in (("blue", "red"), ("red", "blue")):
        mine = [one for one in figures if one["side"] == side]
        theirs = [one for one in figures if one["side"] == foe]
        holders = sum(bool(covered(one) & OBJECTIVES) for one in mine)
        held, lost = (sum(one["fate"] == "captive" for one in some) for some in (theirs, mine))
        points = holders + (held > lost) + extra.get(side, 0)
        kept = session.state(side)["squads"][side]["agendas"]
        heroes = [one["fate"] in ("board", "waiting") for one in mine if one["kind"] == "hero"]
        inside = [
            one
            for one in mine
            if one["kind"] == "soldier"
            and one["cell"]
            and one["cell"].split(",")[1] in FAR_ZONES[side]
        ]
        fulfilled = {
            "A1": all(heroes),
            "A3": sum(len(covered(one) & OBJECTIVES) for one in mine)
            > sum(len(covered(one) & OBJECTIVES) for one in theirs),
            "A4": len(inside) >= 2,
            "A5": all(one["fate"] == "killed" for one in theirs if one["kind"] != "soldier"),
        }
        points += 2 * sum(fulfilled.get(card, False) for card in kept) if last else 0
        gained[side] = points
    return gained


HAPPENS = {
    "nemesis", "passed", "loot-taken", "condition", "will-tested", "granted", "ability-used",
    "attack-declared", "defence-chosen", "wounded", "healed", "killed", "captured", "unhorsed",
    "item-used", "scored", "copper-returned", "end-phase", "over",
}  # fmt: skip


@pytest.mark.rule("TAC-END-6", "TAC-END-7", "TAC-END-8", "TAC-END-9")
def test_a_whole_battle_by_script_to_its_winner(tmp_path: Path) -> None:
    path, seen = tmp_path / "ford.game", set()
    commands = [json.loads(line) for line in CROSSING.read_text("utf-8").splitlines()]
    with Session.open(path) as session:
        rounds = 0
        for command in commands:
            vp = expected = None
            if command["do"] == "end-round":
                rounds += 1
                extra = dict(command.get("scenario", ()))
                vp = session.answer({"do": "state"})["state"]["vp"]
                expected = expected_points(session, rounds == 5, extra)
            answer = session.answer(command)
            assert answer["ok"], (command, answer)
            taken = session.history.now.step
            seen |= {event.type for event in taken.events()} if taken is not None else set()
            if vp is not None and expected is not None:
                now = answer["state"]["vp"]
                assert {side: now[side] - vp[side] for side in vp} == expected, rounds
        state = answer["state"]
        assert (rounds, state["phase"]) == (5, "over")
        assert state["winner"] == max(state["vp"], key=state["vp"].get)
        assert seen >= HAPPENS
        assert not session.answer({"do": "activate", "figure": "b1"})["ok"]
    with Session.open(path) as session:
        assert session.answer({"do": "state"})["state"]["winner"] == state["winner"]
        assert session.answer({"do": "undo"})["state"]["winner"] is None


def test_the_commands_report_and_replay_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ford.game"
    with Session.open(path) as session:
        for command in scripted():
            assert session.answer(command)["ok"]
    assert main(["report", str(path)]) == 0
    report = capsys.readouterr().out
    assert "Ann (Fordwatch)" in report
    assert "Grey Bannerman" in report
    assert main(["report", str(path), "--html", str(tmp_path / "a.html")]) == 0
    assert main(["replay", str(path)]) == 0
    assert "Warden of the Ford is deployed" in capsys.readouterr().out


def test_rules_check_and_map_for_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = play_at_random(0)
    table = PLAY.moment(state).table
    path, moved = tmp_path / "a.table.json", tmp_path / "b.table.json"
    path.write_text(table.text(), encoding="utf-8")
    piece = table.pieces[0].id
    assert main(["rules", str(path), "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["pieces"].keys() == {one.id for one in table.pieces}
    reach = plain["pieces"][piece]["reach"]
    cell = next(iter(reach), None)
    if cell is not None:
        column, row = cell.split(",")
        moved.write_text(table.moved(piece, (int(column), int(row))).text(), encoding="utf-8")
        assert main(["check", str(path), str(moved), "--unit", piece, "--json"]) == 0
        checked = json.loads(capsys.readouterr().out)
        assert checked["move"] == {"answer": "yes", "why": [], "cost": reach[cell]["cost"]}
    assert main(["map", str(path), "--png", str(tmp_path / "a.png"), "--unit", piece]) == 0
    assert (tmp_path / "a.png").stat().st_size > 1000


# -- broken input ----------------------------------------------------------------------------------

TEXTS = ("", "b1", "3,3", "x" * 300)
ODD: list[Any] = [None, True, -1, 10**30, 1.5, *TEXTS, [], [1], ["b1"], {}, {"a": 1}]


def test_no_command_breaks_the_game() -> None:
    dice = random.Random(5)
    setup = PLAY.prepare("tactics", set_up(5))
    assert not isinstance(setup, Refusal)
    state = PLAY.start("tactics", setup)
    helped = PLAY.help("tactics")
    for count in range(1500):
        known = dice.choice(helped[1:])
        command: dict[str, Any] = {"do": known.name}
        for field in known.fields:
            if dice.random() < 0.8:
                command[field.name] = dice.choice([*ODD, "b2", "r1", "blue", "2,1", "0,0"])
        if dice.random() < 0.1:
            command["wish"] = 1
        try:
            found = PLAY.decide(state, command)
        except CompanionError as error:
            found = Refusal("INPUT", str(error))
        if isinstance(found, Refusal):
            assert found.why
            assert len(found.say.splitlines()) == 1
        if count % 3 == 0 and not state.winner:
            found = PLAY.decide(state, dice.choice(offered(state)))
        if isinstance(found, Accepted):
            for event in found.events:
                state = PLAY.apply(state, event)
            check_invariants(state)


def test_broken_lines_are_answered(tmp_path: Path) -> None:
    lines = [
        b"{",
        b"[]",
        b'{"do": "set-up", "game": "tactics"}',
        b'{"do": "set-up", "game": "tactics", "scenario": 7, "squads": []}',
        json.dumps({**set_up(1), "game": "tactics"}).encode(),
        b'{"do": "activate", "figure": "b1"}',
        b'{"do": "roll-off", "faces": [11, 2]}',
        b'{"do": "roll-off", "faces": "nine"}',
        b'{"do": "fly"}',
    ]
    out = io.BytesIO()
    with Session.open(tmp_path / "a.game") as session:
        converse(session, io.BytesIO(b"\n".join(lines) + b"\n"), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["ok"] for one in answers] == [False] * 4 + [True] + [False] * 4
    assert all(one.get("say") for one in answers if not one["ok"])
