"""Army lists as players have them, with all that editors, chats and other languages do to them."""

from __future__ import annotations

import contextlib
import random
import time

import pytest

from companion.games.tmg.cards.army import Army, ArmyEntry
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_lists import WRITERS, read_lines, read_list
from companion.games.tmg.play.army.army_rules import check, cost
from companion.games.tmg.play.army.list_lines import LINE_LIMIT
from models import BadInput, CompanionError
from tests.trials import trials

GAME = "tmg-2021"
LIST = """Faction: House Stark
Commander: Robb Stark, The Wolf Lord
Points: 40

Combat Units:
• Stark Sworn Swords (5)
  with Robb Stark, The Wolf Lord (0)
• Stark Bowmen (6)
• Stark Outriders (6)

Non-Combat Units:
• Sansa Stark, Little Bird (4)

Made with love
"""
IDS = "stark;10201,20201,10205,10202,30202"

DRESSES = {
    "as it is": LIST,
    "Windows line ends": LIST.replace("\n", "\r\n"),
    "a mark in front": "\ufeff" + LIST,
    "accents": LIST.replace("Stark Bowmen", "Stärk Bowmén"),
    "quotes": LIST.replace("Stark Bowmen", "“Stark Bowmen”"),
    "dashes for bullets": LIST.replace("•", "–"),
    "wolves for bullets": LIST.replace("•", "🐺"),
    "no bullets": LIST.replace("• ", ""),
    "bold": LIST.replace("• ", "* **").replace(" (6)", "** (6)"),
    "tabs": LIST.replace("• ", "•\t"),
    "spaces that do not break": LIST.replace(" ", "\u00a0"),
    "brackets": LIST.replace("(6)", "[6]"),
    "pts": LIST.replace("(6)", "(6 pts)"),
    "a dash before the title": LIST.replace("Stark, The", "Stark – The"),
    "a title in brackets": LIST.replace("Sansa Stark, Little Bird", "Sansa Stark (Little Bird)"),
    "capitals": LIST.upper(),
    "small letters": LIST.lower(),
    "sections with numbers": LIST.replace("Units:", "Units (3):"),
    "headings with lines": LIST.replace("Combat Units:", "=== Combat Units ==="),
    "German": LIST.replace("Faction: House", "Fraktion: Haus")
    .replace("Commander", "Kommandant")
    .replace("Points", "Punkte")
    .replace("Non-Combat Units", "Nichtkampfeinheiten")
    .replace("Combat Units", "Kampfeinheiten")
    .replace("  with", "  mit"),
    "Russian": LIST.replace("Faction: House Stark", "Фракция: Дом Старков")
    .replace("Commander", "Командир")
    .replace("Points", "Очки")
    .replace("Non-Combat Units", "Небоевые отряды")
    .replace("Combat Units", "Боевые отряды"),
    "an id list": IDS,
    "an id list with spaces": " Stark ; 10201 , 20201 10205,10202\n30202 ",
    "an address": f"https://builder.example/list?{IDS.replace(';', '%3B')}",
}


@pytest.mark.rule("TMG-ARM-3", "TMG-ARM-6")
@pytest.mark.parametrize("dress", DRESSES)
def test_the_same_army_in_every_dress(dress: str) -> None:
    found = read_list(DRESSES[dress], GAME)
    assert WRITERS["ids"](found) == IDS
    assert found.commander == "20201"


@pytest.mark.rule("TMG-ARM-3")
def test_copies_are_counted() -> None:
    for line in ("2x Stark Bowmen (6)", "• 2 x Stark Bowmen (6)", "• Stark Bowmen x2 (6)"):
        found = read_list(LIST.replace("• Stark Bowmen (6)", line), GAME)
        assert [entry.unit for entry in found.units].count("10205") == 2


@pytest.mark.rule("TMG-ARM-6")
def test_a_card_in_the_wrong_section_is_what_it_is() -> None:
    found = read_list(LIST.replace("• Sansa", "• Stark Bowmen (6)\n• Sansa"), GAME)
    assert [entry.unit for entry in found.units].count("10205") == 2
    assert found.ncus == ("30202",)


