"""What cards say about the army they are in (TMG-ARM-13), and the seasons of the cards."""

from __future__ import annotations

import pytest

from companion.games.tmg.cards.army import Army, ArmyEntry, cards_of
from companion.games.tmg.cards.army_catalogue import army_catalogue, season_named, seasons
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_builder import recruits
from companion.games.tmg.play.army.army_conditions import broken_conditions, reductions
from companion.games.tmg.play.army.army_lists import WRITERS, read_list
from companion.games.tmg.play.army.army_rules import asked_claims, check, cost, deck_names
from models import CompanionError

GAME, NEW = "tmg-2021", "S07"


def army(
    faction: str, *units: tuple[str, ...], ncus: tuple[str, ...] = (), season: str = NEW
) -> Army:
    entries = tuple(ArmyEntry(unit, joined) for unit, *rest in units for joined in [tuple(rest)])
    return Army(GAME, faction, 60, "", entries, ncus, season=season)


def said(found: Army) -> list[str]:
    return list(broken_conditions(cards_of(found)))


BROKEN = {
    "loyalty": (army("baratheon", ("10604",), ("10605",)), "loyal to Renly Baratheon"),
    "loyalty by ability": (army("baratheon", ("10602", "20602"), ("10604",)), "is loyal to"),
    "copies": (army("freefolk", ("10312",), ("10312",), ("10312",)), "at most 2 × War Mammoth"),
    "needs": (army("martell", ("10901", "20905")), "needs one of these in the army: Doran Martell"),
    "shares": (army("stark", ("10212",)), "must be in one unit with Eddard Stark"),
    "in a unit": (army("bolton", ("11001", "21007", "21008")), "at most 1 × Bastard's Boy"),
    "ability": (army("freefolk", ("10310",)), "comes with Bonded Skinchanger"),
    "joins": (army("nightswatch", ("10501", "20521")), "does not join"),
    "per unit": (army("neutral", ("10413",)), "at most one Golden Company War Elephant"),
}


@pytest.mark.rule("TMG-ARM-13")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_condition_is_told(name: str) -> None:
    found, words = BROKEN[name]
    assert [one for one in said(found) if words in one], said(found)
    assert "TMG-ARM-13" in [one.why for one in check(found)]


@pytest.mark.rule("TMG-ARM-13")
@pytest.mark.parametrize(
    "found",
    [
        army("baratheon", ("10605",), ("10602", "20602")),
        army("freefolk", ("10312",), ("10312",)),
        army("martell", ("10901", "20905"), ncus=("30902",)),
        army("stark", ("10212", "20210")),
        army("neutral", ("10411",), ("10413",)),
    ],
)
def test_what_is_met_is_not_told(found: Army) -> None:
    assert said(found) == []


@pytest.mark.rule("TMG-ATM-4", "TMG-ARM-13")
def test_an_attachment_that_ignores_the_limit_is_a_second_one() -> None:
    two = army("greyjoy", ("10801", "20805", "20801"))
    assert "TMG-ATM-4" not in [one.why for one in check(two)]
    assert "TMG-ATM-4" in [one.why for one in check(army("stark", ("10201", "20204", "20204")))], (
        "two that count"
    )


@pytest.mark.rule("TMG-ARM-3", "TMG-ARM-13")
@pytest.mark.parametrize(
    ("found", "less"),
    [
        (army("freefolk", ("10303", "20302")), 1),
        (army("stark", ("10201", "20223"), ("10201", "20223")), 0),
        (army("stark", ("10201", "20223"), ("10201", "20225")), 1),
        (army("lannister", ("10101", "20107"), ncus=("30105",)), 1),
        (army("lannister", ("10101", "20107")), 0),
    ],
)
def test_what_becomes_cheaper(found: Army, less: int) -> None:
    assert sum(by for _, by in reductions(cards_of(found))) == less
    cards = cards_of(found).cards
    assert cost(found) == sum(0 if one.commander else one.cost or 0 for one in cards) - less


