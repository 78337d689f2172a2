"""The practice game: its units are those of their cards."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY, practice_game
from models import Table, catalogue


@pytest.mark.rule("TMG-WND-1", "TMG-UNT-10")
def test_practice_units_have_the_wounds_and_abilities_of_their_cards() -> None:
    table = Table.load(practice_game.TABLE)
    setup = PLAY.prepare(table.game, practice_game.set_up(table))
    assert not isinstance(setup, Refusal), setup
    state = PLAY.start(table.game, setup)
    cards = catalogue(table.game).units
    assert len(state.units) == len(table.units)
    for unit in state.units:
        known = [card for card in cards.named(unit.name) if card.tray == unit.tray]
        assert known, unit.name
        assert unit.per_model in {card.wounds_per_model for card in known}, unit.name
        assert unit.abilities in {card.abilities for card in known}, unit.name
        assert unit.cost, unit.name
        assert unit.type in {card.type for card in known}
        assert (unit.speed, unit.defense) == (
            table.unit(unit.id).speed,
            table.unit(unit.id).defense,
        )
    gregor = next(unit for unit in state.units if unit.name.startswith("Gregor"))
    outriders = next(unit for unit in state.units if unit.name == "Stark Outriders")
    assert gregor.total > 1
    assert outriders.total == 4 * outriders.per_model > 4