@pytest.mark.rule("TMG-ARM-3")
def test_other_points_than_printed_are_asked_about() -> None:
    """ "(9)" against 6 on the card is neither taken nor dropped in silence."""
    assert check(read_list(LIST, GAME)) == ()
    found = read_list(LIST.replace("Bowmen (6)", "Bowmen (9)"), GAME, 40)
    assert [one.say for one in check(found)] == [
        "Stark Bowmen costs 6, the list says 9: which is right?"
    ]
    (asked,) = PLAY.army_unknowns(found)
    assert asked.numbers == (6, 9)
    assert "the list 9" in asked.question
    for answer, total in ((6, 21), (9, 24)):
        settled = PLAY.army_answered(found, asked, answer)
        assert (check(settled), PLAY.army_unknowns(settled), cost(settled)) == ((), (), total)
        assert read_list(WRITERS["ids"](settled), GAME, 40) == settled, "kept in a saved game"
        assert Army.parse(settled.text()) == settled


REFUSED = {
    "a typo": (
        LIST.replace("Outriders", "Waggon Riders"),
        "line 9: no card 'Stark Waggon Riders'; nearest: Stark Outriders;",
    ),
    "a typo without a bullet": (
        LIST.replace("• Stark Outriders", "Stark Waggon Riders"),
        "line 9: no card 'Stark Waggon Riders'; nearest: Stark Outriders;",
    ),
    "an attachment first": (
        LIST.replace("• Stark Sworn Swords (5)\n", ""),
        "line 6: 'Robb Stark, The Wolf Lord' follows no unit",
    ),
    "another house": (
        LIST.replace("House Stark", "House Starc"),
        "no faction 'House Starc'; there are: Baratheon, Bolton, Brotherhood",
    ),
    "another commander": (
        LIST.replace("Commander: Robb Stark, The Wolf Lord", "Commander: Ned Stark"),
        "commander 'Ned Stark' is in no unit of the list; nearest: Eddard Stark",
    ),
    "many copies": (LIST.replace("• Stark Bowmen", "999x Stark Bowmen"), "line 8: 999 copies"),
    "nothing": ("  \n", "army list: is empty"),
    "noise": ("\x00\x01 hello", "army list: line 1: expected"),
    "a bare address": ("https://lists.example/", "army list: line 1: the address holds no list"),
    "an address without a list": ("http://x", "army list: line 1: the address holds no list"),
    "an address of spaces": ("https://x/%20%0a", "army list: line 1: the address holds no list"),
    "too many lines": (LIST + "• Stark Bowmen (6)\n" * 400, "has more than 400 lines"),
    "points of many digits": (
        LIST.replace("Bowmen (6)", "Bowmen (" + "9" * 300 + ")"),
        "line 8: no card 'Stark Bowmen (99999",
    ),
    "copies of many digits": (
        LIST.replace("• Stark Bowmen", "9" * 300 + "x Stark Bowmen"),
        "line 8: no card '99999",
    ),
    "a long name": (LIST.replace("• Stark Bowmen", "• " + "Bow" * 99), "line 8: no card 'BowBow"),
    "a long line": (
        LIST.replace("• Stark Bowmen", "• " + "Bow" * 9000),
        "line 8: is longer than 500",
    ),
    "a wrong id": ("stark;10201,1020", "army list: line 1: no card '1020'; nearest: "),
    "a wrong file": ('format = "table-companion/army/1"\nfaction = stark\n', "not TOML"),
}


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("fault", REFUSED)
def test_a_faulty_list_is_refused_in_one_line(fault: str) -> None:
    text, says = REFUSED[fault]
    with pytest.raises(CompanionError) as caught:
        read_list(text, GAME)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


