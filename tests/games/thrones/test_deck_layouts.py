"""Decks in every layout that people have: read exactly, written again, nothing replaced."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from companion.games.thrones.cards.card import FACTIONS
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck import DeckList, ready_decks
from companion.games.thrones.cards.deck_draft import DeckDraft
from companion.games.thrones.cards.deck_reader import read_draft
from companion.games.thrones.cards.deck_writer import LAYOUTS, write_deck
from companion.games.thrones.cards.packs import number_of, pack_title, packs
from models import BadInput, CompanionError
from tests.games.thrones.driver import CardGame
from tests.games.thrones.test_deck_lists import DeckBuilder

CARDS = card_catalogue()
READY = {one.id: one for one in ready_decks()}
UNNAMED = ("markdown", "agot", "lines", "octgn")
"""Layouts that do not keep the deck's name."""


def draft(text: str) -> DeckDraft:
    return read_draft(text, CARDS)


def codes(text: str) -> dict[str, int]:
    """The codes that a text means; every line must be read."""
    found = draft(text)
    assert not found.unread, found.unread
    return found.counts


def same_deck(deck: DeckList, form: str) -> None:
    """Write a deck in a layout and read it back: the same codes, counts and faction, no remark."""
    found = draft(write_deck(deck, form, CARDS))
    assert found.counts == {card.code: n for card, n in deck.cards}
    assert (found.faction, found.unread, found.notes) == (deck.faction, [], [])
    assert found.name == ("" if form in UNNAMED else deck.name)


@pytest.mark.parametrize("form", LAYOUTS)
@pytest.mark.parametrize("ready", READY)
def test_the_published_decks_go_round_in_every_layout(ready: str, form: str) -> None:
    same_deck(READY[ready].deck(CARDS), form)


NAMES = ("Arya Stark", "House Lannister", "Fealty", "Plots", "3x Arya Stark (Core)", "Wolves #1",
         '"The Bear and the Maiden Fair"')  # fmt: skip


@pytest.mark.parametrize("form", LAYOUTS)
@pytest.mark.parametrize("seed", range(12))
def test_decks_of_all_packs_with_names_like_cards_go_round(seed: int, form: str) -> None:
    dice = random.Random(seed)
    known = sorted(CARDS)
    agendas = [code for code in known if CARDS[code].type == "agenda"]
    others = [code for code in known if CARDS[code].type != "agenda"]
    counts = dict.fromkeys(dice.sample(agendas, dice.choice((0, 1, 3))), 1)
    counts |= {code: dice.randint(1, 3) for code in dice.sample(others, 50)}
    cards = tuple((CARDS[code], n) for code, n in counts.items())
    same_deck(DeckList(dice.choice(FACTIONS), cards, dice.choice(NAMES)), form)


WINDOW = """Arya Stark

House Stark
Kingdom of Shadows (R)

Packs: From Core Set to Redesigns

Plots (7):
1x A Noble Cause (Core)
2x Winter Festival (CtA)

Characters (33):
3x Arya Stark (Core) [J]
1x Nymeria (FotOG) [B] [P4]

Attachments (4):
1x Nymeria (WotN)
"""
WINDOW_CODES = {"17148": 1, "01004": 1, "04040": 2, "01141": 3, "08061": 1, "03019": 1}


