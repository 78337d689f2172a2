"""Whole battles: by script to their winners, random ones against invariants, broken commands."""

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
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import WesterosState, battle_position
from companion.games.westeros.rules.position import standing_problem
from companion.games.westeros.screen import SCREEN
from companion.session.protocol import converse
from companion.session.session import Session
from models import CompanionError
from tests.games.westeros.clash import CARDS

EAGER = ("attack", "hounds", "roll", "order", "card", "orders", "follow", "scorch")


def offered(state: WesterosState) -> list[dict[str, Any]]:
    """Every command that the game offers to those it asks."""
    sides = [one.side for one in PLAY.pending(state)]
    return [
        command
        for side in dict.fromkeys(sides)
        for each in PLAY.options(state, side)
        for command in each["options"]
    ]


def check_invariants(state: WesterosState) -> None:
    """What is true after every command."""
    assert standing_problem(battle_position(state)) == ""
    assert -11 <= state.morale <= 11
    for house in state.houses:
        assert min(house.tokens, house.hand, house.deck, house.discards, house.vp) >= 0
        commanders = [one for one in state.of(house.side) if one.commander]
        total = house.tokens + sum(one.tokens for one in commanders)
        assert total == state.plan.house(house.side).tokens
        assert all(one.tokens <= one.commander.most_tokens for one in commanders if one.commander)
    for unit in state.units:
        assert unit.on_field == (unit.cell is not None)
        assert unit.figures > 0 or not unit.on_field
    engaged = [one for marker in state.markers for one in (marker.one, marker.two)]
    assert len(set(engaged)) == len(engaged)  # BOW-ENG-2
    assert PLAY.pending(state) or state.winner


def set_up(kind: str, seed: int) -> dict[str, Any]:
    """The practice battle, the invented skirmish, or a melee of every kind of unit."""
    command: dict[str, Any] = {"do": "set-up", "seed": seed}
    if kind == "melee":
        return {**command, "battle": melee(seed), "cards": CARDS}
    name = {"battle": "sample-ford", "skirmish": "sample-raid"}[kind]
    return {**command, kind: name}


def melee(seed: int) -> dict[str, Any]:
    """Two crowds of units face to face among woods, fords and fires."""
    dice = random.Random(seed)
    houses = []
    for side, rows in (("stark", (3, 4)), ("lannister", (5, 6))):
        cells = [f"{column},{row}" for row in rows for column in range(1, 8)]
        units = [
            {"card": card["id"], "rank": dice.choice(("green", "blue", "red")), "cell": cell}
            for card, cell in zip(CARDS["unit"], dice.sample(cells, 9), strict=True)
        ]
        leaders = ("lord", "plunderer") if side == "stark" else ("lady", "raider")
        units[0]["commander"], units[-1]["commander"] = leaders
        numbers = {"tokens": 3, "orders": 6, "cards": 2, "rout": dice.random() < 0.5}
        houses.append({"side": side, **numbers, "units": units})
    words = ("forest", "hill", "road", "building", ["river", "ford"], ["plains", "fire-4"])
    cells = [f"{column},{row}" for column in range(9) for row in range(10)]
    ground = {cell: dice.choice(words) for cell in dice.sample(cells, 20)}
    victory = {"unit": 1, "capture": 1, "morale": [1, 2, 3], "sites": [{"cell": "4,4", "round": 1}]}
    size = {"columns": 9, "rows": 10, "rounds": 4}
    about = {"id": "melee", "name": "Melee", "victory": victory, "ground": ground}
    return {**about, **size, "house": houses}


@cache
def play_at_random(seed: int, kind: str = "battle", most: int = 3000) -> WesterosState:
    """A battle by commands that the game itself offers; every one must be accepted."""
    dice = random.Random(seed)
    prepared = PLAY.prepare("westeros", set_up(kind, seed))
    assert not isinstance(prepared, Refusal)
    state = PLAY.start("westeros", json.loads(json.dumps(prepared)))
    for count in range(most):
        if state.winner:
            return state
        commands = offered(state)
        eager = [one for one in commands if one["do"] in EAGER]
        command = dice.choice(eager if eager and dice.random() < 0.8 else commands)
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
        if count % 25 == 0:
            look_at_everything(before, found, state)
    raise AssertionError("the battle does not end")


