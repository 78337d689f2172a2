"""Terrain in play: hazards on the way, doors, loot, forced moves, terrain charges."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.moves.cell_moves import cell_verdict
from companion.engine.snapshot import Snapshot
from companion.games.api.play import Refusal
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.state import battle_position, current_table
from companion.games.tactics.rules.places import place
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import HERO, RIDER, SOLDIER, Skirmish, card

rule = pytest.mark.rule
EMPTY = ["......."] * 7


def tile(rows: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "tile", "name": "Tile", "rows": rows or EMPTY, **more}


def on_tile(
    blue: dict[str, Any], cell: str, red: str = "6,6", activate: bool = True, **more: Any
) -> Skirmish:
    """One blue figure on a tile, a red soldier far away."""
    options = {"size": (7, 7), "readings": more.pop("readings", ())}
    scenario = {key: more.pop(key) for key in ("loot", "objectives", "equipment") if key in more}
    ground = tile(more.pop("rows", None), **more)
    game = Skirmish([(blue, cell)], [(SOLDIER, red)], tiles=(ground,), **options, **scenario)
    return game.do("activate", figure="b1") if activate else game


@rule("TAC-MOV-9", "TAC-TER-17", "TAC-TER-5", "TAC-SPC-5")
def test_fire_wounds_in_the_middle_of_a_move() -> None:
    marks = {"1,0": "fire", "1,1": "fire"}
    game = on_tile(SOLDIER, "0,0", rows=[*EMPTY[:5], "..#....", "......."], marks=marks)
    game.do("move", to="2,0", path=["0,0", "1,0", "2,0"])
    assert game.figure("b1").wounds == 1
    other = on_tile(SOLDIER, "0,1", marks=marks).do("move", to="1,1")
    assert other.figure("b1").wounds == 1


@rule("TAC-MOV-11", "TAC-MOV-12", "TAC-MOV-13", "TAC-V-19")
def test_a_diagonal_step_enters_one_flank() -> None:
    rows = [*EMPTY[:5], "#......", "......."]
    game = on_tile(SOLDIER, "0,0", rows=rows, marks={"1,0": "fire"})
    game.do("move", to="1,1", flanks=["0,1"])
    assert game.figure("b1").wounds == 1
    free = on_tile(SOLDIER, "0,0", marks={"1,0": "fire"}).do("move", to="1,1")
    assert free.figure("b1").wounds == 0
    chosen = on_tile(SOLDIER, "0,0", marks={"1,0": "fire"}).do("move", to="1,1", flanks=["1,0"])
    assert chosen.figure("b1").wounds == 1


@rule("TAC-MOV-12")
def test_between_two_flanks_that_harm_the_player_chooses() -> None:
    marks = {"1,0": "fire", "0,1": "stake-pit"}
    for flank, wounds, waits in (("1,0", 1, "act"), ("0,1", 0, "hazard-roll")):
        game = on_tile(SOLDIER, "0,0", marks=marks)
        offered = SCREEN.offers(game.state, None, "b1")
        move = next(one for one in offered if one.kind == "maneuver")  # others go other ways
        told = str(next(one.detail for one in move.cells if one.cell == (1, 1)))
        assert told == "1 space, through fire: 1 wound / through a stake pit: 1 hit"
        assert game.do("move", to="1,1").waits() == "flank"
        (prompt,) = SCREEN.prompts(game.state)
        assert [(str(one.text), str(one.detail)) for one in prompt.choices] == [
            ("Through the fire", "through fire: 1 wound"),
            ("Through the stake pit", "through a stake pit: 1 hit"),
        ]
        assert [one.cell for one in prompt.cells] == [(1, 0), (0, 1)]
        assert game.refused("flank", to="1,1") == "TAC-MOV-12"
        assert game.do("flank", to=flank).waits() == waits
        assert game.figure("b1").wounds == wounds
        named = on_tile(SOLDIER, "0,0", marks=marks).do("move", to="1,1", flanks=[flank])
        assert named.waits() == waits


@rule("TAC-MOV-12", "TAC-CHG-5")
def test_a_charge_strikes_after_its_flank_is_chosen() -> None:
    marks = {"1,0": "fire", "0,1": "stake-pit"}
    game = on_tile(SOLDIER, "0,0", red="2,2", marks=marks)
    game.do("charge", target="r1", to="1,1")
    assert game.waits() == "flank"
    assert game.do("flank", to="0,1").waits() == "hazard-roll"
    assert game.do("roll", faces=[10]).waits() == "charge-attack"
    assert game.do("strike").waits() == "attack-roll"


@rule("TAC-MOV-9", "TAC-MOV-12")
def test_a_figure_walks_round_what_harms_it_unless_its_player_says_otherwise() -> None:
    fire = {"1,1": "fire"}
    assert on_tile(SOLDIER, "0,0", marks=fire).do("move", to="2,2").figure("b1").wounds == 0
    into = on_tile(SOLDIER, "0,0", marks=fire).do("move", to="1,1")
    assert into.figure("b1").wounds == 1
    through = on_tile(SOLDIER, "0,0", marks=fire)
    through.do("move", to="2,2", path=["0,0", "1,1", "2,2"])
    assert through.figure("b1").wounds == 1
    # The only way of three spaces leads through it.
    far = on_tile(SOLDIER, "0,0", marks={"2,2": "fire"}).do("move", to="3,3")
    assert far.figure("b1").wounds == 1


@rule("TAC-MOV-16", "TAC-MOV-18", "TAC-MOV-21")
def test_a_large_figure_leads_with_the_space_that_meets_no_fire() -> None:
    game = on_tile(RIDER, "0,0", marks={"2,0": "fire"}).do("move", to="1,0")
    assert game.figure("b1").wounds == 0  # its upper row leads
    turned = on_tile(RIDER, "0,0")
    turned.do("move", to="1,0", path=["1,1", "2,1"])  # any space of the block may have led
    assert turned.figure("b1").cell == (1, 0)


@rule("TAC-MOV-12")
def test_spaces_behind_a_fire_say_what_they_cost() -> None:
    game = on_tile(SOLDIER, "0,0", marks={"2,2": "fire"})
    (move,) = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver"]
    marks = {one.cell: (one.mark, str(one.detail)) for one in move.cells}
    assert marks[3, 3] == ("danger", "3 spaces, through fire: 1 wound")
    assert marks[3, 2] == ("", "3 spaces")


@rule("TAC-MOV-21", "TAC-V-22", "TAC-TER-17")
def test_only_the_leading_space_meets_terrain() -> None:
    marks = {"2,0": "river", "2,1": "fire", "3,1": "fire"}
    game = on_tile(RIDER, "0,0", marks=marks).do("move", to="2,0", path=["1,0", "2,0"])
    assert game.figure("b1").wounds == 0
    assert "river" in game.answer["reminders"][0]


@rule("TAC-TER-16")
def test_a_stake_pit_hits() -> None:
    game = on_tile(SOLDIER, "0,0", marks={"1,0": "stake-pit"}).do("move", to="1,0")
    assert game.waits() == "hazard-roll"
    assert game.do("roll", faces=[6]).figure("b1").wounds == 0
    large = on_tile(RIDER, "0,0", marks={"2,0": "stake-pit"})
    large.do("move", to="2,0", path=["1,0", "2,0"])
    assert large.refused("roll", faces=[6]) == "INPUT"
    assert large.do("roll", faces=[6, 1]).figure("b1").wounds == 1


@rule("TAC-TER-16", "TAC-CHG-4", "TAC-CHG-7")
@pytest.mark.parametrize(
    ("pits", "told"),
    [
        (("3,2", "3,3", "3,4"), "through a stake pit: 1 hit"),
        (("3,3",), "to some of the spaces: through a stake pit: 1 hit"),
        ((), ""),
    ],
)
def test_a_charge_says_what_its_way_does_before_it_is_announced(
    pits: tuple[str, ...], told: str
) -> None:
    game = on_tile(SOLDIER, "1,3", red="4,3", marks=dict.fromkeys(pits, "stake-pit"))
    charge = next(one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge")
    priced = f"2 action points; {told}" if told else "2 action points"
    assert (str(charge.detail), str(charge.reason)) == (priced, told)
    assert "only on the nearest spaces at its target" in str(charge.elsewhere)


@rule("TAC-TER-16")
def test_a_way_through_a_pit_says_how_many_hits_and_spaces() -> None:
    for figure, told in ((SOLDIER, "1 space, through a stake pit: 1 hit"), (RIDER, "2 hits")):
        size = figure.get("size", 1)
        pits = {f"{c},{r}": "stake-pit" for c in range(3) for r in range(3) if max(c, r) >= size}
        game = on_tile(figure, "0,0", marks=pits)
        (move,) = (one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver")
        target = move.at((size, 0))
        assert target is not None
        assert told in str(target.detail)
    around = on_tile(SOLDIER, "0,0", marks={"1,0": "stake-pit", "1,1": "stake-pit"})
    (move,) = (one for one in SCREEN.offers(around.state, None, "b1") if one.kind == "maneuver")
    target = move.at((2, 1))
    assert target is not None
    assert (target.mark, target.text) == ("", "3"), "it goes around, and says so"


@rule("TAC-TER-16", "TAC-DIE-1")
def test_who_counts_the_own_dice_in_a_stake_pit_is_believed() -> None:
    for defended in (0, 1):
        game = on_tile(SOLDIER, "0,0", marks={"1,0": "stake-pit"}).do("move", to="1,0")
        (prompt,) = SCREEN.prompts(game.state)
        assert prompt.dice is not None
        game.do("roll", **{prompt.dice.count_field: defended})
        assert game.figure("b1").wounds == 1 - defended


@rule("TAC-EQP-6", "TAC-TER-16")
def test_a_lucky_charm_helps_in_a_stake_pit() -> None:
    game = on_tile(SOLDIER, "0,0", marks={"1,0": "stake-pit"}, equipment={"b1": "lucky-charm"}).do(
        "move", to="1,0"
    )
    (prompt,) = SCREEN.prompts(game.state)
    (charm,) = prompt.choices
    assert (charm.commands, charm.detail) == (
        ({"do": "announce", "item": "lucky-charm"},),
        "one die becomes 10",
    )
    assert game.refused("announce", item="blinding-powder") == "TAC-EQP-6"
    game.do("announce", item="lucky-charm")
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.choices == ()
    assert prompt.dice is not None
    assert (prompt.dice.count_field, prompt.dice.wanted) == ("", None)
    game.do("roll", faces=[1]).do("set-die", face=1)
    assert (game.figure("b1").wounds, game.figure("b1").equipment) == (0, "")


@rule("TAC-TER-15", "TAC-OR-29")
@pytest.mark.parametrize(("pit", "wounds"), [(True, 1), (False, 0)])
def test_a_leaf_pile_is_flipped(pit: bool, wounds: int) -> None:
    game = on_tile(SOLDIER, "0,0", marks={"1,0": "leaf-pile"}).do("move", to="1,0")
    assert PLAY.pending(game.state)[0].side is None, "whoever turns it over says what it is"
    game.do("leaf", pit=pit)
    assert game.figure("b1").wounds == wounds
    assert ("stake-pit" in game.state.board.marks.get((1, 0), ())) is pit
    both = on_tile(
        SOLDIER, "0,0", marks={"1,0": "leaf-pile"}, readings=("leaf-pile=wound-and-hit",)
    )
    both.do("move", to="1,0").do("leaf", pit=True)
    assert both.waits() == "hazard-roll"


@rule("TAC-TER-3", "TAC-TER-4")
def test_spaces_to_interact_with_are_prompted() -> None:
    game = on_tile(SOLDIER, "0,0", marks={"1,0": "!well", "2,0": "?barrel"})
    game.do("move", to="2,0", path=["0,0", "1,0", "2,0"])
    assert [("must" in one, "may" in one) for one in game.answer["reminders"]] == [
        (True, False),
        (False, True),
    ]


@rule("TAC-STA-7")
def test_the_ground_kills_at_the_end_of_the_action() -> None:
    game = on_tile(card("Weak", health=1), "0,0", marks={"1,0": "fire"})
    game.do("move", to="1,0")
    assert game.figure("b1").fate == "killed"
    assert game.state.winner == "red"


# -- doors -----------------------------------------------------------------------------------------

DOOR = {"between": ["2,2", "3,2"], "kind": "door", "open": False}
LOCKED = {"between": ["2,2", "3,2"], "kind": "locked-door", "open": False}


@rule("TAC-TER-9", "TAC-TER-11", "TAC-TER-12", "TAC-OR-25")
def test_a_wooden_door_opens_and_closes() -> None:
    walls = [{"between": [f"2,{row}", f"3,{row}"], "kind": "wall"} for row in range(7) if row != 2]
    game = on_tile(SOLDIER, "2,2", edges=[DOOR, *walls])
    assert game.refused("move", to="3,2") == "TAC-MOV-2"
    assert game.refused("door", edge=["2,2", "3,2"], do_what="close") == "TAC-TER-11"
    game.do("door", edge=["2,2", "3,2"], do_what="open")
    assert {"do": "move", "to": "3,2"} in game.commands()
    game.do("door", edge=["2,2", "3,2"], do_what="close")
    beside = on_tile(SOLDIER, "3,3", edges=[DOOR])
    beside.do("door", edge=["2,2", "3,2"], do_what="open")
    far = on_tile(SOLDIER, "3,4", edges=[DOOR])
    assert far.refused("door", edge=["2,2", "3,2"], do_what="open") == "TAC-TER-9"
    assert far.refused("door", edge=["0,0", "0,1"], do_what="open") == "TAC-TER-9"


@rule("TAC-TER-10", "TAC-V-27", "TAC-OR-34")
def test_a_locked_door_is_broken() -> None:
    game = on_tile(SOLDIER, "2,2", edges=[LOCKED])
    assert game.refused("door", edge=["2,2", "3,2"], do_what="open") == "TAC-TER-10"
    game.do("door", edge=["2,2", "3,2"], do_what="break")
    assert game.state.board.borders[0].open is True
    assert "Soldier 1 breaks a door" in game.titles
    game.do("surge", to="3,2")
    assert game.figure("b1").cell == (3, 2)
    assert game.state.activation is not None
    assert game.state.activation.ap == 0


@rule("TAC-OR-34", "TAC-TER-10")
@pytest.mark.parametrize("value", ["through", "any"])
def test_the_step_after_a_door_is_broken(value: str) -> None:
    game = on_tile(SOLDIER, "2,2", edges=[LOCKED], readings=(f"door-step={value}",))
    game.do("door", edge=["2,2", "3,2"], do_what="break")
    ends = {one["to"] for one in game.commands() if one["do"] == "surge"}
    around = {f"{c},{r}" for c in (1, 2, 3) for r in (1, 2, 3)} - {"2,2"}
    assert ends == ({"3,2"} if value == "through" else around)
    assert game.refused("surge", to="2,4") == "TAC-ATK-16"
    if value == "any":
        assert game.do("surge", to="1,1").figure("b1").cell == (1, 1)


@rule(
    "TAC-CHG-9", "TAC-CHG-10", "TAC-CHG-11", "TAC-CHG-12", "TAC-CHG-13", "TAC-CHG-14", "TAC-OR-33"
)
def test_a_terrain_charge() -> None:
    porter = card("Porter", attacks=[])
    wall = [LOCKED, {"between": ["2,1", "3,1"], "kind": "wall"}]
    game = on_tile(porter, "0,2", edges=wall)
    door = {"edge": ["2,2", "3,2"], "dice": 2, "needs": 7}
    assert game.refused("terrain-charge", **door, to="0,4") == "TAC-CHG-12"
    assert game.refused("terrain-charge", **door, to="2,2", faces=[1]) == "INPUT"
    game.do("terrain-charge", **door, to="2,2", faces=[7, 1])
    assert game.state.board.borders[-1].open or game.state.board.borders[0].open
    game.do("surge", to="3,2")
    assert game.figure("b1").cell == (3, 2)
    held = on_tile(porter, "0,2", edges=wall)
    held.do("terrain-charge", **door, to="2,2", faces=[6, 1])
    assert held.waits() == "act"
    engaged = on_tile(porter, "0,2", red="0,3", edges=wall)
    assert engaged.refused("terrain-charge", **door, to="2,2") == "TAC-CHG-10"
    hidden = on_tile(porter, "0,2", rows=[*EMPTY[:4], ".#.....", *EMPTY[:2]], edges=wall)
    assert hidden.refused("terrain-charge", **door) == "TAC-CHG-10"
    more = on_tile(porter, "2,2", edges=wall, readings=("terrain-charge-die=yes",))
    more.do("terrain-charge", **door, faces=[1, 1, 7])
    assert more.waits() == "door-step"
    rock = on_tile(porter, "0,2", rows=[*EMPTY[:4], "..#....", *EMPTY[:2]])
    assert rock.refused("terrain-charge", cell="1,1", dice=1, needs=5) == "TAC-CHG-9"
    rock.do("terrain-charge", cell="2,2", dice=1, needs=5, to="1,2", faces=[5])
    assert rock.do("surge", to="2,2").figure("b1").cell == (2, 2)


@rule("TAC-TER-14")
def test_a_heap_of_corpses_opens_for_a_turn() -> None:
    rows = [*EMPTY[:4], ".#.....", *EMPTY[:2]]
    game = on_tile(HERO, "0,2", rows=rows)
    assert game.refused("heap", cells=["4,4"]) == "TAC-TER-14"
    game.do("heap", cells=["1,2"], faces=[5]).do("move", to="1,2")
    assert game.figure("b1").cell == (1, 2)
    failed = on_tile(HERO, "0,2", rows=rows).do("heap", cells=["1,2"], faces=[4])
    assert failed.refused("move", to="1,2") == "TAC-MOV-2"


@rule("TAC-TER-1", "TAC-TER-2", "TAC-GEN-7", "TAC-GEN-8")
def test_terrain_goes_onto_open_spaces() -> None:
    game = on_tile(SOLDIER, "0,0", rows=[*EMPTY[:6], "..#...."], activate=False)
    assert game.refused("terrain", cell="2,0", ground="blocked-x") == "TAC-TER-1"
    assert game.refused("terrain", cell="0,0", ground="blocked-x") == "TAC-TER-1"
    game.do("terrain", cell="1,1", ground="blocked-x")
    assert game.state.board.ground[1, 1] == ("blocked-x",)


# -- loot, interactions, objectives ----------------------------------------------------------------


@rule("TAC-LOT-1", "TAC-LOT-2", "TAC-LOT-3", "TAC-LOT-5", "TAC-LOT-6", "TAC-OR-3")
def test_a_purse() -> None:
    game = on_tile(SOLDIER, "0,0", loot={"1,0": "purse", "4,4": "purse"})
    assert game.refused("loot", cell="4,4") == "TAC-LOT-2"
    game.do("loot", cell="1,0")
    assert (game.vp(), game.coins()) == (2, [3, 7, 17])
    assert "purse" not in game.state.board.marks.get((1, 0), ())
    assert game.refused("loot", cell="1,0") == "TAC-LOT-2"
    assert "loot" in game.answer["reminders"][-1]
    gold = on_tile(SOLDIER, "0,0", loot={"1,0": "purse"}, readings=("purse=gold",))
    assert gold.do("loot", cell="1,0").coins() == [4, 6, 17]


@rule("TAC-LOT-2", "TAC-OR-26")
def test_loot_is_taken_only_on_its_space() -> None:
    tokens = {"0,0": "purse", "1,0": "purse"}
    game = on_tile(SOLDIER, "0,0", loot=tokens, readings=("loot-contact=on",))
    offered = [one["cell"] for one in game.commands() if one["do"] == "loot"]
    assert offered == ["0,0"]
    assert game.refused("loot", cell="1,0") == "TAC-LOT-2"
    assert game.do("loot", cell="0,0").vp() == 2


@rule("TAC-LOT-4")
def test_a_secret_letter() -> None:
    game = on_tile(SOLDIER, "0,0", loot={"1,0": "letter"}).do("loot", cell="1,0", card="A3")
    assert (game.vp(), game.squad().agenda, len(game.squad().deck)) == (2, ("A3",), 4)


@rule("TAC-LOT-1", "TAC-LOT-2")
@pytest.mark.parametrize(
    ("at", "coins", "agendas"), [(0, [3, 7, 17], 0), (1, [3, 6, 17], 1)], ids=("purse", "letter")
)
def test_hidden_loot_is_taken_and_then_told(at: int, coins: list[int], agendas: int) -> None:
    game = on_tile(SOLDIER, "0,0", marks={"1,0": "loot"})
    (offer,) = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "coins"]
    game.do("loot", cell="1,0")
    assert offer.possible
    assert game.refused("move", to="0,1")
    (prompt,) = SCREEN.prompts(game.state)
    assert ([str(one.text) for one in prompt.choices], prompt.rule) == (
        ["A purse", "A secret letter"],
        "TAC-LOT-1",
    )
    game.do("turned", kind=prompt.choices[at].commands[0]["kind"])
    assert (game.vp(), game.coins(), len(game.squad().agenda)) == (2, coins, agendas)
    assert "loot" not in game.state.board.marks.get((1, 0), ())
    assert (game.waits(), game.state.activation.ap) == ("act", 1)  # type: ignore[union-attr]
    assert game.refused("turned", kind="purse") == "TAC-LOT-1"


@rule("TAC-ACT-8")
def test_interactions_need_contact() -> None:
    game = on_tile(SOLDIER, "0,0")
    assert game.refused("interact", cell="3,3") == "TAC-ACT-8"
    game.do("interact", cell="1,1", name="well")
    assert game.state.activation is not None
    assert game.state.activation.ap == 1


@rule("TAC-ACT-8", "TAC-TER-3", "TAC-TER-4")
@pytest.mark.parametrize("mark", ["?", "!", "?well"])
@pytest.mark.parametrize("start", ["1,1", "0,0"])
def test_a_marked_space_is_interacted_with_on_it_and_beside_it(mark: str, start: str) -> None:
    """A mark without a name made an action that no tap could take, and nothing else could be
    tapped."""
    game = on_tile(SOLDIER, start, marks={"1,1": [mark]})
    (offer,) = [one for one in SCREEN.offers(game.state, "b1") if one.kind == "eye"]
    told = str(offer.text).removeprefix("Interact: ")
    assert told == "well" if mark == "?well" else told
    for command in offer.commands:
        game.do(command["do"], **{key: value for key, value in command.items() if key != "do"})
    assert game.state.activation is not None
    assert game.state.activation.ap == 1


@rule("TAC-OBJ-5")
def test_the_action_of_a_controlled_objective() -> None:
    game = on_tile(SOLDIER, "0,0", objectives=["0,0"])
    game.do("objective")
    away = on_tile(SOLDIER, "1,0", objectives=["0,0"])
    assert away.refused("objective") == "TAC-OBJ-5"


# -- forced moves ----------------------------------------------------------------------------------


@rule("TAC-ABL-17", "TAC-ABL-22")
def test_forced_away_as_far_as_possible() -> None:
    game = on_tile(SOLDIER, "3,3", red="3,4")
    push = {"figure": "r1", "from": "b1", "way": "away", "spaces": 2}
    assert game.refused("push", **push) == "TAC-ABL-22"
    assert game.refused("push", **push, to="3,5") == "TAC-ABL-17"
    assert game.do("push", **push, to="4,6").figure("r1").cell == (4, 6)


@rule("TAC-ABL-18")
def test_without_room_a_figure_is_not_forced_away() -> None:
    game = on_tile(SOLDIER, "1,0", red="0,0", rows=[*EMPTY[:5], "##.....", "......."])
    push = {"figure": "r1", "from": "b1", "way": "away", "spaces": 2}
    assert game.refused("push", **push) == "TAC-ABL-18"


@rule("TAC-ABL-19")
def test_forced_towards_on_the_shortest_path() -> None:
    game = on_tile(SOLDIER, "0,0", red="0,6")
    game.do("push", **{"figure": "r1", "from": "b1", "way": "towards", "spaces": 3}, to="0,3")
    assert game.figure("r1").cell == (0, 3)
    near = {"figure": "r1", "from": "b1", "way": "towards", "spaces": 6}
    assert game.refused("push", **near, to="2,1") == "TAC-ABL-19"
    assert game.do("push", **near, to="0,1").figure("r1").cell == (0, 1)
    assert game.refused("push", **near) == "TAC-ABL-19"


# -- corrections and views -------------------------------------------------------------------------


def test_a_correction_refuses_only_what_cannot_be() -> None:
    game = on_tile(SOLDIER, "0,0", rows=[*EMPTY[:6], "..#...."])
    assert game.refused("place", figure="b1", to="2,0") == "TAC-MOV-2"
    assert game.refused("place", figure="b1", to="6,6") == "TAC-GRD-9"
    assert "not on the board" in game.refused("place", figure="b1", to="9,9")
    assert game.do("place", figure="b1", to="6,0").figure("b1").cell == (6, 0)


def test_the_view_offers_commands_that_are_accepted() -> None:
    game = on_tile(SOLDIER, "0,0", loot={"1,0": "letter"})
    asked = PLAY.view(game.state)["pending"][0]
    for command in asked["options"]:
        assert game.decide(command["do"], {k: v for k, v in command.items() if k != "do"})
    assert {"move", "loot", "wait", "end"} <= {one["do"] for one in asked["options"]}


@rule("TAC-CHG-1", "TAC-MOV-9", "TAC-TER-15", "TAC-STA-2")
def test_all_that_the_way_of_a_charge_does_comes_before_its_attack() -> None:
    """The attack was declared before the hits of the pit: shaken counted for both rolls."""
    marks = dict.fromkeys(("2,2", "3,2", "4,2"), "leaf-pile")
    readings = ("leaf-pile=wound-and-hit",)
    game = Skirmish([(SOLDIER, "3,1")], [(HERO, "3,4")], marks=marks, readings=readings)
    game.do("condition", figure="b1", kind="shaken", on=True).do("activate", figure="b1")
    game.do("charge", target="r1", to="3,3").do("way", path=["3,1", "3,2", "3,3"])
    game.do("leaf", pit=True)
    assert game.waits() == "hazard-roll"
    assert game.do("roll", faces=[9]).waits() == "charge-attack"
    game.do("strike")
    assert game.state.attack is not None
    assert game.state.attack.modifier == 0, "the token went with the roll against the pit"


@rule("TAC-ABL-7", "TAC-CHG-1")
def test_a_wound_ability_for_the_way_of_a_charge_comes_before_its_attack() -> None:
    endure = {"name": "Endure", "kind": "wound", "price": [0, 0, 1]}
    marks = dict.fromkeys(("2,2", "3,2", "4,2"), "leaf-pile")
    hardy = card("Hardy", abilities=[endure])
    game = Skirmish([(hardy, "3,1")], [(HERO, "3,4")], marks=marks)
    game.do("activate", figure="b1").do("charge", target="r1", to="3,3")
    game.do("way", path=["3,1", "3,2", "3,3"]).do("leaf", pit=True)
    assert game.waits() == "wounded"
    assert game.do("continue").waits() == "charge-attack"


def test_a_space_between_waters_is_the_ford() -> None:
    water = {f"{x},{y}": ["blocked-o"] for x in (1, 3) for y in (4, 5)}
    game = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "0,8")], ground={**water, "2,7": ["open-x"]})
    position = battle_position(game.state)
    assert str(place(position, (2, 4))) == "the ford, end on this side"
    assert str(place(position, (2, 6))) == "the space this side of the bush"
    assert str(place(position, (1, 4))).startswith("the water on the left")


@rule("TAC-MOV-2", "TAC-MOV-19")
def test_who_may_not_stand_in_water_is_told_that_it_is_water() -> None:
    """The way was said to be BLOCKED, and then that the figure cannot stand there."""
    ground = {"2,2": ["blocked-o"], "4,2": ["blocked-x"]}
    game = Skirmish([(SOLDIER, "2,1")], [(SOLDIER, "0,8")], ground=ground)
    table = current_table(game.state)
    shot = Snapshot(table=table)
    told = {
        cell: str(cell_verdict(table, "b1", cell, game.state.readings, shot))
        for cell in ((2, 2), (4, 2))
    }
    assert told == {
        (2, 2): "water: nobody may stand there",
        (4, 2): "an obstacle: nobody may stand there",
    }
    found = PLAY.decide(game.state, {"do": "place", "figure": "b1", "to": "2,2"})
    assert isinstance(found, Refusal)
    assert str(found.say) == "Soldier 1 cannot stand there: water: nobody may stand there"


@rule("TAC-CHG-4")
def test_why_a_charge_ends_only_beside_its_target_is_told() -> None:
    nearest, free = "only on the nearest spaces", "towards its target"
    for readings, why in (((), nearest), (("charge-path=any",), free)):
        game = Skirmish([(SOLDIER, "3,2")], [(SOLDIER, "3,5")], readings=readings)
        game.do("activate", figure="b1")
        (charge,) = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge"]
        assert why in str(charge.elsewhere)