def test_a_deck_named_like_a_card_is_no_card() -> None:
    found = draft(WINDOW)
    assert (found.name, found.faction) == ("Arya Stark", "stark")
    plain = draft("Arya Stark\nHouse Stark\n3x Robb Stark (Core)")
    assert (plain.name, plain.counts) == ("Arya Stark", {"01146": 3})
    assert any("deck's name" in note for note in plain.notes)
    assert codes("Arya Stark\nRobb Stark\nHouse Stark") == {"01141": 1, "01146": 1}
    assert draft("House Stark\n\nHouse Lannister\nPacks: From A\n1x Ice (Core)").faction == (
        "lannister"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WINDOW, None),
        (WINDOW.replace("\n", "\r\n").replace("House Stark\r", "Version: 1.2\r\n\r\nHouse Stark\r"),
         None),
        ("Wolves 1.2\n\nHouse Stark\nKingdom of Shadows (Redesigns)\n\nPacks: From A\n\n"
         "---- Core Set ----\n3x Arya Stark (Core Set #141)\n---- Redesigns ----\n"
         "1x Kingdom of Shadows (Redesigns #48)\n", {"01141": 3, "17148": 1}),
        ("House Stark\n3x Arya Stark (#141)\n", None),
        ("## House Stark\n\n[Kingdom of Shadows \\(R\\)](https://thronesdb.com/card/17148)  \n\n"
         "Packs: From A to B\n\n### Plots (7):\n\n"
         "- 1x [A Noble Cause \\(Core\\)](https://thronesdb.com/card/01004)\n",
         {"17148": 1, "01004": 1}),
        ("House Stark\n\n[agot]Kingdom of Shadows (R)[/agot]\n\nPacks: From A\n\nPlots (7):\n\n"
         "1x [agot]A Noble Cause (Core)[/agot]", {"17148": 1, "01004": 1}),
        ("3x Arya Stark (core set)\n2 Ice (CORE)\n#012 1x Robb Stark (Core)\nSummer x2\n"
         "House Stark", {"01141": 3, "01153": 2, "01146": 1, "01148": 2}),
        ("Wolves\n\nCreated using a deck builder\n\nFaction:\n Baratheon\n\nTotal Cards: (60)\n\n"
         "Agenda\n1x Kings of Summer (Called to arms)\n\nPlot\n1x A Clash of Kings (Core Set)",
         {"04037": 1, "01001": 1}),
        ("House Stark\n1x “The Bear and the Maiden Fair”\n1x Even-Handed Justice\nEvents\n"
         "1x Dance of the Dragons", {"01197": 1, "03026": 1, "12036": 1}),
        ("House Stark\n3X Arya Stark (Core) *\nx2 Ice [Core]\n(2) Summer (Core 148)\n"
         "3 Xaro Xhoan Daxos",
         {"01141": 3, "01153": 2, "01148": 2, "04093": 3}),
        ("House Stark\n=== Plots: 7 ===\n1x 01004\nNymeria (WotN) (x3) [J]\n2x 08061 Nymeria",
         {"01004": 1, "03019": 3, "08061": 2}),
        ("House Stark\n3x Arya Stark (01141) [MP2]\nIce (Core Set: 153) × 2\nRobb Stark (Core) X3",
         {"01141": 3, "01153": 2, "01146": 3}),
        ("House Stark\n1x Dance of the Dragons (ATT)\n1x Ice (Core)\n===\nHouse Lannister\n"
         "1x Ice (Core)", {"25014": 1, "01153": 1}),
        ("House Stark\nPlots\n1x Wheels Within Wheels\nEvents\n1x Wheels Within Wheels",
         {"06100": 1, "16006": 1}),
    ],
)  # fmt: skip
def test_layouts_as_people_have_them(text: str, expected: dict[str, int] | None) -> None:
    if "(#141)" in text:
        found = draft(text)
        assert not found.counts  # a number means nothing without its cycle
        assert "Arya Stark (Core)" in found.unread[0].problem
        return
    assert codes(text) == (expected or WINDOW_CODES)


def test_many_marks_on_a_line_are_read_at_once() -> None:
    found = draft("House Stark\n3x Ice (Core) " + "[a] " * 40 + "x\n1x Ice (Core)")
    assert (found.counts, len(found.unread)) == ({"01153": 1}, 1)


