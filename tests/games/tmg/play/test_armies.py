"""Armies: building, checking, reading what players paste, writing it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.cards.army import Army, ArmyEntry, cards_of
from companion.games.tmg.cards.army_catalogue import Attachment, army_catalogue
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_conditions import price
from companion.games.tmg.play.army.army_lists import (
    WRITERS,
    read_ids,
    read_list,
    write_ids,
    write_text,
)
from companion.games.tmg.play.army.army_rules import (
    check,
    check_shape,
    cost,
    deck_names,
    notes,
    shared_characters,
)
from companion.games.tmg.play.army.army_text import read_text
from companion.games.tmg.play.commands.cards import shuffled_deck
from companion.games.tmg.play.state.play_rules import SIZES, goal_for
from models import BadInput, CompanionError, UnknownName
from tests.play.battle import Battle

GAME = "tmg-2021"
SWORDS, OUTRIDERS, BERSERKERS, GREY_WIND, BOWMEN = "10201", "10202", "10203", "10204", "10205"
ROBB, YOUNG_WOLF, CAPTAIN, CHAMPION = "20201", "20206", "20204", "20203"
RIDER_CHIEF = "20215"
CATELYN, SANSA, ROBB_NCU = "30201", "30202", "30210"
CUTTHROATS, FLAYED = "10401", "10403"
DORAN = "30901"


def army(
    *units: tuple[str, ...],
    ncus: tuple[str, ...] = (CATELYN,),
    points: int = 40,
    commander: str = ROBB,
    faction: str = "stark",
) -> Army:
    entries = tuple(ArmyEntry(unit, tuple(joined)) for unit, *joined in units)
    return Army(GAME, faction, points, commander, entries, ncus)


GOOD = army((SWORDS, ROBB), (SWORDS, CAPTAIN), (BOWMEN,), (BERSERKERS, CHAMPION), (OUTRIDERS,))


def broken(one: Army) -> set[str]:
    return {problem.why for problem in check(one)}


@pytest.mark.rule("TMG-ARM-1", "TMG-ARM-3", "TMG-CMD-1", "TMG-CMD-5", "TMG-CARD-11", "TMG-ATM-13")
def test_a_fine_army() -> None:
    assert check(GOOD) == ()
    assert cost(GOOD) == 5 + 0 + 5 + 1 + 6 + 6 + 1 + 6 + 4


@pytest.mark.rule("TMG-ARM-1")
def test_no_more_points_than_agreed() -> None:
    assert broken(replace(GOOD, points=30)) == {"TMG-ARM-1"}


@pytest.mark.rule("TMG-ARM-2")
def test_the_usual_sizes() -> None:
    assert SIZES == {"small": 30, "medium": 40, "large": 50}
    assert [goal_for(size) for size in SIZES.values()] == [8, 10, 12]


@pytest.mark.rule("TMG-ARM-4")
def test_only_the_own_faction_and_neutrals() -> None:
    assert broken(army((SWORDS, ROBB), ("10101",))) == {"TMG-ARM-4"}
    assert broken(army((SWORDS, ROBB), (CUTTHROATS,))) == set()


@pytest.mark.rule("TMG-ARM-5", "TMG-CMD-1", "TMG-CMD-2")
def test_exactly_one_commander() -> None:
    assert "TMG-ARM-5" in broken(army((SWORDS,), commander=""))
    assert "TMG-ARM-5" in broken(army((SWORDS, ROBB), (BOWMEN, "20202")))


@pytest.mark.rule("TMG-ARM-6")
def test_the_commander_needs_a_unit() -> None:
    assert broken(army((SWORDS,), (BOWMEN,))) == {"TMG-ARM-6"}


@pytest.mark.rule("TMG-ARM-7", "TMG-DECK-1", "TMG-CMD-4", "TMG-CMD-6", "EX-51")
def test_the_deck_is_twenty_cards() -> None:
    names = deck_names(GOOD)
    deck = shuffled_deck(names, 3, "blue")
    assert (len(names), len(deck)) == (10, 20)
    assert all(deck.count(name) == 2 for name in names)
    assert deck != shuffled_deck(names, 4, "blue")
    assert sorted(deck) == sorted(shuffled_deck(names, 4, "blue"))


@pytest.mark.rule("TMG-DECK-1")
def test_every_commanders_deck_is_twenty_cards() -> None:
    facts = army_catalogue(GAME)
    leaders = [
        one
        for shelf in (facts.attachments, facts.units, facts.ncus)
        for one in shelf.values()
        if one.commander
    ]
    decks = {one.label: deck_names(Army(GAME, one.faction, 40, one.id)) for one in leaders}
    assert len(decks) > 80
    assert {label: len(set(names)) for label, names in decks.items() if len(set(names)) != 10} == {}


@pytest.mark.rule("TMG-DECK-1")
def test_a_commander_whose_cards_nobody_knows_is_played_and_noted() -> None:
    facts = army_catalogue(GAME)
    hotah = facts.attachments.find("20903")
    unit = next(
        one
        for one in facts.units.values()
        if one.faction == hotah.faction
        and one.type == hotah.type
        and one.cost
        and not one.character
    )
    found = Army(GAME, hotah.faction, 40, hotah.id, (ArmyEntry(unit.id, (hotah.id,)),))
    assert [one.why for one in check(found)] == ["TMG-ARM-13"], "he needs his prince"
    assert len(notes(found)) == 1
    assert hotah.label in notes(found)[0]
    names = deck_names(found)
    assert names[-3:] == tuple(f"{hotah.label}: card {number}" for number in (1, 2, 3))
    assert notes(GOOD) == ()


@pytest.mark.rule("TMG-ARM-8")
def test_any_number_of_copies() -> None:
    assert check(army((SWORDS, ROBB), (SWORDS, CAPTAIN), (SWORDS, CAPTAIN), (SWORDS,))) == ()


@pytest.mark.rule("TMG-ARM-9")
def test_a_character_once() -> None:
    assert broken(army((SWORDS, ROBB), (BOWMEN,), ncus=(CATELYN, CATELYN))) == {"TMG-ARM-9"}
    assert broken(army((SWORDS, ROBB), ncus=(CATELYN, SANSA))) == set()


@pytest.mark.rule("TMG-ARM-10", "EX-54")
def test_versions_are_the_same_character() -> None:
    assert broken(army((SWORDS, ROBB), (BOWMEN, YOUNG_WOLF))) == {"TMG-ARM-10"}
    assert broken(army((SWORDS, ROBB), ncus=(ROBB_NCU,))) == {"TMG-ARM-10"}
    kingslayer, young_lion = "20115", "20117"
    jaimes = army(
        ("10101", kingslayer),
        ("10101", young_lion),
        ncus=(),
        commander=kingslayer,
        faction="lannister",
    )
    assert broken(jaimes) == {"TMG-ARM-10"}


@pytest.mark.rule("TMG-ATM-4", "TMG-ARM-11")
def test_one_attachment_per_unit() -> None:
    assert broken(army((SWORDS, ROBB, CAPTAIN))) == {"TMG-ATM-4"}


@pytest.mark.rule("TMG-ATM-5", "TMG-ARM-12")
def test_an_attachment_joins_only_its_type() -> None:
    assert broken(army((SWORDS, ROBB), (OUTRIDERS, CAPTAIN))) == {"TMG-ATM-5"}


@pytest.mark.rule("TMG-ATM-3")
def test_2021_solo_units_have_no_attachments() -> None:
    assert broken(army((SWORDS, ROBB), (GREY_WIND, CAPTAIN))) == {"TMG-ATM-3"}


@pytest.mark.rule("TMG-ATM-3", "TMG-ATM-5", "TMG-ARM-13")
def test_an_attachment_joins_the_solo_unit_that_its_card_names() -> None:
    """Scorpion Modifications are made for the Builder Scorpion Crew, and for nobody else."""
    builder, crew, modifications, yarwyck = "20518", "10506", "20521", "20522"
    found = read_ids(f"nightswatch;{crew},{modifications},10501,{builder},10501,{yarwyck}", GAME)
    assert "TMG-ATM-3" not in broken(found)
    assert found.units[0].attachments == (modifications,)
    wrong = army((SWORDS, ROBB), (GREY_WIND, modifications))
    assert "TMG-ATM-3" in broken(wrong)


@pytest.mark.rule("TMG-ARM-14", "EX-52")
def test_half_of_the_points_may_be_neutral() -> None:
    twenty = army((SWORDS, ROBB), *([(CUTTHROATS,)] * 4), ncus=())
    assert check(twenty) == ()
    more = army((SWORDS, ROBB), *([(CUTTHROATS,)] * 5), ncus=())
    assert broken(more) == {"TMG-ARM-14"}


@pytest.mark.rule("TMG-ARM-15", "TMG-CMD-5")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_neutral_commander_costs_nothing_and_joins_any_army(year: str) -> None:
    stranger = Attachment("x", "Somebody", "neutral", "infantry", 3, commander=True)
    assert price(stranger) == 0
    if year == "2021":
        neutral = next(
            one.id
            for one in army_catalogue(GAME).attachments.values()
            if one.commander and one.faction == "neutral" and one.type == "infantry"
        )
        led = army((SWORDS, neutral), *([(CUTTHROATS,)] * 4), ncus=(), commander=neutral)
        assert check(led) == ()


@pytest.mark.rule("TMG-ARM-16")
def test_neutral_as_a_faction_takes_neutrals_only() -> None:
    assert broken(army((CUTTHROATS,), (SWORDS,), ncus=(), commander="", faction="neutral")) == {
        "TMG-ARM-5",
        "TMG-ARM-16",
    }


@pytest.mark.rule("TMG-CMD-3")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_commander_may_be_an_ncu(year: str) -> None:
    sides = [
        {
            "side": "blue",
            "units": [{"name": "Spears", "cost": 5}],
            "ncus": [{"name": "Doran", "commander": True}],
        },
        {"side": "red", "units": [{"name": "Swords", "cost": 5, "commander": True}]},
    ]
    battle = Battle("GOT", year, armies=sides).deployed()
    assert battle.view()["ncus"]["bn1"]["commander"] is True


@pytest.mark.rule("TMG-TEAM-2", "EX-82")
def test_each_character_once_per_team() -> None:
    assert {one.why for one in shared_characters([cards_of(GOOD).cards] * 2)} == {"TMG-TEAM-2"}
    (told, *_) = PLAY.army_problems(GOOD, [GOOD])
    assert told.why == "TMG-TEAM-2", "while the armies are built"
    assert told.say.endswith(": each character only once, in the whole team")
    assert not PLAY.army_problems(GOOD)


@pytest.mark.rule("TMG-FFA-1")
def test_no_siege_among_many() -> None:
    assert [one.why for one in check_shape("ffa", "SOS", 3)] == ["TMG-FFA-1"]
    assert check_shape("ffa", "GOT", 3) == ()


@pytest.mark.rule("TMG-ARM-13")
def test_a_set_up_names_the_first_broken_rule() -> None:
    bad = write_ids(army((SWORDS, ROBB), (OUTRIDERS, CAPTAIN)))
    command = {
        "do": "set-up",
        "mode": "GOT",
        "armies": [{"side": "blue", "list": bad}, {"side": "red", "list": write_ids(GOOD)}],
    }
    found = PLAY.prepare(GAME, command)
    assert isinstance(found, Refusal)
    assert found.why == "TMG-ATM-5"
    assert not isinstance(PLAY.prepare(GAME, {**command, "unchecked": True}), Refusal)


# -- lists ------------------------------------------------------------------------------------

PASTED = """Faction: House Stark
Commander: Robb Stark – The Wolf Lord
Points: 40 (0 Neutral)