def look_at_everything(before: WesterosState, found: Accepted, state: WesterosState) -> None:
    """Every record of the screen and the view can be made; offers keep their word."""
    json.dumps(PLAY.view(state), default=str)
    SCREEN.outcome(before, found.events, state)
    assert SCREEN.headline(state)
    SCREEN.score(state)
    assert len({one.name for one in SCREEN.pieces(state)}) == len(state.units)
    assert SCREEN.pages(state, "stark")
    asked = SCREEN.prompts(state)
    assert bool(asked) == (not state.winner)
    assert all(one.title and one.rule for one in asked)
    for unit in state.of(state.active)[:4]:
        for offer in SCREEN.offers(state, None, unit.id):
            for command in offer.commands or offer.cells[0].commands:
                legal = isinstance(PLAY.decide(state, command), Accepted)
                assert legal == (offer.verdict == "yes"), offer
    for prompt in asked:
        offered_ = [one.commands[0] for one in prompt.choices]
        for command in (*offered_, *(one.commands[0] for one in prompt.cells[:3] if one.commands)):
            assert isinstance(PLAY.decide(state, command), Accepted), command
    for piece in SCREEN.pieces(state):
        for correction in piece.corrections:
            assert isinstance(PLAY.decide(state, correction.commands[0]), Accepted), correction


@pytest.mark.parametrize(("seed", "kind"), [(0, "battle"), (1, "melee"), (2, "skirmish")])
def test_random_battles_end_with_a_winner(seed: int, kind: str) -> None:
    state = play_at_random(seed, kind)
    assert state.winner in ("stark", "lannister")
    moment = PLAY.moment(state)
    assert (moment.winner, moment.side) == (state.winner, None)
    assert GAME.report(moment.table).to_json("end")["game"] == "westeros"
    assert len(PLAY.armies(state)) == 2


# -- by script -------------------------------------------------------------------------------------


def answered(session: Session, *commands: dict[str, Any]) -> dict[str, Any]:
    """The answer to the last of these commands; all are accepted."""
    answer: dict[str, Any] = {}
    for command in commands:
        answer = session.answer(command)
        assert answer["ok"], (command, answer)
    return answer


def duel_plan(**victory: Any) -> dict[str, Any]:
    """Two units of each house, face to face."""
    houses = []
    for side, cells in (("stark", ("5,5", "6,5")), ("lannister", ("5,6", "0,10"))):
        units = [{"card": "rider", "rank": "red", "cell": cell} for cell in cells]
        numbers = {"tokens": 2, "orders": 3, "cards": 1, "rout": True}
        houses.append({"side": side, **numbers, "units": units})
    about = {"id": "duel", "name": "Duel", "columns": 11, "rows": 11, "rounds": 2}
    return {**about, "mace": "stark", "victory": victory, "house": houses}


def begun(session: Session, **victory: Any) -> dict[str, Any]:
    plan = duel_plan(**victory)
    set_up_ = {"do": "set-up", "game": "westeros", "battle": plan, "cards": CARDS, "seed": 1}
    orders = {"do": "orders", "faces": ["V", "V", "V"]}
    players = {"players": {"stark": "Ann", "lannister": "Bob"}}
    return answered(session, {**set_up_, **players}, {"do": "begin"}, orders, orders)


def strike(unit: str, target: str, faces: str) -> list[dict[str, Any]]:
    return [
        {"do": "order", "unit": unit, "tokens": ["V"]},
        {"do": "attack", "unit": unit, "target": target},
        {"do": "roll", "faces": list(faces)},
    ]


def test_a_battle_won_by_points(tmp_path: Path) -> None:
    path = tmp_path / "duel.game"
    with Session.open(path) as session:
        begun(session, unit=2)
        answer = answered(session, *strike("s1", "l1", "VVVB"), {"do": "follow"})
        assert answer["state"]["vp"] == {"stark": 2, "lannister": 0}
        assert answer["state"]["morale"] == {"side": "lannister", "field": 3, "zone": "grey"}
        undone = answered(session, {"do": "undo"}, {"do": "undo"})
        assert undone["state"]["units"]["l1"]["figures"] == 3
        answered(session, {"do": "roll", "faces": list("VVVB")}, {"do": "follow"})
        for _ in range(60):
            answer = answered(session, {"do": "state"})
            if answer["state"]["winner"]:
                break
            asked = answer["state"]["pending"][0]
            passing = [one for one in asked["options"] if one["do"] == "pass"]
            answered(session, (passing or asked["options"])[-1])
        assert (answer["state"]["winner"], answer["state"]["round"]) == ("stark", 2)
        assert answer["state"]["how"] == "more victory points"
        assert not session.answer({"do": "pass"})["ok"]
    with Session.open(path) as session:
        assert session.answer({"do": "state"})["state"]["winner"] == "stark"
        assert session.answer({"do": "undo"})["state"]["winner"] is None


