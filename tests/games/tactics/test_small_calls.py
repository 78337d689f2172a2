"""Single calls of Tactics that a second referee found wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import FOE_HERO, HERO, RIDER, SOLDIER, Skirmish, card

rule = pytest.mark.rule


def refused(game: Skirmish, **command: Any) -> bool:
    return isinstance(PLAY.decide(game.state, command), Refusal)


@rule("TAC-ABL-3", "TAC-ABL-4", "TAC-CHG-7")
def test_a_movement_ability_of_words_alone_is_announced_with_a_move_or_a_charge() -> None:
    shield = {"name": "Shield up", "kind": "movement", "price": [0, 0, 1], "text": "a shield"}
    game = Skirmish([(card("Bearer", abilities=[shield]), "3,3")], [(SOLDIER, "3,6")])
    game.do("activate", figure="b1")
    sent = [
        dict(command)
        for offer in SCREEN.offers(game.state, None, "b1")
        for cell in offer.cells
        for command in cell.commands
        if command.get("ability") == "Shield up"
    ]
    assert {one["do"] for one in sent} == {"move", "charge"}
    assert not any(refused(game, **one) for one in sent)


@rule("TAC-TER-8")
def test_a_door_stays_open_while_a_large_figure_stands_in_it() -> None:
    doorway = [{"between": ["2,4", "3,4"], "kind": "door", "open": True}]
    game = Skirmish([(RIDER, "2,4"), (SOLDIER, "2,3")], [(SOLDIER, "8,8")], edges=doorway)
    game.do("activate", figure="b2")
    assert refused(game, do="door", edge=["2,4", "3,4"], do_what="close")
    assert not [
        one for one in SCREEN.offers(game.state, None, "b2") if one.possible and one.kind == "lock"
    ]


@rule("TAC-RND-9", "TAC-RND-10")
def test_who_gets_no_answer_may_pass_again() -> None:
    foes = [(SOLDIER, "8,8"), (SOLDIER, "7,8"), (SOLDIER, "6,8")]
    game = Skirmish([(SOLDIER, "1,1")], foes).do("coins", side="red", copper=-18)
    assert game.do("pass").state.active == "blue"
    assert {"do": "pass"} in game.commands()
    fair = Skirmish([(SOLDIER, "1,1")], foes).do("pass")
    assert {"do": "pass"} not in fair.commands()


@rule("TAC-TER-1", "TAC-TER-13")
def test_a_card_lays_terrain_and_takes_it_away_and_high_ground_stays_high() -> None:
    ground = {"3,4": ["open-o", "high"]}
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], ground=ground)
    for text, cell, left in (("lays", "3,4", "blocked-x"), ("takes", "3,4", "open-o")):
        piece = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
        (form,) = [one for one in piece.forms if text in str(one.text)]
        for key, _ in form.entries[0].options:
            given = {one.field: one.options[0][0] for one in form.entries[1:]}
            assert not refused(game, **form.command, **given, cell=key)
        game.do(word="terrain", ground=left, cell=cell)
        assert game.state.board.ground[3, 4] == (left, "high")


@rule("TAC-GEN-4", "TAC-GEN-5")
def test_sides_that_begin_alike_have_figures_of_their_own() -> None:
    scenario = {"id": "s", "name": "S", "rounds": 2, "coins": [3, 6, 18], "size": [9, 9]}
    zones = {"gold": ["0,0", "1,0"], "silver": ["0,8", "1,8"]}
    squads = [
        {"side": side, "figures": [one["id"]]}
        for side, one in (("blue", HERO), ("black", FOE_HERO))
    ]
    command: dict[str, Any] = {
        "do": "set-up",
        "scenario": {**scenario, "zones": zones},
        "squads": squads,
    }
    command |= {"cards": [HERO, FOE_HERO], "unchecked": True}
    setup = PLAY.prepare("tactics", command)
    assert not isinstance(setup, Refusal)
    assert [one["figures"][0]["id"] for one in setup["squads"]] == ["a1", "b1"]


@rule("TAC-EQP-6", "TAC-CAP-1")
def test_a_capture_that_the_vial_may_prevent_is_told() -> None:
    game = Skirmish([(HERO, "3,3")], [(FOE_HERO, "3,4")], equipment={"r1": "vial-of-poison"})
    game.do("wound", figure="r1", wounds=3).do("activate", figure="b1").do("attack", target="r1")
    game.do("roll", faces=[9, 9]).do("roll", faces=[1, 1]).do("fate", choose="capture")
    assert game.waits() == "poison"
    assert "is to be captured" in str(game.titles[-1])