@pytest.mark.slow
def test_every_card_is_found_by_pack_name_code_and_number() -> None:
    for code in CARDS:
        card = CARDS[code]
        by_name, number = pack_title(card), number_of(card)
        cycle = packs()[card.pack].cycle
        for pack in (card.pack, by_name, by_name.upper(), f"{by_name} #{number}"):
            assert codes(f"House Stark\n2x {card.name} ({pack})") == {code: 2}
        by_cycle = f"Packs: From A\n---- {cycle} ----\n1x {card.name} (#{number})"
        assert list(codes(by_cycle)) == [code]


def test_without_a_pack_the_earliest_version_is_taken_and_listed() -> None:
    found = draft("House Stark\n1x Arya Stark\n1x Lyn Corbray\n1x Direwolf Pup")
    assert list(found.counts) == ["01141", "00017", "01149"]
    assert [str(note).partition(" is in")[0] for note in found.notes] == [
        "Arya Stark", "Lyn Corbray"
    ]  # fmt: skip


def test_a_pack_that_has_no_such_card_is_never_replaced_in_silence() -> None:
    found = draft(
        "House Stark\n3x Arya Stark (Corr Set)\n2x Direwolf Pup (Corr Set)\n1x Direwolf Pup (TtB)"
    )
    assert found.counts == {"01149": 2}
    (arya, pup) = found.unread
    assert [card.code for card in arya.near] == sorted(c.code for c in CARDS.named("Arya Stark"))
    assert "Direwolf Pup (Core)" in pup.problem
    assert "Corr Set" in found.notes[0]


def test_all_wrong_lines_are_named_at_once_and_the_rest_stays() -> None:
    found = draft("House Stark\n3x Aria Strk (Core)\n2x Ice (Core)\n1x Roob Stark\n101x Ice (Core)")
    assert found.counts == {"01153": 2}
    assert [one.place for one in found.unread] == ["line 2", "line 4", "line 5"]
    assert [one.near[0].name for one in found.unread] == ["Arya Stark", "Robb Stark", "Ice"]
    lists = {"p1": "House Stark\n3x Aria Strk (Core)\n1x Roob Stark", "p2": "sample lannister"}
    with pytest.raises(CompanionError) as caught:
        CardGame(decks=lists)
    assert "Aria Strk" in str(caught.value)
    assert "Roob Stark" in str(caught.value)


def test_a_near_card_is_tapped_in_the_place_of_a_wrong_line() -> None:
    deck = DeckBuilder("House Stark\n3x  Aria Strk (Core)\n2x Ice (Core)")
    assert [one.text for one in deck.listed.lines] == ["House Stark", "2 × Ice"]
    deck.add("Arya Stark", "Not read")
    assert "3x Arya Stark (Core)" in deck.text.splitlines()
    assert "Aria" not in deck.text


@pytest.mark.parametrize(
    ("pack", "code"),
    [("Sands of Dorne", "10008"), ("SoD", "10008"), ("WK", "25107"), ("Core", "02115")],
)
def test_the_pack_of_a_wrong_line_chooses_among_near_cards_too(pack: str, code: str) -> None:
    deck = DeckBuilder(f"House Martell\n3x Tyene Snad ({pack})\n2x Ice (Core)")
    deck.add("Tyene Sand", "Not read")
    assert draft(deck.text).counts[code] == 3


OCTGN = """<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="30c200c9-6c98-49a4-a293-106c06295c05" sleeveid="0">
  <section name="Events" shared="False" />
  <section name="Characters" shared="False">
    <card qty="3" id="{merchant}">Steward of the Rock</card>
    <card qty="1" id="">Nymeria</card>
  </section>
  <section name="Attachments" shared="False"><card qty="1" id="">Nymeria</card></section>
  <section name="Faction" shared="False"><card qty="1" id="">House Stark</card></section>
</deck>"""


def test_octgn_is_read_by_id_and_then_by_title() -> None:
    merchant = next(
        line.partition('id="')[2].partition('"')[0]
        for line in write_deck(DeckList("", ((CARDS["01094"], 1),)), "octgn", CARDS).splitlines()
        if "Lannisport Merchant" in line
    )
    found = draft("\ufeff" + OCTGN.format(merchant=merchant))
    assert found.counts == {"01094": 3, "08061": 1, "03019": 1}
    assert found.faction == "stark"
    assert "Steward of the Rock" in found.notes[0]


