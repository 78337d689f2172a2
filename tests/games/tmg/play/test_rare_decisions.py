"""Decisions that few games ask for: empty offers, declared moves of the fallen, walls, lists."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Event, Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_lists import read_list
from models import CompanionError, Terrain
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")


def set_up(*armies: dict[str, Any], **more: Any) -> dict[str, Any]:
    command = {"do": "set-up", "mode": "GOT", "armies": [*armies], "first": "blue", "ready": True}
    return {**command, "unchecked": True, **more}


# -- armies -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ARM-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_recommended_sizes_and_one_larger_are_offered_the_usual_first(year: str) -> None:
    assert list(PLAY.sizes(f"tmg-{year}")) == [40, 30, 50, 60]


@pytest.mark.rule("TMG-ARM-1")
def test_the_list_of_another_edition_begins_no_game() -> None:
    text = PLAY.write_army(read_list("stark;10201,20201", "tmg-2021", 40), "toml")
    found = PLAY.prepare("tmg-2018", set_up({"side": "blue", "list": text}, LANNISTER))
    assert isinstance(found, Refusal)
    assert (found.why, found.say) == ("INPUT", "the army of blue is for tmg-2021")


@pytest.mark.rule("TMG-ARM-1")
def test_a_list_that_is_no_text_is_refused_by_its_place() -> None:
    with pytest.raises(CompanionError, match="list: is not a text"):
        PLAY.prepare("tmg-2021", set_up({"side": "blue", "list": 5}, LANNISTER))


@pytest.mark.rule("TMG-NCU-1", "TMG-ARM-3")
def test_an_ncu_may_be_given_by_its_name_alone() -> None:
    named = {**STARK, "ncus": ["Sansa Stark, Little Bird", "Somebody"]}
    setup = PLAY.prepare("tmg-2021", set_up(named, LANNISTER))
    assert not isinstance(setup, Refusal)
    ncus = setup["players"][0]["ncus"]
    assert [(one["name"], one["cost"]) for one in ncus] == [
        ("Sansa Stark, Little Bird", 4),
        ("Somebody", 0),
    ]


@pytest.mark.rule("TMG-UNT-10", edition="2018")
@pytest.mark.parametrize(("told", "wounds"), [("1", 1), ("60", 60), ("0", None), ("61", None)])
def test_wounds_per_model_in_a_list_of_ids_go_from_1_to_60(told: str, wounds: int | None) -> None:
    game = "tmg-2018"
    text = PLAY.write_army(read_list("Faction: Stark\n• Grey Wind (0)", game, 40), "ids")
    key = text.split(";")[1].split(",")[0].split(":")[0].strip()
    if wounds is None:
        with pytest.raises(CompanionError, match=told):
            read_list(f"stark;{key}:0:{told}", game, 40)
    else:
        assert read_list(f"stark;{key}:0:{told}", game, 40).wounds == ((key, wounds),)


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("line", ["(-)", "- (***) -", "~(--)~"])
def test_a_line_of_ornaments_in_a_list_names_no_card(line: str) -> None:
    text = f"Faction: House Stark\nCombat Units:\n{line}\n• Stark Bowmen (6)\n"
    assert [one.unit for one in read_list(text, "tmg-2021", 40).units] == ["10205"]


@pytest.mark.rule("TMG-SET-1")
def test_a_set_up_needs_a_mode_and_armies_and_nothing_else() -> None:
    asked = PLAY.help("tmg-2021")[0]
    assert asked.name == "set-up"
    assert {field.name for field in asked.fields if field.required} == {"mode", "armies"}


# -- the score step ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-RND-13")
@pytest.mark.parametrize("asked", [{"drop": 1}, {"offer": 1, "vp": 2}])
def test_where_nothing_is_offered_no_offer_is_changed(asked: dict[str, int]) -> None:
    battle = Battle().deployed().finish_round().do("continue")
    assert (battle.state.step, battle.state.proposals) == ("score", ())
    battle.refused("TMG-RND-13", "score", **asked)
    battle = Battle().deployed()
    battle.refused("TMG-RND-13", "score", **asked)


# -- the fallen -------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TER-10", "TMG-UNT-11")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize("fallen", ["r2", "b1"])
def test_a_move_is_paid_for_unless_it_is_the_moves_of_the_fallen(year: str, fallen: str) -> None:
    piece = slab(f"tmg-{year}", "stakes", (20, 13, 28, 14))
    pieces = (Terrain("stakes", piece.outline, piece.keywords, piece.piece),)
    battle = seen(battle_of("GOT", year), {"b1": (24, 10, NORTH)}, pieces)
    battle.do("activate", unit="b1").do("action", action="march")
    battle.do("wounds", unit=fallen, wounds=battle.unit(fallen).wounds_left)
    assert not battle.unit(fallen).standing
    seen(battle, {"b1": (24, 15, NORTH)}, pieces)
    assert ("danger" in battle.waits()) == (fallen != "b1")


# -- castle walls -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-SOS-21")
@pytest.mark.parametrize("year", EDITIONS)
def test_no_effect_brings_a_wall_a_panic_test(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").do("activate", unit="b2")
    battle.do("action", action="charge", target="wall1", distance=6, faces=[4])
    for what in ("panic", "panic-wounds"):
        battle.refused("TMG-MODE-SOS-21", "modify", what=what, name="Fear", value=1)


@pytest.mark.rule("TMG-MODE-SOS-14", "TMG-MEL-1")
@pytest.mark.parametrize(("edge", "facing"), [(47.0, NORTH), (1.0, SOUTH)])
def test_a_wall_is_where_the_table_shows_it(edge: float, facing: float) -> None:
    """The middle one stands 6 inches before the others; nobody has said whose edge it is."""
    battle = battle_of("SOS", defender="red")
    inward = -1 if edge > 24 else 1
    places = ((8.0, edge), (24.0, edge + 6 * inward), (40.0, edge))
    shown = tuple(
        Terrain(f"w{n}", piece.outline, piece.keywords, piece.piece)
        for n, (x, y) in enumerate(places)
        for piece in (slab(battle.game, "castle-wall", (x - 6, y - 0.5, x + 6, y + 0.5)),)
    )
    others = {one.id: (4.0 + 8 * n, 24.0, NORTH) for n, one in enumerate(battle.state.units)}
    found = []
    for x, y in places:
        seen(battle, {**others, "b1": (x, y + inward * (0.5 + DEEP / 2), facing)}, shown)
        found.append(battle.unit("b1").engaged)
    assert found == [("wall1",), ("wall2",), ("wall3",)]


# -- old logs ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-1")
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("rolled", {"what": "attack", "side": "blue", "faces": [1, 2]}),
        ("attack-changed", {"what": "attack", "name": "Charm", "value": 1}),
    ],
)
def test_dice_and_effects_without_an_attack_change_nothing(kind: str, data: dict[str, Any]) -> None:
    battle = battle_of("GOT")
    assert PLAY.apply(battle.state, Event(kind, data)) == battle.state


# -- corrections ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-UNT-10", "TMG-WND-6")
def test_no_model_is_corrected_to_fewer_wounds_than_the_unit_has_taken() -> None:
    battle = battle_of("GOT").do("correct", unit="r2", wounds_per_model=2, wounds=20)
    said = battle.refused("INPUT", "correct", unit="r2", wounds_per_model=1)
    assert said == "r2 has taken more wounds than that"
    battle.do("correct", unit="r2", wounds=12).do("wounds", unit="r3", wounds=1)
    assert battle.unit("r2").wounds == 12


@pytest.mark.rule("TMG-MODE-SOS-16")
@pytest.mark.parametrize("year", EDITIONS)
def test_points_for_a_wall_go_only_with_its_fall_and_back_only_with_that(year: str) -> None:
    battle = battle_of("SOS", year, defender="red", wall_wounds=3)
    battle.do("correct", unit="wall1", wounds=3)
    assert battle.vp() == (5, 0)
    battle.do("correct", unit="wall2", wounds=1).do("correct", unit="wall2", wounds=0)
    assert battle.vp() == (5, 0)
    battle.do("correct", unit="wall1", wounds=2)
    assert battle.vp() == (0, 0)
