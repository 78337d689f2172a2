"""Whole rounds of three players and of two teams by taps: units march, shoot, charge and fight."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from companion.engine.files.draft import Draft, set_up, staged
from companion.engine.files.game_library import about
from companion.engine.snapshot import Snapshot
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.selection import asked_now
from companion.engine.turn.turn_records import DiceView, OfferView, TurnView
from companion.games.tmg.figures.report_figure import owned_zones
from companion.games.tmg.play.army.army_builder import ready_armies
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.names import names_of
from companion.games.tmg.play.state.game_state import PAPER_CARD
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.choice_words import words
from companion.session.game_view import public_view
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay
from companion.session.report.story import build_story
from companion.session.session import Session
from models import Pose, Table
from tests.engine.turn.test_client import done

NAMES = ("Anna", "Ben", "Cleo", "Dora")
CLOSER_IN = 7.5
"""How far everybody has come towards the middle: shots and charges are in reach."""


def drafted(game: str, shape: str, players: int) -> Draft:
    """What the wizard makes: another ready army for each player, trays in their zones."""
    draft = Draft.fresh(game).played_by(shape, players)
    lists = [listed for _, listed in ready_armies(game, draft.points)]
    seats = tuple(
        replace(seat, name=name, army=read_list(listed, game, draft.points))
        for seat, name, listed in zip(draft.seats, NAMES, cycle(lists), strict=False)
    )
    return staged(replace(draft, seats=seats))


def closer(table: Table) -> Table:
    """The trays moved towards the middle, each zone as it stands."""
    for unit in table.units:
        x, y = unit.pose.x, unit.pose.y
        step = CLOSER_IN if y < table.depth / 2 else -CLOSER_IN
        table = table.moved(unit.id, replace(unit.pose, x=x, y=y + step))
    return table


@dataclass
class Players:
    """Everybody at one tablet, by taps: who can attack does, who cannot comes nearer."""

    client: Client
    chance: random.Random
    did: Counter[str] = field(default_factory=Counter)
    turns: list[str] = field(default_factory=list)

    def round(self) -> TurnView:
        view, first = self.client.view(), self.client.view().headline
        for _ in range(400):
            if view.turn and view.turn not in self.turns[-1:]:
                self.turns.append(view.turn)
            view = self.step(view)
            if view.headline.partition(" ·")[0] != first.partition(" ·")[0]:
                return view
        raise AssertionError("the round does not end")

    def step(self, view: TurnView) -> TurnView:
        """The next tap."""
        prompt = view.prompts[0]
        if prompt.dice:
            return self.tap(prompt.dice[0].tap, faces=self.faces(prompt.dice[0]))
        if view.offers and prompt.id in ("turn-start", "action"):
            return self.act(view)
        if prompt.id == "turn-start":
            return done(self.client.act({"select": prompt.pieces[0].piece}))
        choices = [one for one in prompt.choices if one.look != "folded" and one.name != "coach"]
        ends = [one for one in choices if one.name.startswith("end:")]
        gold = [one for one in choices if one.look == "primary" and not one.asks]
        stays = [one for one in choices if one.name == "stay"]  # it may be put elsewhere
        return self.tap((ends or gold or stays or choices)[-1].tap)

    def act(self, view: TurnView) -> TurnView:
        """An attack if there is one, else a march or a maneuver, else nothing."""
        offers = {one.kind: one for one in reversed(view.offers)}
        for kind in ("melee", "shot", "charge", "claim"):
            if kind in offers:
                self.did[kind] += 1
                return self.take(offers[kind])
        piece = next(iter(offers.values())).piece
        for kind, inches in (("march", 8.0), ("maneuver", 4.0), ("maneuver", 2.0)):
            if kind in offers and self.moved(view, piece, kind, inches):
                self.did[kind] += 1
                return self.client.view()
        self.did["forgo"] += 1
        return self.take(offers["forgo"])

    def moved(self, view: TurnView, piece: str, kind: str, inches: float) -> bool:
        """Drag a tray straight ahead; whether the game calls it legal and takes it."""
        x, y, heading = next(one.place for one in view.pieces if one.id == piece)
        place = Pose(x, y, heading).ahead(inches, 0.0)
        if not all(3.5 < value < 44.5 for value in place):
            return False
        asked = {"move": piece, "x": place[0], "y": place[1], "heading": heading, "as": kind}
        tried = done(self.client.act({**asked, "try": True}))
        assert tried.placing is not None
        legal = [one for one in tried.placing.choices if one.look == "primary"]
        if not legal:
            done(self.client.act({"select": piece}))
            return False
        done(self.client.act({"tap": legal[0].tap}))
        return True

    def take(self, offer: OfferView) -> TurnView:
        return self.tap(offer.tap)

    def tap(self, tap: str, **given: Any) -> TurnView:
        return done(self.client.act({"tap": tap, **given}))

    def faces(self, dice: DiceView) -> list[int]:
        return [self.chance.randint(1, dice.sides) for _ in range(dice.count)]


@pytest.mark.rule("TMG-FFA-2")
def test_whoever_gives_up_leaves_the_others_their_corners(tmp_path: Path) -> None:
    draft = drafted("tmg-2021", "ffa", 3)
    assert draft.table is not None
    with Session.open(tmp_path / "many.game") as session:
        start = ({"do": "continue"}, {"do": "deploy"})
        near = {"do": "table", "table": draft.table.to_json()}
        for command in ({**set_up(draft), "seed": 1}, *start, near):
            assert session.answer(command)["ok"]
        last = session.history.now.state.sides[-1].id
        assert session.answer({"do": "concede", "side": last})["ok"]
        state = session.history.now.state
        table = current_table(state)
        table = replace(table, units=tuple(one for one in table.units if one.side != last))
        zones, owners = owned_zones(table, ())
        assert len(zones) == 3
        assert set(owners.values()) == set(state.side_names)


@pytest.mark.slow
@pytest.mark.rule("TMG-FFA-4", "TMG-FFA-5", "TMG-TEAM-5", "TMG-TEAM-6", "TMG-CHG-5", "TMG-RNG-1")
@pytest.mark.parametrize(
    ("game", "shape", "players"),
    [("tmg-2021", "ffa", 3), ("tmg-2018", "ffa", 3), ("tmg-2021", "team", 4)],
)
def test_a_round_in_which_units_march_shoot_and_charge(
    game: str, shape: str, players: int, tmp_path: Path
) -> None:
    draft = drafted(game, shape, players)
    assert draft.table is not None
    with Session.open(tmp_path / "many.game") as session:
        start = ({"do": "continue"}, {"do": "deploy"})
        near = {"do": "table", "table": closer(draft.table).to_json()}
        for command in ({**set_up(draft), "seed": 1}, *start, near):
            answer = session.answer(command)
            assert answer["ok"], answer
        table = Players(Client(RunningGame(session, moves_trays=True)), random.Random(1))
        sides = [side.id for side in session.history.now.state.sides]
        view = table.round()
        assert table.turns[: len(sides)] == sides, "clockwise from the first player"
        assert session.history.now.state.first == sides[1], "the token passes to the left"
        shooters = {"shot"} if game == "tmg-2021" else set()  # no ready army of 2018 has any
        assert {"charge", "march", "claim", *shooters} <= set(table.did), table.did
        assert set(view.score) == set(sides)
        seats = [seat.name for seat in view.players]
        teams = ["Anna & Cleo", "Ben & Dora"]
        assert seats == (teams if shape == "team" else list(NAMES[:players]))
        replay = Replay.of(session.log.steps())
        told = " ".join(replay.lines())
        assert not re.search(r"\b[a-d][1-9]\b|\b(blue|red|green)\b", told), "names, no ids"
        assert all(name in told for name in seats)
        check_report(markdown(build_story(session.log.steps())), seats)


def check_report(report: str, seats: list[str]) -> None:
    """The report says how far, against what, who goes first, and never a side without a name."""
    assert re.search(r": march, \d\.\d″", report), "how far it went"
    assert "up to" not in report
    assert re.search(r"Panic test: [^\n]*(passed|failed) \(\d+ against \d\+\)", report)
    assert re.search(r"\d of \d+ dice hit, \d+ blocked, \d+ wounds?, \d+ → \d+", report)
    goes = "go" if " & " in seats[1] else "goes"
    assert f"Round 2: {seats[1]} {goes} first" in report
    assert not re.search(r"\b[a-d][1-9]\b|\b(blue|red|green)\b", report), "names, no ids"


def test_a_saved_game_is_called_by_the_names_of_its_armies(tmp_path: Path) -> None:
    with Session.open(tmp_path / "many.game") as session:
        assert session.answer(set_up(drafted("tmg-2021", "ffa", 3)))["ok"]
    title = about(tmp_path / "many.game").title
    assert title == "Miniatures, edition 2021 · Stark : Lannister : Night's Watch"


@pytest.mark.rule("TMG-TEAM-3")
def test_in_a_team_report_and_title_name_every_player_and_army(tmp_path: Path) -> None:
    draft = drafted("tmg-2021", "team", 4)
    assert draft.table is not None
    with Session.open(tmp_path / "team.game") as session:
        near = {"do": "table", "table": closer(draft.table).to_json()}
        begun = {**set_up(draft), "seed": 1}, {"do": "continue"}, {"do": "deploy"}, near
        for command in begun:
            assert session.answer(command)["ok"]
        state = session.history.now.state
        cleo = next(one for one in state.units if one.player == "Cleo")
        for command in ({"do": "activate", "unit": cleo.id}, {"do": "action", "action": "forgo"}):
            assert session.answer(command)["ok"]
        report = markdown(build_story(session.log.steps()))
    assert f"Cleo activates {cleo.name}" in report
    assert f"{draft.points} points for each player" in report
    title = about(tmp_path / "team.game").title
    assert title.endswith("Stark & Night's Watch : Lannister & Free Folk"), title


@pytest.mark.rule("TMG-TEAM-3", "TMG-PAN-2")
def test_in_a_team_the_one_player_whose_unit_it_is_rolls_and_decides(tmp_path: Path) -> None:
    draft = drafted("tmg-2021", "team", 4)
    with Session.open(tmp_path / "team.game") as session:
        begun = {**set_up(draft), "seed": 1}, {"do": "continue"}, {"do": "deploy"}
        for command in begun:
            assert session.answer(command)["ok"]
        state = session.history.now.state
        dora = next(one for one in state.units if one.player == "Dora")
        ncu = next(one for one in state.ncus if one.player == "Anna")
        crown = {"do": "zone-effect", "unit": dora.id}
        for command in (
            {"do": "activate", "unit": ncu.id},
            {"do": "claim", "zone": "crown"},
            crown,
        ):
            answer = session.answer(command)
            assert answer["ok"], answer
        here = session.history.now
        view = public_view(SCREEN, here)
    assert view.prompts[0].player == "Dora"
    shown = Snapshot(view=view)
    assert asked_now(shown) == ("red", "Dora", True)
    assert {one.player for one in view.pieces if one.seat == "red"} == {"Ben", "Dora"}


@pytest.mark.rule("TMG-TEAM-3")
@pytest.mark.parametrize(("shape", "players"), [("team", 4), ("ffa", 3)])
def test_badges_and_lists_of_a_team_say_whose_unit_it_is(
    shape: str, players: int, tmp_path: Path
) -> None:
    with Session.open(tmp_path / "team.game") as session:
        assert session.answer(set_up(drafted("tmg-2021", shape, players)))["ok"]
        state = session.history.now.state
    owners = {one.id: one.player for one in (*state.units, *state.ncus)}
    for view in SCREEN.pieces(state):
        told = f"({owners[view.id]})" in view.short
        assert told == (shape == "team"), view.short
    heads = [str(one.title) for page in SCREEN.pages(state) for one in page.sections]
    assert {f"Cards of {name}" for name in NAMES[:players]} <= set(heads)


@pytest.mark.rule("TMG-TEAM-3")
def test_in_a_team_every_card_is_offered_by_the_name_of_its_player(tmp_path: Path) -> None:
    with Session.open(tmp_path / "team.game") as session:
        assert session.answer(set_up(drafted("tmg-2021", "team", 4)))["ok"]
        state = session.history.now.state
    names = names_of(state)
    told = [
        str(words(state, names, {"do": "play", "player": one.id, "card": PAPER_CARD}))
        for one in state.players
    ]
    assert told == [f"{name} plays a card" for name in (one.id for one in state.players)]
    assert {one.id for one in state.players} == {*NAMES[:4]}


@pytest.mark.rule("TMG-ZON-2", "TMG-FFA-4")
def test_a_list_of_three_players_units_says_whose_each_is(tmp_path: Path) -> None:
    with Session.open(tmp_path / "three.game") as session:
        for command in (
            {**set_up(drafted("tmg-2021", "ffa", 3)), "seed": 1},
            {"do": "deploy"},
            {"do": "continue"},
        ):
            assert session.answer(command)["ok"]
        state = session.history.now.state
        ncu = next(one for one in state.ncus if one.side == state.active)
        for command in ({"do": "activate", "unit": ncu.id}, {"do": "claim", "zone": "crown"}):
            assert session.answer(command)["ok"]
        state = session.history.now.state
    (prompt,) = SCREEN.prompts(state)
    owners = {unit.id: unit.player for unit in state.units}
    rows = [one for one in prompt.choices if one.piece]
    assert len({owners[one.piece] for one in rows}) > 1
    for row in rows:
        assert str(row.detail).startswith(f"{owners[row.piece]} · "), row