def test_a_battle_won_by_rout(tmp_path: Path) -> None:
    with Session.open(tmp_path / "rout.game") as session:
        begun(session, unit=1)
        answered(session, {"do": "effect", "side": "stark", "morale": 8, "why": "Rally All"})
        answer = answered(session, *strike("s1", "l1", "VVVB"))
        assert answer["state"]["winner"] == "stark"
        assert "routed" in answer["state"]["how"]
        assert answer["state"]["morale"]["field"] == 11


RAID: list[dict[str, Any]] = [
    {"do": "set-up", "game": "westeros", "skirmish": "sample-raid", "seed": 3},
    {"do": "commanders", "side": "stark", "choose": ["s-maege", "s-rickard"]},
    {"do": "commanders", "side": "lannister", "choose": ["l-kevan"]},
    {"do": "overlay", "terrain": "building", "to": "2,8"},
    {"do": "overlay", "terrain": "building", "to": "2,2"},
]
"""A skirmish up to its overlays: the mace is Lannister's."""
PLACES = {"l1": "7,8", "s1": "7,2", "s2": "12,2", "l2": "6,7", "s3": "7,3"}
LATER = {"l3": "7,7", "s4": "6,3", "l4": "8,7", "s5": "8,3"}


@pytest.mark.rule("BOW-SKM-9", "BOW-SKM-11", "BOW-SKM-12", "BOW-SKM-13", "BOW-SKM-15", "BOW-VIC-1")
def test_a_skirmish_to_its_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Set-up at the legal distances, three rounds, hounds, a command card, a win by points."""
    path = tmp_path / "raid.game"
    with Session.open(path) as session:

        def refused(unit: str, cell: str) -> str:
            answer = session.answer({"do": "place", "unit": unit, "to": cell})
            assert not answer["ok"]
            return str(answer["why"])

        answered(session, *RAID)
        assert refused("l1", "7,7") == "BOW-SKM-12"  # the fourth row from the edge
        for unit, cell in PLACES.items():
            answer = answered(session, {"do": "place", "unit": unit, "to": cell})
        assert refused("l3", "7,6") == "BOW-SKM-13"  # the fifth row
        assert refused("l3", "7,8") == "BOW-SKM-13"  # taken
        answered(session, {"do": "undo"}, {"do": "redo"})
        for unit, cell in LATER.items():
            answer = answered(session, {"do": "place", "unit": unit, "to": cell})
        assert (answer["state"]["phase"], answer["state"]["rounds"]) == ("organisation", 3)
        orders = {"do": "orders", "faces": ["V", "V", "V"]}
        passing, keep = {"do": "pass"}, {"do": "keep", "token": "V"}
        answer = answered(
            session,
            *(orders, orders),
            *(
                {"do": "order", "unit": "l3", "tokens": ["V"]},
                {"do": "move", "unit": "l3", "to": "7,5"},
            ),
            {"do": "end-turn"},
            *(
                {"do": "order", "unit": "s4", "tokens": ["V"]},
                {"do": "hounds", "unit": "s4", "target": "l3"},
            ),
            {"do": "roll", "faces": ["V"]},
            passing,
            *(
                {"do": "order", "unit": "s3", "tokens": ["V"]},
                {"do": "move", "unit": "s3", "to": "7,4"},
            ),
            *(
                {"do": "attack", "unit": "s3", "target": "l3"},
                {"do": "roll", "faces": list("GGVB")},
            ),
            {"do": "follow"},
        )
        assert answer["state"]["units"]["l3"]["fate"] == "eliminated"
        assert answer["state"]["vp"] == {"stark": 1, "lannister": 0}
        answer = answered(session, passing, keep, keep)
        assert (answer["state"]["round"], answer["state"]["first"]) == (2, "lannister")
        card = {"do": "card", "unit": "s1", "tokens": [1], "units": ["s3"], "name": "Rally All"}
        answer = answered(session, orders, orders, passing, card, {"do": "end-turn"}, passing)
        assert answer["state"]["houses"]["stark"]["tokens"] == 2
        answer = answered(session, keep, keep, orders, orders)
        assert (
            answer["state"]["first"] == "lannister"
        )  # more tokens on the board before they return
        answer = answered(session, passing, passing)
        found = answer["state"]
        assert (found["winner"], found["how"], found["round"]) == (
            "stark",
            "more victory points",
            3,
        )
    assert main(["report", str(path)]) == 0
    told = capsys.readouterr().out
    assert "eliminates Lannisport Guards" in told
    heads = [line for line in told.splitlines() if line.startswith("### ")]
    assert len({one for one in heads if "Turn" in one}) == len([o for o in heads if "Turn" in o])
    assert (heads.count("### Regroup phase"), heads.count("### Organisation phase")) == (2, 2)
    assert main(["replay", str(path)]) == 0
    assert "plays Rally All with Maege Mormont" in capsys.readouterr().out


def test_the_commands_report_and_replay_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "duel.game"
    with Session.open(path) as session:
        begun(session, unit=1)
        answered(session, *strike("s1", "l1", "VVVB"), {"do": "follow", "to": "5,6"})
    assert main(["report", str(path)]) == 0
    report = capsys.readouterr().out
    assert "Ann (Stark)" in report
    assert "eliminates Rider 1 (Lannister)" in report
    assert main(["report", str(path), "--html", str(tmp_path / "a.html")]) == 0
    assert main(["replay", str(path)]) == 0
    assert (
        "Rider 1 (Stark) follows to the hex 1 diagonally left to the far side and 1 to the left"
        " of Rider 2 (Stark)" in capsys.readouterr().out
    )


def test_rules_check_and_map_for_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = PLAY.start("westeros", PLAY.prepare("westeros", set_up("battle", 0)))
    table = PLAY.moment(state).table
    path, moved = tmp_path / "a.table.json", tmp_path / "b.table.json"
    path.write_text(table.text(), encoding="utf-8")
    assert main(["rules", str(path), "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["pieces"].keys() == {one.id for one in table.pieces}
    reach = plain["pieces"]["s2"]["reach"]
    cell = next(iter(reach))
    column, row = cell.split(",")
    moved.write_text(table.moved("s2", (int(column), int(row))).text(), encoding="utf-8")
    assert main(["check", str(path), str(moved), "--unit", "s2", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert checked["move"] == {"answer": "yes", "why": [], "cost": reach[cell]["cost"]}
    assert main(["map", str(path), "--png", str(tmp_path / "a.png"), "--unit", "s2"]) == 0
    assert (tmp_path / "a.png").stat().st_size > 1000


# -- broken input ----------------------------------------------------------------------------------

TEXTS = ("", "s1", "3,3", "x" * 300)
ODD: list[Any] = [None, True, -1, 10**30, 1.5, *TEXTS, [], [1], ["s1"], {}, {"a": 1}]


def test_no_command_breaks_the_game() -> None:
    dice = random.Random(5)
    setup = PLAY.prepare("westeros", set_up("melee", 5))
    assert not isinstance(setup, Refusal)
    state = PLAY.start("westeros", setup)
    helped = PLAY.help("westeros")[1:]
    for count in range(900):
        known = dice.choice(helped)
        command: dict[str, Any] = {"do": known.name}
        for field in known.fields:
            if (known.name, field.name) != ("effect", "tokens") and dice.random() < 0.8:
                command[field.name] = dice.choice([*ODD, "s2", "l1", "stark", "2,1", "0,0"])
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


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({}, "give either 'battle' or 'skirmish'"),
        ({"battle": "nowhere"}, "'nowhere' is unknown"),
        ({"battle": {"id": "a"}}, "key 'house' is missing"),
        ({"battle": 7}, "7 is not a text"),
        ({"skirmish": {"side": "C"}}, "is missing"),
        ({"battle": "sample-ford", "wish": 1}, "unknown key 'wish'"),
        ({"battle": "sample-ford", "players": {"nobody": "A"}}, "unknown key 'nobody'"),
        ({"battle": "sample-ford", "readings": ["a=b"]}, "no reading 'a'"),
        ({"battle": "sample-ford", "cards": {"unit": [{"id": "x"}]}}, "key 'class' is missing"),
        ({"battle": {**duel_plan(), "rounds": 99}, "cards": CARDS}, "99 is outside 1 to 10"),
        (
            {"battle": {**duel_plan(), "ground": {"99,0": "hill"}}, "cards": CARDS},
            "not on the board",
        ),
    ],
)
def test_bad_set_ups_are_refused_in_one_line(command: dict[str, Any], message: str) -> None:
    with pytest.raises(CompanionError) as caught:
        PLAY.prepare("westeros", {"do": "set-up", **command})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_broken_lines_are_answered(tmp_path: Path) -> None:
    lines = [
        b"{",
        b'{"do": "set-up", "game": "westeros"}',
        json.dumps({**set_up("battle", 1), "game": "westeros"}).encode(),
        b'{"do": "order", "unit": "s1", "tokens": ["V"]}',
        b'{"do": "begin"}',
        b'{"do": "orders", "faces": ["X"]}',
        b'{"do": "orders", "faces": "nine"}',
        b'{"do": "fly"}',
    ]
    out = io.BytesIO()
    with Session.open(tmp_path / "a.game") as session:
        converse(session, io.BytesIO(b"\n".join(lines) + b"\n"), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["ok"] for one in answers] == [False, False, True, False, True, False, False, False]
    assert all(one.get("say") for one in answers if not one["ok"])
