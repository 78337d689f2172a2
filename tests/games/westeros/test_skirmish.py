"""The skirmish set-up: commanders in secret, draws, overlays and placing by distance."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted, Refusal
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import WesterosState, current_table
from companion.games.westeros.screen import SCREEN
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


class Raid:
    """The invented skirmish; commands and refusals."""

    def __init__(self, seed: int = 3, readings: tuple[str, ...] = (), **card: Any) -> None:
        from companion.games.westeros.cards.catalogue import every_card

        plain = {**every_card().skirmishes["sample-raid"].raw, **card}
        command = {"do": "set-up", "skirmish": plain, "seed": seed, "readings": list(readings)}
        setup = PLAY.prepare("westeros", command)
        assert not isinstance(setup, Refusal)
        self.state: WesterosState = PLAY.start("westeros", setup)

    def do(self, word: str, **fields: Any) -> Raid:
        found = PLAY.decide(self.state, {"do": word, **fields})
        assert isinstance(found, Accepted), (word, fields, found)
        self.state = found.after
        return self

    def refused(self, word: str, **fields: Any) -> str:
        found = PLAY.decide(self.state, {"do": word, **fields})
        assert isinstance(found, Refusal), (word, fields)
        return found.why

    def chosen(self) -> Raid:
        self.do("commanders", side="stark", choose=["s-maege", "s-rickard"])
        return self.do("commanders", side="lannister", choose=["l-kevan"])

    def options(self) -> list[dict[str, Any]]:
        return [one for each in PLAY.options(self.state) for one in each["options"]]

    def overlays_done(self) -> Raid:
        while self.state.phase == "overlays":
            command = dict(self.options()[0])
            self.do(command.pop("do"), **command)
        return self


def told(raid: Raid) -> list[str]:
    """The facts of what the set-up waits for."""
    (asked,) = SCREEN.prompts(raid.state)
    return [str(one.text) for one in asked.facts]


@rule("BOW-SET-3", "BOW-SKM-4")
def test_a_commander_is_one_figure_whatever_the_title() -> None:
    assert Raid().refused("commanders", side="lannister", choose=["l-kevan", "l-guards"]) == (
        "BOW-SET-3"
    )
    for side, both in (
        ("stark", ["s-greatjon", "s-hearth"]),
        ("lannister", ["l-gregor", "l-plunderer"]),
    ):
        raid = Raid()
        assert raid.refused("commanders", side=side, choose=both) == "BOW-SET-3"
        told = PLAY.decide(raid.state, {"do": "commanders", "side": side, "choose": both})
        assert isinstance(told, Refusal)
        assert "one figure" in told.say
    offered = [one["choose"] for one in Raid().options() if one["do"] == "commanders"]
    assert ["s-greatjon", "s-hearth"] not in offered


@rule("BOW-SKM-1", "BOW-SKM-4", "BOW-SKM-10", "BOW-SKM-2", "BOW-D-31", "BOW-SKM-5")
def test_commanders_are_chosen_in_secret_within_number_and_value() -> None:
    raid = Raid()
    assert [one.what for one in PLAY.pending(raid.state)] == ["choose", "choose"]
    three = ["s-maege", "s-rickard", "s-robb"]
    assert raid.refused("commanders", side="stark", choose=three) == "BOW-SKM-10"
    assert Raid(value=3).refused("commanders", side="stark", choose=three[:2]) == "BOW-SKM-10"
    assert raid.refused("commanders", side="stark", choose=["l-kevan"]) == "BOW-SKM-4"
    assert raid.refused("commanders", side="stark", choose=[]) == "BOW-SKM-4"
    raid.do("commanders", side="stark", choose=three[:2])
    assert raid.refused("commanders", side="stark", choose=["s-robb"]) == "BOW-SKM-4"
    view = PLAY.view(raid.state, "lannister")
    assert "s-maege" not in str(view["houses"])
    secret = SCREEN.prompts(Raid().state)
    assert all(one.secret and not one.choices and not one.forms for one in secret)
    mine = SCREEN.prompts(Raid().state, "stark")[0]
    assert not mine.choices, "each commander by itself, no list of pairs"
    (form,) = mine.forms
    (entry,) = form.entries
    assert (entry.kind, entry.least, entry.most, form.most) == ("several", 1, 2, 4)
    assert {one: worth for (one, _text), worth in zip(entry.options, entry.worth, strict=True)}[
        "s-maege"
    ] == 2
    assert "Maege Mormont" in str(dict(entry.options)["s-maege"])
    assert "set-up cards" in secret[0].facts[0].text


@rule("BOW-SKM-7", "BOW-SKM-8", "BOW-V-29", "BOW-SET-4", "BOW-SKM-6", "BOW-SKM-14", "BOW-SKM-15")
def test_forces_are_drawn_from_the_cards_that_are_left() -> None:
    raid = Raid().chosen()
    stark = raid.state.of("stark")
    assert [one.name for one in stark if one.commander] == ["Maege Mormont", "Rickard Karstark"]
    cards = {one.id: one for one in raid.state.skirmish.of("stark")} if raid.state.skirmish else {}
    others = sum(one.commander is None for one in stark)
    sizes = {name: len(card.units) for name, card in cards.items()}
    left = [sizes[name] for name in cards if name not in ("s-maege", "s-rickard")]
    assert others in {a + b for i, a in enumerate(left) for b in left[i + 1 :]}
    assert 1 <= len(raid.state.house("stark").overlays) <= 2
    assert [one.deck for one in raid.state.houses] == [20, 15]
    assert {Raid(seed).chosen().state.mace for seed in range(8)} == {"stark", "lannister"}
    assert (raid.state.plan.rounds, raid.state.house("stark").orders) == (3, 3)


@rule("BOW-SKM-8", "BOW-SKM-9")
def test_the_player_chooses_which_overlay_is_placed_next() -> None:
    """The card told neither which one was placed nor how many were left."""
    raid = next(one for one in (Raid(seed).chosen() for seed in range(40)) if two_overlays(one))
    house = raid.state.house(raid.state.active)
    one, two = house.overlays
    (prompt,) = SCREEN.prompts(raid.state)
    assert [each.commands[0]["terrain"] for each in prompt.choices] == [one, two]
    assert prompt.cells == (), "first which, then where"
    assert "still to be placed: 1 × " in prompt.facts[0].text
    taken = PLAY.decide(raid.state, {"do": "overlay", "terrain": two})
    assert isinstance(taken, Accepted)
    titles = [str(PLAY.title(one)) for one in taken.events if PLAY.title(one)]
    assert titles == [f"{house.player} takes an overlay: {two}"], "undo names it"
    raid.do("overlay", terrain=two)
    (prompt,) = SCREEN.prompts(raid.state)
    assert prompt.cells
    assert {each.commands[0]["terrain"] for each in prompt.cells} == {two}
    raid.do("overlay", terrain=one)  # another one after all
    command = dict(SCREEN.prompts(raid.state)[0].cells[0].commands[0])
    raid.do(command.pop("do"), **command)
    assert raid.state.house(house.side).overlays == (two,)
    assert not raid.state.tasks
    assert raid.state.active != house.side


def two_overlays(raid: Raid) -> bool:
    """Whether whoever begins has two overlays of different kinds."""
    left = raid.state.house(raid.state.active).overlays
    return len(left) == 2 and len(set(left)) == 2


@rule("BOW-SKM-9", "BOW-SKM-11", "BOW-OR-31", "BOW-OR-30")
def test_overlays_are_placed_in_turns_near_the_own_edge() -> None:
    raid = Raid().chosen()
    side = raid.state.active
    assert side == raid.state.mace
    edge = raid.state.house(side).edge
    word = raid.state.house(side).overlays[0]
    far, near = ("3,9", "3,1") if edge == "bottom" else ("3,1", "3,9")
    assert raid.refused("overlay", terrain=word, to=far) == "BOW-SKM-11"
    assert raid.refused("overlay", terrain=word, to="3,5") == "BOW-SKM-11"  # the sixth row
    raid.do("overlay", terrain=word, to=near)
    assert raid.state.board.ground[3, int(near[2])] == (word,)
    assert raid.state.active != side or not raid.state.house(raid.state.other(side)).overlays
    if raid.state.phase == "overlays":
        assert raid.refused("overlay", terrain="plains", to="5,5") == "BOW-SKM-8"


@rule("BOW-SKM-9", "BOW-SKM-12", "BOW-SKM-13", "BOW-D-28", "BOW-OR-30", "BOW-SKM-3")
def test_commanders_stand_apart_and_others_follow() -> None:
    raid = Raid().chosen().overlays_done()
    if raid.state.active == "lannister":
        leader = next(one for one in raid.state.of("lannister") if one.commander)
        raid.do("place", unit=leader.id, to="7,9")
    assert told(raid) == [
        "board edge of Stark: on this side",
        "Commanders first, the houses in turns.",
        "Within 3 hexes of the own board edge.",
        "The command ranges of one house do not overlap.",
    ]
    others = [one.id for one in raid.state.of("stark") if one.commander is None]
    assert raid.refused("place", unit=others[0], to="7,1") == "BOW-SKM-9"  # commanders first
    assert raid.refused("place", unit="s1", to="7,3") == "BOW-SKM-12"  # the fourth row
    first = next(one for one in SCREEN.offers(raid.state, None, "s1") if one.kind == "flag")
    assert str(first.detail).startswith("“×” leads to the others: "), "they stand nowhere yet"
    raid.do("place", unit="s1", to="3,2")
    while raid.state.active != "stark":
        command = dict(raid.options()[0])
        raid.do(command.pop("do"), **command)
    assert raid.refused("place", unit="s2", to="7,2") == "BOW-SKM-12"  # distance 4: they overlap
    found = PLAY.decide(raid.state, {"do": "place", "unit": "s2", "to": "7,2"})
    assert isinstance(found, Refusal)
    assert str(found.say).endswith(": command ranges of one house do not overlap")
    raid.do("place", unit="s2", to="8,2")  # distance 5
    while raid.state.active != "stark":
        command = dict(raid.options()[0])
        raid.do(command.pop("do"), **command)
    assert raid.refused("place", unit=others[0], to="5,4") == "BOW-SKM-13"  # the fifth row
    assert raid.refused("place", unit=others[0], to="3,2") == "BOW-SKM-13"  # taken
    found = PLAY.decide(raid.state, {"do": "place", "unit": others[0], "to": "5,4"})
    assert isinstance(found, Refusal)
    assert str(found.say).endswith(": within 4 hexes of the own board edge")
    assert told(raid)[1:] == ["Within 4 hexes of the own board edge."]
    raid.do("place", unit=others[0], to="5,3")
    while raid.state.phase == "place":
        command = dict(raid.options()[0])
        raid.do(command.pop("do"), **command)
    assert raid.state.phase == "organisation"
    assert [one.what for one in PLAY.pending(raid.state)] == ["orders"]


@rule("BOW-SKM-3")
@pytest.mark.parametrize(
    ("side", "orientation", "edges"),
    [
        ("A", "landscape", ["bottom", "top"]),
        ("A", "portrait", ["left", "right"]),
        ("B", "portrait", ["bottom", "top"]),
        ("B", "landscape", ["left", "right"]),
    ],
)
def test_the_edges_follow_side_and_orientation(
    side: str, orientation: str, edges: list[str]
) -> None:
    raid = Raid(side=side, orientation=orientation)
    assert [one.edge for one in raid.state.houses] == edges
    raid.chosen().overlays_done()
    cells = [one["to"] for one in raid.options()]
    at = 1 if edges[0] == "bottom" else 0
    limits = [int(cell.split(",")[at]) for cell in cells]
    size = (raid.state.board.columns, raid.state.board.rows)[at]
    low = raid.state.house(raid.state.active).edge in ("bottom", "left")
    assert (min(limits), max(limits)) == ((0, 2) if low else (size - 3, size - 1))


def test_a_skirmish_lists_its_armies_once_they_are_known() -> None:
    raid = Raid()
    assert "armies" not in [page.id for page in SCREEN.pages(raid.state)]
    assert "armies" in [page.id for page in SCREEN.pages(raid.chosen().state)]


def drawn_edges(state: WesterosState) -> list[str]:
    """The houses whose edges the map shows."""
    shapes = GAME.board(current_table(state)).shapes
    return [one.style.side for one in shapes if one.style.role == "house-edge"]


@rule("BOW-GEN-7", "BOW-SKM-3")
def test_the_houses_edges_are_known_before_any_unit_stands_and_after_the_last_has_fallen() -> None:
    choosing = Raid().state
    edges = {"stark": "bottom", "lannister": "top"}
    assert dict(current_table(choosing).home_edges) == edges, "from the choice of commanders on"
    assert drawn_edges(choosing) == ["stark", "lannister"]
    laying = Raid().chosen()
    (asked,) = SCREEN.prompts(laying.state)
    house = laying.state.plan.house(laying.state.active).name
    where = {"bottom": "on this side", "top": "on the far side"}[edges[laying.state.active]]
    assert f"board edge of {house}: {where}" in [str(one.text) for one in asked.facts]


@rule("BOW-GEN-7")
def test_the_edge_of_a_house_without_units_is_still_drawn() -> None:
    battle = Clash([("foot", "green", "1,1")], [("foot", "green", "4,5")])
    battle.do("effect", unit="l1", leaves=True)
    assert drawn_edges(battle.state) == ["stark", "lannister"]


@rule("BOW-SKM-4", "BOW-SET-3")
def test_two_set_up_cards_of_one_commander_are_told_apart_by_rank() -> None:
    (_, asked) = SCREEN.prompts(Raid().state, "lannister")
    alone = [str(text) for _, text in asked.forms[0].entries[0].options if "Kevan" in str(text)]
    assert len(alone) == len(set(alone)) == 2
    assert {one.partition(" (")[0].rpartition(", ")[2] for one in alone} == {"blue", "green"}