Combat Units:
• Stark Sworn Swords (5)
  with Robb Stark, The Wolf Lord (0)
• Stark Bowmen (6)
• House Umber Berserkers (6)
  with Umber Champion (1)

Non-Combat Units:
• Catelyn Stark - Lady of Winterfell (4)

Made with care
"""


@pytest.mark.rule("TMG-ARM-3")
def test_a_pasted_export_is_read() -> None:
    found = read_text(PASTED, GAME)
    assert [entry.unit for entry in found.units] == [SWORDS, BOWMEN, BERSERKERS]
    assert [entry.attachments for entry in found.units] == [(ROBB,), (), (CHAMPION,)]
    assert (found.commander, found.ncus, found.faction) == (ROBB, (CATELYN,), "stark")
    assert found.points == 40


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("form", sorted(WRITERS))
def test_every_form_is_read_back(form: str) -> None:
    again = read_list(WRITERS[form](GOOD), GAME, 40)
    assert replace(again, name=GOOD.name) == GOOD


@pytest.mark.rule("TMG-ARM-3")
def test_an_unknown_name_gives_the_nearest_ones() -> None:
    listed = PASTED.replace("Stark Sworn Swords", "Stark Swordsmen Riders")
    with pytest.raises(UnknownName, match=r"line 6.*nearest: Stark Sworn Swords"):
        read_list(listed, GAME)
    with pytest.raises(UnknownName, match="nearest: 1"):
        read_list("stark;1020x", GAME)
    with pytest.raises(BadInput, match=r"there are: Baratheon, .*Free Folk"):
        read_ids("starck;10201", GAME)
    with pytest.raises(UnknownName, match="Robb Stark"):
        read_list(PASTED.replace("Robb Stark – The Wolf Lord\nPoints", "Rob Starrk\nPoints"), GAME)


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize(
    "text", ["", "nonsense", "stark;20201", "Faction: Stark\n• Nobody (3)", "• x\nFaction: Stark"]
)
def test_broken_lists_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(CompanionError) as found:
        read_list(text, GAME)
    assert "\n" not in str(found.value)


@pytest.mark.rule("TMG-ARM-3")
def test_the_text_export_has_the_usual_lines() -> None:
    text = write_text(GOOD)
    assert "• Stark Sworn Swords (5)\n  with Robb Stark, The Wolf Lord (0)" in text
    assert text.startswith("Faction: stark\nCommander: Robb Stark, The Wolf Lord\n")
    assert f"Points: {cost(GOOD)} (0 neutral)/40" in text


@pytest.mark.rule("TMG-ARM-14")
def test_the_text_export_counts_neutral_points() -> None:
    mixed = read_list("stark;10201,20201,10401", GAME, 40)
    neutral = price(army_catalogue(GAME).units["10401"])
    assert neutral > 0
    assert f"({neutral} neutral)/40" in write_text(mixed)