@pytest.mark.parametrize(
    "deck",
    [
        {"faction_code": "thenightswatch", "slots": {"01141": 3, "17148": 1}, "agendas": ["17148"]},
        [{"faction_code": "thenightswatch", "slots": {"01141": 3}, "agendas": ["17148"]}],
        {"deck": {"deckName": "A", "faction": {"name": "The Night's Watch"},
                  "agenda": {"code": "17148"}, "drawCards": [{"count": 3, "card": "01141"}]}},
        {"faction": "thenightswatch", "agenda": "17148", "cards": [{"code": "01141", "count": 3}]},
    ],
)  # fmt: skip
def test_json_of_thronesdb_and_throneteki(deck: Any) -> None:
    found = draft(json.dumps(deck))
    assert found.counts == {"01141": 3, "17148": 1}
    assert (found.faction, found.notes) == ("nights-watch", [])


# -- the army command ------------------------------------------------------------------------------


def army(folder: Path, text: str, *more: str) -> int:
    path = folder / "deck.txt"
    path.write_text(text, encoding="utf-8")
    return main(["army", str(path), "--game", "thrones", *more])


def test_the_army_command_prints_a_deck_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert army(tmp_path, WINDOW, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["game"], said["faction"], said["agendas"]) == ("thrones", "stark", ["17148"])
    assert {one["code"]: one["count"] for one in said["cards"]} == WINDOW_CODES
    assert {"code": "01141", "title": "Arya Stark", "count": 3} in said["cards"]
    assert {one["why"] for one in said["problems"]} == {"AGOT-DECK-3", "AGOT-DECK-7"}
    assert said["notes"] == []


