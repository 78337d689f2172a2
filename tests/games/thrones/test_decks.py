"""The catalogue, deck lists in every format, and the rules of deck building."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.thrones.cards import catalogue
from companion.games.thrones.cards.card import FACTIONS, KEYWORDS, CardFacts
from companion.games.thrones.cards.catalogue import card_catalogue, read_cards, search
from companion.games.thrones.cards.deck import DeckList, with_sample
from companion.games.thrones.cards.deck_reader import read_whole
from companion.games.thrones.cards.deck_rules import deck_problems
from companion.session.game_lookup import every_screen
from models import CompanionError
from models.field import Field, parse_toml
from tests.games.thrones.decks import game
from tests.games.thrones.driver import CardGame, Refused

CATALOGUE = card_catalogue()


def deck(text: str) -> DeckList:
    return read_whole(text, CATALOGUE).deck()


def changed(**counts: int) -> str:
    """The sample deck of House Stark with other numbers of some cards; new ones at the end."""
    lines = with_sample("sample stark").splitlines()
    names = {name.replace("_", " "): count for name, count in counts.items()}
    found = []
    for line in lines:
        name = line.partition("x ")[2].partition(" (")[0]
        if name in names:
            count = names.pop(name)
            if count:
                found.append(f"{count}x {name} (Core)")
        else:
            found.append(line)
    return "\n".join([*found, *(f"{n}x {name}" for name, n in names.items())])


def broken(text: str) -> set[str]:
    """The rules that a deck breaks."""
    return {one.why for one in deck_problems(deck(text))}


# -- catalogue -------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-CMP-2", "AGOT-CMP-5", "AGOT-CMP-4")
def test_every_card_is_neutral_or_of_one_of_eight_factions() -> None:
    factions = {CATALOGUE[code].faction for code in CATALOGUE}
    assert factions == {*FACTIONS, "neutral"}
    assert len(list(CATALOGUE)) == 2226
    loyal = [CATALOGUE[code] for code in CATALOGUE if CATALOGUE[code].loyal]
    assert loyal
    assert all(card.faction != "neutral" for card in loyal)


@pytest.mark.rule("AGOT-CMP-8", "AGOT-CMP-9", "AGOT-CMP-10", "AGOT-CMP-15", "AGOT-KEY-1")
def test_a_card_has_its_numbers() -> None:
    (plot,) = CATALOGUE.named("A Clash of Kings")
    assert (plot.gold, plot.initiative, plot.claim, plot.reserve) == (4, 9, 1, 6)
    tywin = CATALOGUE["01090"]
    assert (tywin.strength, tywin.cost, tywin.unique, tywin.loyal) == (6, 7, True, True)
    assert tywin.icons == ("military", "intrigue", "power")
    assert set(tywin.keywords) <= set(KEYWORDS)


@pytest.mark.rule("AGOT-GEN-6")
def test_versions_of_a_card_share_their_title() -> None:
    versions = CATALOGUE.named("arya stark")
    assert len(versions) == 4
    assert len({card.name for card in versions}) == 1


@pytest.mark.rule("AGOT-GEN-9")
def test_x_is_zero_until_it_is_chosen() -> None:
    card = CATALOGUE["01101"]
    assert (card.cost, card.variable) == (0, ("cost",))


def test_names_are_searched_and_nearest_names_found() -> None:
    assert CATALOGUE.nearest("Aria Strk")[0] == "Arya Stark"
    assert "Tywin Lannister" in CATALOGUE.nearest("tywin")
    assert {card.name for card in search(CATALOGUE, "stark arya")} == {"Arya Stark"}
    found = game().do("cards", name="Direwolf Pup")
    assert found.answer["cards"][0]["code"] == "01149"
    assert found.do("cards", name="Direwolf Pap").answer["near"][0] == "Direwolf Pup"


def test_players_add_and_replace_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "thrones-cards"
    folder.mkdir()
    (folder / "own.toml").write_text(
        'format = "table-companion/thrones-cards/1"\n[character]\n'
        '"01141" = { name = "Arya Stark", cost = 4, strength = 3, keywords = "Fierce, Stealth" }\n'
        '"my1" = { name = "Innkeeper", cost = 1, strength = 1, icons = "i" }\n'
        '"my2" = { name = "Rider", cost = 1, strength = 1, keywords = "Ambush (2). Renown." }\n'
    )
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    own = card_catalogue()
    assert own["01141"].keywords == ("fierce", "stealth"), "unknown keywords are kept"
    assert own.named("Innkeeper")[0].icons == ("intrigue",)
    assert own["my2"].keywords == ("ambush", "renown"), "as the card prints them"
    assert own["my2"].keyword_number("ambush") == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('format = "x"', "is not 'table-companion/thrones-cards/1'"),
        ('format = "table-companion/thrones-cards/1"\ncharacter = 3', "character: is not a table"),
        ('format = "table-companion/thrones-cards/1"\n[character]\na = {}', "'name' is missing"),
        (
            'format = "table-companion/thrones-cards/1"\n[plot]\na = {name="b", icons="z"}',
            "icons",
        ),
        (
            'format = "table-companion/thrones-cards/1"\n[plot]\na = {name="b", cost=-1}',
            "plot.a.cost",
        ),
    ],
)
def test_a_wrong_card_file_is_named_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(CompanionError, match=complaint):
        read_cards(parse_toml(text, "own.toml"))


def test_a_card_is_written_and_read_again() -> None:
    for code in CATALOGUE:
        card = CATALOGUE[code]
        assert CardFacts.read(card.code, card.type, Field(card.to_json())) == card


# -- formats ---------------------------------------------------------------------------------------


def as_json(found: DeckList) -> str:
    slots = {card.code: n for card, n in found.cards}
    return json.dumps({"name": "Mine", "faction_code": found.faction, "slots": slots})


def as_octgn(found: DeckList) -> str:
    lines = ["<?xml version='1.0' encoding='utf-8'?>", "<deck game='x'>"]
    lines.append('<section name="Faction"><card qty="1" id="y">House Stark</card></section>')
    for kind in ("agenda", "plot", "character", "location", "attachment", "event"):
        lines.append(f'<section name="{kind.capitalize()}s">')
        for card, n in found.of_type(kind):
            lines.append(f'<card qty="{n}" id="z">{card.name} ({card.pack})</card>')
        lines.append("</section>")
    return "\n".join([*lines, "</deck>"])


def as_lines(found: DeckList) -> str:
    return "\n".join(f"{n} {card.name} ({card.pack})" for card, n in found.cards)


def as_thronesdb(found: DeckList) -> str:
    lines = ["Winter: the deck", "", "House Stark", "Fealty", "Packs: From Core Set to Core Set"]
    for kind in ("plot", "character", "location", "attachment", "event"):
        lines += ["", f"{kind.capitalize()} ({sum(n for _, n in found.of_type(kind))}):"]
        lines += [f"{n}x {card.name} ({card.pack})" for card, n in found.of_type(kind)]
    return "\n".join(lines)


@pytest.mark.parametrize("write", [as_json, as_octgn, as_lines, as_thronesdb])
def test_every_format_reads_the_same_deck(write: Any) -> None:
    plain = deck("sample stark")
    read = deck(write(plain))
    assert read.faction == "stark"
    assert dict(read.cards) == dict(plain.cards)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3x Aria Strk (Core)", "line 1: no card 'Aria Strk'; near: Arya Stark"),
        ("Stark\n61x Zyxqwvut", "line 2: no card 'Zyxqwvut'"),
        ("100x Arya Stark (Core)", "100 copies of Arya Stark"),
        ("60x Arya Stark (Core)\n61x Arya Stark (Core)", "line 2: 121 copies of Arya Stark"),
        ("", "holds no card"),
        ('{"slots": {"99999": 3}}', "slots.99999: no card has the code '99999'"),
        ('{"slots": {"01141": "x"}}', "slots.01141: 'x' is not a number"),
        ('{"cards": []}', "holds no card"),
        ('{"deck": 3}', "holds no 'slots'"),
        ("<deck><section>", "not XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><deck/>', "holds definitions"),
        ("x" * 70_000, "is longer than"),
        ("3x Arya" + " (Core" * 5000, "line 1: is longer than 200 characters"),
        ("\n" * 500 + "3x Arya Stark", "more than"),
    ],
)
def test_a_wrong_list_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(CompanionError) as caught:
        deck(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_version_taken_by_guess_is_noted() -> None:
    notes = read_whole("House Stark\n3x Arya Stark", CATALOGUE).notes
    assert len(notes) == 1
    assert "several packs" in notes[0]


# -- rules -----------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-DECK-8", "AGOT-CMP-3", "AGOT-DECK-14", "AGOT-DECK-2")
def test_the_sample_decks_are_legal() -> None:
    for name in ("stark", "lannister"):
        found = deck(f"sample {name}")
        assert not list(deck_problems(found))
        assert (found.faction, found.size, len(found.plots)) == (name, 60, 7)
    assert not broken(changed(Bran_Stark=3)), "more than 60 is fine"
    assert not broken(with_sample("sample stark").replace("Fealty (Core)\n", "")), "no agenda"


@pytest.mark.rule(
    "AGOT-DECK-1", "AGOT-DECK-3", "AGOT-DECK-4", "AGOT-DECK-5", "AGOT-DECK-7", "AGOT-DECK-9",
    "AGOT-DECK-10", "AGOT-DECK-11", "AGOT-DECK-12", "AGOT-V-47",
)  # fmt: skip
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (changed(A_Noble_Cause=0), "AGOT-DECK-3"),
        (changed(A_Noble_Cause=2), "AGOT-DECK-3"),
        (changed(A_Noble_Cause=2, A_Clash_of_Kings=2, Building_Orders=0, A_Game_of_Thrones=0),
         "AGOT-DECK-4"),
        (changed(A_Noble_Cause=3, Building_Orders=0, A_Game_of_Thrones=0), "AGOT-DECK-4"),
        (changed(Blood_of_the_Dragon=1, Building_Orders=0), "AGOT-DECK-12"),
        (changed(Arya_Stark=1), "AGOT-DECK-7"),
        (changed(Arya_Stark=4), "AGOT-DECK-9"),
        (changed(Cersei_Lannister=1), "AGOT-DECK-12"),
        (changed(Burned_Men=1), "AGOT-DECK-11"),
        ("7x A Noble Cause", "AGOT-DECK-1"),
    ],
)  # fmt: skip
def test_every_broken_deck_rule_has_its_number(text: str, rule: str) -> None:
    assert rule in broken(text)


def own(**limits: int) -> list[dict[str, Any]]:
    """Invented plots and a card with a limit on the copies."""
    plots = [
        {"code": f"p{n}", "type": "plot", "name": f"Plot {n}", "limit": limits.get(f"p{n}", 2)}
        for n in range(8)
    ]
    return [*plots, {"code": "b", "type": "character", "name": "B", "cost": 1,
                     "limit": limits.get("b", 3)}]  # fmt: skip


@pytest.mark.rule("AGOT-DECK-5", "AGOT-DECK-6", "AGOT-DECK-10")
@pytest.mark.parametrize(
    ("limits", "counts", "rule"),
    [
        ({"p0": 1}, {"p0": 2}, "AGOT-DECK-5"),
        ({"p0": 3}, {"p0": 4}, "AGOT-DECK-6"),
        ({"p0": 3}, {"p0": 3, "p1": 2}, "AGOT-DECK-4"),
        ({"b": 2}, {"b": 60}, "AGOT-DECK-10"),
        ({"b": 59}, {"b": 60}, "AGOT-DECK-10"),
        ({"b": 60}, {"b": 60}, ""),
        ({"b": 60, "p0": 3}, {"b": 60, "p0": 3}, ""),
    ],
)
def test_limits_printed_on_cards(limits: dict[str, int], counts: dict[str, int], rule: str) -> None:
    plots = {f"p{n}": 1 for n in range(7)} | {k: n for k, n in counts.items() if k != "b"}
    for name in [f"p{n}" for n in range(6, 0, -1)]:
        if sum(plots.values()) > 7 and plots[name] == 1:
            plots[name] = 0
    cards = own(**limits)
    names = {one["code"]: one["name"] for one in cards}
    lines = [f"{n}x {names[code]}" for code, n in plots.items() if n]
    lines += ["House Stark", f"{counts.get('b', 60)}x B"]
    lists = {"p1": "\n".join(lines), "p2": "sample lannister"}
    limits.setdefault("b", 60)
    cards = own(**limits)
    if not rule:
        assert CardGame(decks=lists, cards=cards).state.round == 1
        return
    with pytest.raises(Refused) as caught:
        CardGame(decks=lists, cards=cards)
    assert caught.value.why == rule


@pytest.mark.rule("AGOT-DECK-2")
def test_two_agendas_are_refused() -> None:
    assert broken(changed(Banner_of_the_Lion=1, Arya_Stark=2)) >= {"AGOT-DECK-2"}


@pytest.mark.rule("AGOT-DECK-13", "AGOT-B-10")
@pytest.mark.parametrize(("count", "legal"), [(11, False), (12, True)])
def test_a_banner_admits_twelve_cards_that_are_not_loyal(count: int, legal: bool) -> None:
    text = with_sample("sample stark").replace("Fealty (Core)", "Banner of the Rose (Core)")
    every = (CATALOGUE[code] for code in sorted(CATALOGUE))
    of_core = [card for card in every if card.pack == "Core" and card.faction == "tyrell"]
    found = [card for card in of_core if card.type == "character" and not card.loyal][:4]
    lines = [f"{min(3, count - 3 * at)}x {card.name} (Core)" for at, card in enumerate(found)]
    rules = broken("\n".join([text, *lines]))
    assert rules == (set() if legal else {"AGOT-DECK-13"})


@pytest.mark.rule("AGOT-DECK-13")
def test_other_exceptions_are_asked_for_and_then_trusted() -> None:
    lists = {"p1": changed(Burned_Men=1)}
    with pytest.raises(Refused) as caught:
        CardGame(decks=lists)
    assert (caught.value.why, caught.value.asks) == ("AGOT-DECK-11", "allowed")
    assert CardGame(decks=lists, allowed=["p1"]).state.round == 1


def test_the_catalogue_is_read_only_when_the_game_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The home screen asks every game for its name, its seats and its practice game."""

    def read(path: object) -> None:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(catalogue, "load_toml", read)
    for cached in (catalogue.shipped_entries, catalogue.shipped_names, catalogue.shipped_card):
        cached.cache_clear()
    for screen in every_screen():
        for name in screen.games:
            assert screen.name(name)
            assert screen.seat_range(name).least
            assert screen.space(name).kind
            screen.practice(name)
    with pytest.raises(AssertionError, match="was read"):
        card_catalogue().names()