SLOW = {
    "newlines": "\n" * 99_000 + "x",
    "newlines around a heading": "\n" * 49_000 + "Faction: Stark" + "\n" * 49_000,
    "spaces in a heading": "Faction: Stark" + " " * 90_000 + "x",
    "spaces before a name": LIST + " " * 90_000 + "x",
    "spaces in a name": LIST + "• Stark" + " " * 90_000 + "Bowmen (6)",
    "dashes in a name": LIST + "• Stark" + "-" * 90_000 + "Bowmen (6)",
    "dashes": "-" * 99_000 + "x",
    "open brackets": LIST + "• Stark " + "(1 " * 30_000,
    "brackets and spaces": LIST + "• Stark (1" + " " * 90_000 + "x",
    "digits": LIST + "• " + "1" * 90_000 + " Stark",
    "points of digits": LIST + "Points: " + "1" * 90_000 + "x",
    "points of slashes": LIST + "Points: " + "/ " * 45_000,
    "crosses": LIST + "• Stark " + "x1" * 45_000 + "!",
    "titles": LIST + "• Stark " + "(a " * 30_000,
    "joins": LIST + "+ " * 45_000 + "Stark",
    "an address": "http://" + "=" * 90_000 + " ",
    "ids": "stark;" + ",; " * 33_000,
    "format": "\t" * 90_000 + "format",
    "accents": LIST + "• " + "a" + "\u0301" * 90_000,
}


@pytest.mark.parametrize("kind", SLOW)
def test_no_list_takes_long(kind: str) -> None:
    began = time.process_time()
    with contextlib.suppress(CompanionError):
        read_list(SLOW[kind], GAME)
    with contextlib.suppress(CompanionError):
        read_lines(SLOW[kind], GAME)
    assert time.process_time() - began < 1.0


def some_army(chance: random.Random, game: str) -> Army:
    """An army of the catalogue, whether or not it keeps the rules."""
    facts = army_catalogue(game)
    faction = chance.choice(facts.units.factions)

    def of(shelf: object) -> list[str]:
        cards = shelf.values()  # type: ignore[attr-defined]
        named: dict[str, list[str]] = {}
        for one in cards:
            if one.faction == faction:
                named.setdefault(one.label, []).append(one.id)
        return [ids[0] for ids in named.values() if len(ids) == 1]

    joined = of(facts.attachments)
    units = tuple(
        ArmyEntry(unit, (chance.choice(joined),) if joined and chance.random() < 0.5 else ())
        for unit in chance.choices(of(facts.units), k=chance.randint(1, 6))
    )
    some = of(facts.ncus)
    ncus = tuple(chance.sample(some, min(len(some), 2)))
    return Army(game, faction, 40, "", units, ncus)


@pytest.mark.rule("TMG-ARM-3")
@pytest.mark.parametrize("game", ["tmg-2018", "tmg-2021"])
def test_twenty_armies_of_the_catalogue_come_back_as_they_went(game: str) -> None:
    chance = random.Random(game)
    for _ in range(20):
        army = some_army(chance, game)
        for form in ("ids", "text"):
            text = WRITERS[form](army)
            if not any(name for name in text.splitlines()[1:2] if name == "Commander: "):
                found = read_list(text, game)
                assert WRITERS["ids"](found) == WRITERS["ids"](army), text


@pytest.mark.slow
def test_random_harm_to_a_list_never_breaks_anything() -> None:
    chance = random.Random(3)
    for _ in range(trials(150, 10_000)):
        letters = list(chance.choice(list(DRESSES.values())))
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(len(letters))
            letters[place] = chance.choice(("", "\n", ":", ";", "(", "9", "é", "•", "x2", "\u202e"))
        try:
            read_list("".join(letters), GAME)
        except CompanionError as error:
            assert "\n" not in str(error)  # noqa: PT017 - many of them are fine lists
    assert LINE_LIMIT > 100


@pytest.mark.rule("TMG-ARM-1")
@pytest.mark.parametrize(
    ("told", "points"),
    [
        ("40", 40),
        ("40 (0 Neutral)", 40),
        ("38/40", 40),
        ("38 (5 neutral)/40", 40),
        ("38 (5 neutral) / 40 points", 40),
        ("built for 40", 40),
    ],
)
def test_the_points_of_a_list_are_those_agreed_on(told: str, points: int) -> None:
    assert read_list(LIST.replace("Points: 40", f"Points: {told}"), GAME).points == points


@pytest.mark.parametrize(
    ("text", "place"), [("Stark\n\nFaction: Klingon\n• Bat (3)", "line 3"), ("klingon;1", "line 1")]
)
def test_a_faction_that_nobody_knows_is_told_with_its_line(text: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_list(text, GAME)
    assert caught.value.place == place
    assert "lingon" in caught.value.problem