@pytest.mark.parametrize("code", ["utf-16", "utf-8-sig", "utf-16-be"])
def test_a_list_saved_as_unicode_by_windows_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    path = tmp_path / "deck.txt"
    mark = "\ufeff" if code == "utf-16-be" else ""
    path.write_bytes((mark + WINDOW).encode(code))
    assert main(["army", str(path), "--game", "thrones", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["cards"]
    assert {one["code"]: one["count"] for one in found} == WINDOW_CODES
    path.write_bytes(b"\xff\xfe\x00\xd8")
    assert main(["army", str(path), "--game", "thrones"]) == 2
    assert capsys.readouterr().err.endswith("byte 2: is not UTF-16 text\n")


def test_the_army_command_names_all_unread_lines_with_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert army(tmp_path, "House Stark\n3x Aria Strk\n2x Ice (Core)\n1x Roob", "--json") == 2
    said = capsys.readouterr()
    assert [line.rpartition("deck.txt: ")[2][:6] for line in said.err.splitlines()] == [
        "line 2", "line 4"
    ]  # fmt: skip
    found = json.loads(said.out)
    assert [one["code"] for one in found["cards"]] == ["01153"]
    assert len(found["unread"]) == 2


@pytest.mark.parametrize("form", LAYOUTS)
def test_the_army_command_writes_every_layout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert army(tmp_path, WINDOW, "--format", form) == 0
    assert codes(capsys.readouterr().out) == WINDOW_CODES


@pytest.mark.parametrize("agreed", ["list=nobody", "format=chess", "colour=red", "list"])
def test_the_army_command_refuses_unknown_agreements(tmp_path: Path, agreed: str) -> None:
    assert army(tmp_path, WINDOW, "--agreed", agreed) == 2


@pytest.mark.parametrize("letter", ["\u200b", "\u202e", "\u200f", "\ufeff", "\u00ad", "\x00"])
def test_letters_without_width_change_nothing(letter: str) -> None:
    text = "House Stark\n3x Winterfell Steward (Core)\n1x A Noble Cause\n"
    found = draft(letter + letter.join(text) + letter)
    assert (found.faction, found.counts) == ("stark", codes(text))


def test_a_first_line_with_a_count_is_a_card_and_not_the_name() -> None:
    found = draft("Winterfel Stewart x3\nHouse Stark\n1x A Noble Cause\n")
    assert [one.line for one in found.unread] == ["Winterfel Stewart x3"]
    found = draft("Winterfel Stewart\nHouse Stark\n1x A Noble Cause\n")
    assert [str(one) for one in found.notes] == ["'Winterfel Stewart' is taken for the deck's name"]
    for row in ("| Ice | 3 | 2 |", "3, Ice, great", "| 3 | Ice | of Valyrian steel |"):
        found = draft(f"{row}\nHouse Stark\n1x A Noble Cause\n")
        assert ([one.line for one in found.unread], found.name) == ([row], "")
    found = draft("Winterfel Stewart (Core Set)\nHouse Stark\n1x A Noble Cause\n")
    assert [str(one) for one in found.notes] == [
        "'Winterfel Stewart (Core Set)' is taken for the deck's name"
    ]


@pytest.mark.parametrize("text", ["", "9" * 4000, "<b></b><i></i>", '{"slots": {"01001": NaN}}'])
@pytest.mark.parametrize("said", [["--game", "thrones"], ["--edition", "2021"]])
def test_a_list_that_cannot_be_read_is_named_by_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: list[str]
) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(text)
    assert main(["army", str(file), *said]) == 2
    assert capsys.readouterr().err.startswith(f"companion: {file}: ")


def test_a_deck_that_is_too_long_for_a_set_up_is_told_so() -> None:
    with pytest.raises(BadInput, match=r"decks\.p1: is longer than 60000 characters"):
        CardGame(decks={"p1": "1x Winterfell\n" * 6000})


AS_PEOPLE_WRITE = {
    "| Count | Card | Pack |\n|---|:--|---|\n| 3 | Winterfell Steward | Core |\n"
    "| 1x | [A Noble Cause](https://thronesdb.com/card/01004) | |\n| 1 | House Stark | |": (),
    "| Winterfell Steward | 3 | Core Set #152 |\n| **A Noble Cause** | 1 |\nHouse Stark": (),
    "> |House Stark|\n> |Plots|\n> |1|A Noble Cause|Plot|\n> |3|Winterfell Steward|Stark|": (),
    "Count,Card,Pack\n1,House Stark,\n3x,Winterfell Steward,Core\n1,A Noble Cause,Core Set": (),
    "3;Winterfell Steward;Core\n1;A Noble Cause;Core\nStark": (),
    "Winterfell Steward\t3\tCore\nA Noble Cause\t1\nHouse Stark": (),
    "> House Stark\n> – 3x Winterfell Steward // with Robb\n> – 1x A Noble Cause # first": (),
    "```\nHouse Stark\n3х Winterfell Steward\nA Noble Cause x1\n4 cards\n```": (),
    "House Stark\n3\tWinterfell Steward\tCore Set\n1\tA Noble Cause\t(Core)": (),
    "\ufeff[b]House Stark[/b]\r\n[B]Plots (1)[/B]\r\n1x [i]A Noble Cause[/i] (Core Set)\r\n"
    "[b]Characters (3)[/b]\r\n3x [url=https://x.y/z]Winterfell Steward[/url] (Core)\r\n": (),
    "Haus Stark\n„A Noble Cause“ x1\n»Winterfell Steward« x3": (),
    "House - Stark\n1 - A Noble Cause\n3 - Winterfell Steward": (),
    "Faction: House Stark\nAgenda: none\n1: A Noble Cause\n3: Winterfell Steward": (),
    "House Stark\n1 copy of A Noble Cause\n3 copies of Winterfell Steward": (),
    "House Stark\n1*A Noble Cause\n3 * Winterfell Steward": (),
    "House Stark\n1x A Noble Cause, plot\n3x Winterfell Steward - Character": (),
    "● House Stark\n✔ 1× A Noble Cause\n★ 3× Winterfell Steward": (),
    "House Stark\nA Noble Cause (1)\nWinterfell Steward (3)": (),
    "House Stark\nA Noble Cause [Core] (1)\nWinterfell Steward (3) [Core]": (),
    "House Stark\n1x A Noble Cause - Core Set\n3x Winterfell Steward, Core Set #152": (),
    "House Stark\n1x A Noble Cause !!!\n3x Winterfell Steward (Core) <- the best": (),
    "Haus Stark\nStrategiekarten (1)\n1x A Noble Cause\n*** Charaktere: 3 ***\n"
    "3x Winterfell Steward\nEreignisse (0)\nOrte\nVerstärkungen": (),
    "Fraktion: Haus Stark\nAgenda: keine\nStrategiestapel (1)\n1x A Noble Cause\nCharakterkarten"
    "\n3x Winterfell Steward\nOrtskarten (0)\nVerstärkungskarten:\nStrategiekarte": (),
    "```\nHouse Stark\nA Noble Cause ....... 1\nWinterfell Steward .. 3\n```": (),
    "House Stark\nA Noble Cause: 1\nWinterfell Steward = 3": (),
    "House Stark\rA Noble Cause\r３x Winterfell Steward\r": (),
    "House Stark\nA Noble Cause\n3x Winterfell Steward\nSideboard (3):\n3x Ice\nPlots\n1x Filthy"
    " Accusations": ("'Sideboard (3):' was not read",),
    "House Stark\n1x A Noble Cause\n3x Winterfell Steward\n## Maybeboard\n3x Direwolf Pup": (
        "'## Maybeboard' was not read",
    ),
}


@pytest.mark.parametrize("text", AS_PEOPLE_WRITE)
def test_decks_as_people_write_them(text: str) -> None:
    """What somebody keeps beside a deck is no part of it, and that is said."""
    found = draft(text)
    assert (found.faction, found.counts, found.unread) == ("stark", {"01152": 3, "01004": 1}, [])
    assert tuple(str(one) for one in found.notes) == AS_PEOPLE_WRITE[text]


@pytest.mark.parametrize(
    ("first", "agendas"),
    [
        ("House Stark, Banner of the Lion", ["Banner of the Lion"]),
        ("Stark Fealty", ["Fealty"]),
        ("Haus Stark (Fealty)", ["Fealty"]),
        ("Stark - Banner of the Lion (Core)", ["Banner of the Lion"]),
        ("The Night's Watch / Fealty", ["Fealty"]),
        ("Stark Wolves", []),
    ],
)
def test_a_faction_and_its_agenda_in_the_first_line_are_read(
    first: str, agendas: list[str]
) -> None:
    found = draft(f"{first}\n1x A Noble Cause\n3x Winterfell Steward\n")
    names = [card_catalogue()[code].name for code in found.counts]
    assert [one for one in names if one not in ("A Noble Cause", "Winterfell Steward")] == agendas
    assert not found.unread
    assert bool(found.faction) == bool(agendas)
    assert bool(found.name) != bool(agendas)


def test_a_first_line_like_a_faction_and_an_agenda_is_the_name_where_others_name_them() -> None:
    for line in ("House Stark", "Agenda: Fealty"):
        found = draft(f"Stark Fealty\n{line}\n1x A Noble Cause\n3x Winterfell Steward\n")
        assert found.name == "Stark Fealty"


@pytest.mark.slow
def test_near_cards_are_sought_for_a_hundred_wrong_lines_at_most() -> None:
    """Four hundred took more than five seconds."""
    found = draft("House Stark\n" + "1x Winterfel Stewart\n" * 150)
    assert [bool(one.near) for one in found.unread] == [True] * 100 + [False] * 50
