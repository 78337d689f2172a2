"""A skirmish of Westeros by taps alone, from its set-up to a rout: no command is made up."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.games.westeros.cards.catalogue import every_card
from companion.geometry.grid.grids import HexGrid
from companion.session.session import Session
from models.board import parse_cell
from models.board_table import BoardTable
from tests.play.screen_properties import ScreenGame, offered_taps

ROUNDS, MOST_TAPS = 10, 900
RED, VALOUR, MORALE = 6, 7, 8
"""Faces of a die."""
RAISE = "choice:morale:raise"
EXTRAS = ("drop", "star", "cards", "fire")
"""Offers of cards and abilities: nobody needs them here."""
Offered = dict[str, list[Mapping[str, Any]]]


class Raiders(ScreenGame):
    """Stark goes for the enemy, with kind dice; Lannister only waits for it."""

    def intent(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """Stark attacks, or comes nearer; whatever else is asked is answered somehow."""
        offered = self.offered(view)
        if "dice" in offered:
            return self.rolled(offered["dice"][0])
        if view["turn"] != "stark" and "ends" in offered:
            return {"tap": offered["ends"][0]["tap"]}
        raises = [one for one in offered.get("choices", ()) if one["name"] == RAISE]
        if raises:
            return {"tap": raises[0]["tap"]}
        attacks = [one for one in offered.get("offers", ()) if one["target"] and not one["cells"]]
        if attacks:
            return {"tap": attacks[0]["tap"]}
        cells = [cell for one in offered.get("offers", ()) for cell in one["cells"]]
        if cells and self.session.history.now.state.phase == "command":
            return {"tap": min(cells, key=self.apart)["tap"]}
        if cells and self.chance.random() < 0.5:
            return {"tap": self.chance.choice(cells)["tap"]}
        (kind,) = self.chance.choices(
            list(offered), [1 if kind == "ends" else 9 for kind in offered]
        )
        return self.filled(self.chance.choice(offered[kind]))

    def offered(self, view: Mapping[str, Any]) -> Offered:
        """What may be tapped, but for corrections and what the coach says."""
        found = {kind: list(taps) for kind, taps in offered_taps(view)}
        found["forms"] = [one for one in found["forms"] if one["look"] != "quiet"]
        found["offers"] = [one for one in found["offers"] if one["kind"] not in EXTRAS]
        usual = ("dice", "forms", "choices", "cells", "pieces", "offers", "ends")
        return {kind: found[kind] for kind in usual if found[kind]}

    def rolled(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Dice as they are wanted."""
        prompt = self.client.view().prompts[0]
        wanted: tuple[int, ...] = (RED,)
        if "stark" in prompt.seats:
            wanted = (VALOUR, MORALE, MORALE) if prompt.id == "orders" else (RED, VALOUR)
        faces = [wanted[number % len(wanted)] for number in range(record["count"])]
        return {"tap": record["tap"], "faces": faces}

    def apart(self, record: Mapping[str, Any]) -> int:
        """How far a hex is from the next enemy."""
        table = self.game.table
        assert isinstance(table, BoardTable)
        enemies = [one.cell for one in table.pieces if one.side == "lannister" and one.cell]
        cell = parse_cell(record["cell"])
        return min(HexGrid(99, 99).distance(cell, one) for one in enemies)


@pytest.mark.slow
@pytest.mark.rule("BOW-SKM-9", "BOW-MOR-7", "BOW-VIC-5")
def test_a_skirmish_is_set_up_and_won_by_a_rout_through_what_its_screens_offer(
    tmp_path: Path,
) -> None:
    card = {**every_card().skirmishes["sample-raid"].raw, "rounds": ROUNDS}
    with Session.open(tmp_path / "raid.game") as session:
        answer = session.answer({"do": "set-up", "game": "westeros", "skirmish": card, "seed": 3})
        assert answer["ok"], answer
        game = Raiders(session, random.Random("rout"))
        view = game.client.view().to_json()
        phases = []
        for _ in range(MOST_TAPS):
            phases += [session.history.now.state.phase]
            if view["winner"]:
                break
            view = game.tap(game.intent(view))
        assert list(dict.fromkeys(phases))[:4] == ["choose", "overlays", "place", "organisation"]
        assert view["winner"] == "stark"
        assert "routed" in str(session.history.now.state.how)