@pytest.mark.rule("TMG-ARM-13")
def test_the_builder_bars_what_can_never_fit() -> None:
    loyal = army("baratheon", ("10605",))
    offers = {one.id: one for one in recruits(loyal)}
    assert offers["10604"].refusal is not None
    assert offers["10604"].refusal.why == "TMG-ARM-13"
    assert offers["10608"].refusal is None


# -- seasons ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ARM-3")
def test_a_list_says_its_season_and_keeps_it_in_every_form() -> None:
    text = "Faction: Stark\nSeason: 7\n• Stark Sworn Swords\n  with Robb Stark, The Wolf Lord\n"
    found = read_list(text, GAME, 40)
    assert found.season == NEW
    for form in WRITERS:
        assert read_list(WRITERS[form](found), GAME, 40) == found, form
    setup = PLAY.prepare(
        GAME,
        {
            "do": "set-up",
            "mode": "GOT",
            "unchecked": True,
            "armies": [{"side": "blue", "list": text}, {"side": "red", "list": "stark;10201"}],
        },
    )
    assert isinstance(setup, dict)
    ids = [one["ids"] for one in setup["players"]]
    assert ids == ["stark@S07;10201,20201", "stark;10201"], "each keeps its own"


@pytest.mark.rule("TMG-ARM-3")
def test_seasons_have_their_own_numbers() -> None:
    assert seasons(GAME) == ("S05", NEW)
    assert seasons("tmg-2018") == ()
    assert [season_named(GAME, one) for one in ("s7", "Season 07", "S05", "9")] == [
        NEW, NEW, "", None,
    ]  # fmt: skip
    old, new = army_catalogue(GAME), army_catalogue(GAME, NEW)
    assert (old.units["10601"].attacks[0].dice, new.units["10601"].attacks[0].dice) == (
        (7, 6, 5),
        (7, 7, 7),
    )
    assert (len(old.units), len(new.units)) == (148, 150)
    assert "11071" in new.units
    assert new.units["10604"] == old.units["10604"], "as printed before"
    with pytest.raises(CompanionError, match="no season 'S11'; there are: S05, S07"):
        read_list("stark@S11;10201", GAME)


@pytest.mark.rule("TMG-DECK-1")
def test_every_deck_of_the_season_has_twenty_cards() -> None:
    facts = army_catalogue(GAME, NEW)
    leaders = [
        one
        for shelf in (facts.attachments, facts.units, facts.ncus)
        for one in shelf.values()
        if one.commander
    ]
    decks = {
        one.label: deck_names(Army(GAME, one.faction, 40, one.id, season=NEW)) for one in leaders
    }
    assert {label: len(set(names)) for label, names in decks.items() if len(set(names)) != 10} == {}


@pytest.mark.rule("TMG-ARM-5", "TMG-ARM-13")
def test_a_commander_who_only_goes_with_another_one() -> None:
    """Areo Hotah commands beside Doran Martell, whose cards they play."""
    found = read_list("martell;10901,20903,30901", GAME, 40)
    assert found.commander == "30901"
    assert check(found) == ()
    assert "Parlay" in deck_names(found)
    alone = read_list("martell;10901,20903", GAME, 40)
    assert [one.why for one in check(alone)] == ["TMG-ARM-13"]


@pytest.mark.rule("TMG-ARM-3")
def test_points_of_another_season_are_named() -> None:
    old, new = army_catalogue(GAME), army_catalogue(GAME, NEW)
    card = next(
        one for one in old.units.values() if one.cost and new.units[one.id].cost != one.cost
    )
    text = f"Faction: {card.faction}\n• {card.label} ({new.units[card.id].cost})\n"
    found = read_list(text, GAME, 40)
    assert "these are the points of season S07" in found.notes
    assert asked_claims(found)
    assert asked_claims(read_list(f"Season: S07\n{text}", GAME, 40)) == ()
