"""A piece of terrain that breaks is attacked by a free attack, too."""

from __future__ import annotations

import pytest

from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.sighted import NORTH, seen, slab
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import Battle, battle_of


def beside_a_palisade() -> Battle:
    battle = battle_of("GOT")
    piece = slab(battle.game, "palisade", (22, 13.0, 26, 13.5))
    return seen(battle, {"b1": (24.0, 10.0, NORTH)}, (piece,))


@pytest.mark.rule("TMG-TER-19", "TMG-ZON-4", "OR-27")
def test_the_combat_zone_lets_a_unit_destroy_a_piece() -> None:
    battle = beside_a_palisade().do("activate", unit="bn1").do("claim", zone="combat")
    rows = [one for prompt in SCREEN.prompts(battle.state) for one in prompt.choices]
    (row,) = (one for one in rows if one.commands[0].get("piece"))
    assert row.piece == "b1"
    assert row.text == "Stark Sworn Swords: destroy the palisade"
    assert after(battle.state, *row.commands).broken == ("palisade",)


@pytest.mark.rule("TMG-TER-19", "TMG-ACT-5", "OR-27")
def test_a_free_action_lets_a_unit_destroy_a_piece() -> None:
    battle = beside_a_palisade().do("grant", unit="b1")
    found = [one for prompt in options(battle.state) for one in prompt["options"]]
    (way,) = (one for one in found if one.get("piece"))
    assert after(battle.state, way).broken == ("palisade",)
    offers = SCREEN.offers(battle.state, None, "b1")
    assert [one.verdict for one in offers if one.kind == "break"] == ["yes"]
    assert [one.kind for one in offers[:3]] == ["maneuver", "march", "break"], "seldom meant"
