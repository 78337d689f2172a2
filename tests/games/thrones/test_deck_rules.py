"""Deck rules as data: every agenda, the restricted lists, sets of their own, our table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.thrones.cards.agendas import agenda_rule, agenda_rules
from companion.games.thrones.cards.card import DRAW_TYPES, CardFacts
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck import DeckList, ready_decks
from companion.games.thrones.cards.deck_rules import DeckRules, deck_problems
from companion.games.thrones.cards.restricted import listed_cards, restricted_lists
from tests.games.thrones.driver import CardGame, Refused
from tests.games.thrones.test_deck_lists import DeckBuilder

CARDS = card_catalogue()
Counted = tuple[CardFacts, int]


def card(name: str, kind: str = "character", faction: str = "stark", **more: object) -> CardFacts:
    found = CardFacts(f"t-{name}-{kind}", name, kind, faction, cost=1)
    return replace(found, **more)  # type: ignore[arg-type]


def many(n: int, name: str = "Own", **more: object) -> list[Counted]:
    """That many cards, three of a title."""
    whole, rest = divmod(n, 3)
    numbers = [3] * whole + [rest] * bool(rest)
    return [(card(f"{name} {at}", **more), n) for at, n in enumerate(numbers)]  # type: ignore[arg-type]


def plots(n: int, name: str = "Plot", traits: str = "") -> list[Counted]:
    return [(card(f"{name} {at}", "plot", "neutral", traits=traits, limit=2), 1) for at in range(n)]


def deck(agendas: str, draw: list[Counted], plot_deck: list[Counted] | None = None) -> DeckList:
    led = [(CARDS[code], 1) for code in agendas.split()]
    found = [*led, *draw, *(plots(7) if plot_deck is None else plot_deck)]
    return DeckList("stark", tuple(found))


def rules(found: DeckList, agreed: DeckRules | None = None) -> list[str]:
    return sorted({one.why for one in deck_problems(found, agreed)})


def test_every_agenda_is_known() -> None:
    agendas = {code for code in CARDS if CARDS[code].type == "agenda"}
    assert len(agendas) == 60
    nothing = {"02060", "08079", "08099", "11039", "11118", "12045", "16027", "16029", "18019",
               "25040", "14045"}  # fmt: skip
    assert agendas - agenda_rules().keys() == nothing
    assert agenda_rules().keys() <= agendas


MAESTER = {"traits": "House Tully, Maester", "faction": "tyrell"}
SHADOW = {"keywords": ("shadow",), "faction": "tyrell"}
BANNERS = {"01198": "baratheon", "01199": "greyjoy", "01200": "lannister", "01201": "martell",
           "01202": "nights-watch", "01204": "targaryen", "01205": "tyrell"}  # fmt: skip


@pytest.mark.rule("AGOT-DECK-13", "AGOT-B-10")
@pytest.mark.parametrize(("agenda", "faction"), BANNERS.items())
def test_a_banner_admits_its_faction_and_asks_for_twelve_cards(agenda: str, faction: str) -> None:
    foreign = many(12, "Guest", faction=faction)
    assert rules(deck(agenda, [*many(48), *foreign])) == []
    few = many(11, "Guest", faction=faction)
    assert rules(deck(agenda, [*many(49), *few])) == ["AGOT-DECK-13"]
    loyal = (card("Loyal", faction=faction, loyal=True), 1)
    assert rules(deck(agenda, [*many(48), *foreign, loyal])) == ["AGOT-DECK-12"]
    other = "martell" if faction != "martell" else "tyrell"
    stranger = (card("Stranger", faction=other), 1)
    assert rules(deck(agenda, [*many(48), *foreign, stranger])) == ["AGOT-DECK-11"]
    guest_plot = (card("Guest Plot", "plot", faction), 1)
    assert rules(deck(agenda, [*many(48), *foreign], [*plots(6), guest_plot])) == ["AGOT-DECK-11"]


WEAPON, SHIELD = {"kind": "attachment", "traits": "Weapon"}, {"kind": "attachment"}


@pytest.mark.rule("AGOT-DECK-3", "AGOT-DECK-4", "AGOT-DECK-7", "AGOT-DECK-10", "AGOT-DECK-11",
                  "AGOT-DECK-13", "AGOT-DECK-2")  # fmt: skip
@pytest.mark.parametrize(
    ("agenda", "draw", "plot_deck", "broken"),
    [
        ("01027", [*many(45), *many(15, "N", faction="neutral")], None, ""),
        ("01027", [*many(45), *many(16, "N", faction="neutral")], None, "AGOT-DECK-13"),
        ("04037", many(60), [*plots(6), *plots(1, "W", "Winter")], "AGOT-DECK-13"),
        ("04037", many(60), [*plots(6), *plots(1, "S", "Summer")], ""),
        ("04038", many(60), [*plots(6), *plots(1, "S", "Summer, Kingdom")], "AGOT-DECK-13"),
        ("05045", many(60), [*plots(7), *plots(5, "S", "Scheme")], ""),
        ("05045", many(60), [*plots(8), *plots(4, "S", "Scheme")], "AGOT-DECK-13"),
        ("05045", many(60), [*plots(6), *plots(6, "S", "Scheme")], "AGOT-DECK-13"),
        ("05045", many(60), plots(7), "AGOT-DECK-13 AGOT-DECK-3"),
        ("06018 01199 01205", [*many(51), *many(12, "G", faction="greyjoy"),
                               *many(12, "T", faction="tyrell")], None, ""),
        ("06018 01199 01205", [*many(50), *many(12, "G", faction="greyjoy"),
                               *many(12, "T", faction="tyrell")], None, "AGOT-DECK-7"),
        ("06018 11039 18019", many(75), None, ""),
        ("06018 11039 04037", many(75), None, "AGOT-DECK-2"),
        ("06018 11039 18019 26080", many(75), None, "AGOT-DECK-2"),
        ("06018", many(75), None, ""),
        ("04037 04038", many(60), None, "AGOT-DECK-2"),
        ("06119", [*many(59), (card("L", loyal=True), 1)], None, "AGOT-DECK-13"),
        ("06119", [*many(59), (card("L", "event", loyal=True), 1)], None, ""),
        ("09045", [*many(48), *many(12, "M", **MAESTER)], None, ""),
        ("09045", [*many(50), *many(11, "M", **MAESTER)], None, "AGOT-DECK-13"),
        ("09045", [*many(48), *many(12, "M", **MAESTER), (card("X", faction="tyrell"), 1)], None,
         "AGOT-DECK-11"),
        ("10045", many(60), plots(10), ""),
        ("17151", many(60), [*plots(6), *((one, 2) for one, _ in plots(2, "D"))], ""),
        ("17151", many(60), [*plots(4), *((one, 2) for one, _ in plots(3, "D"))], "AGOT-DECK-4"),
        ("10045", many(60), plots(7), "AGOT-DECK-3"),
        ("11079", many(60, "N", faction="neutral"), None, ""),
        ("11079", [*many(60, "N", faction="neutral"), (card("Own"), 1)], None, "AGOT-DECK-13"),
        ("11079", many(60, "N", faction="neutral"), [*plots(6), (card("P", "plot"), 1)],
         "AGOT-DECK-13"),
        ("13079", [*many(57), *many(3, "S", **SHADOW)], None, ""),
        ("17148", [*many(57), *many(3, "S", kind="event", **SHADOW)], None, "AGOT-DECK-11"),
        ("13099", [*many(53), *((card(f"K{n}", faction="tyrell", traits="Kingsguard"), 1)
                               for n in range(7))], None, ""),
        ("13099", [*many(42), *many(18, "K", faction="tyrell", traits="Kingsguard")], None,
         "AGOT-DECK-13"),
        ("13118", [*many(74), (card("Blade", **WEAPON), 1)], None, ""),
        ("13118", [*many(74), (card("Blade", **WEAPON), 2)], None, "AGOT-DECK-10"),
        ("13118", [*many(74), (card("Ghost", **SHIELD), 1), (card("Ghost"), 1)], None,
         "AGOT-DECK-10"),
        ("17152", [*many(74), (card("Ghost", **SHIELD), 1), (card("Ghost"), 1)], None, ""),
        ("17152", [*many(74), (card("Ghost", **SHIELD), 2)], None, "AGOT-DECK-10"),
        ("16028", [*many(74), (card("Trick", "event"), 2)], None, "AGOT-DECK-10"),
        ("16028", [*many(73), (card("Trick", "event"), 1)], None, "AGOT-DECK-7"),
        ("16030", many(99), None, "AGOT-DECK-7"),
        ("16030", many(100), None, ""),
        ("17149", [*many(60), (card("E", "event", "neutral"), 1)], None, "AGOT-DECK-13"),
        ("12045", [*many(60), (card("E", "event", "neutral"), 1)], None, ""),
        ("17150", [*many(57, "N", faction="neutral"),
                   *many(3, "W", faction="tyrell", traits="Wildling")], None, ""),
        ("17150", [*many(57, "N", faction="neutral"),
                   *many(3, "W", faction="tyrell", traits="Wildling", loyal=True)], None,
         "AGOT-DECK-12 AGOT-DECK-13"),
        ("17150", [*many(57, "N", faction="neutral"), *many(3)], None, "AGOT-DECK-13"),
        ("20051", [*many(57), *many(3, "F", faction="tyrell", traits="Fool")], None, ""),
        ("20052", many(60), [*plots(6), *plots(1, "K", "Kingdom")], "AGOT-DECK-13"),
        ("21030", many(60), plots(10, "P", "War"), ""),
        ("21030", many(60), [*plots(9, "P", "Edict"), *plots(1)], "AGOT-DECK-13"),
        ("23040", [*many(48), *many(12, "A", traits="House Arryn")], None, ""),
        ("23040", [*many(49), *many(11, "A", traits="House Arryn")], None, "AGOT-DECK-13"),
        ("25080", many(60), [*plots(6), *plots(1, "O", "Omen")], "AGOT-DECK-13"),
        ("25120", [*many(51, "N", faction="neutral"), *many(9, "T", faction="tyrell")], None, ""),
        ("25120", [*many(48, "N", faction="neutral"), *many(12, "T", faction="tyrell")], None,
         "AGOT-DECK-13"),
        ("25120", [*many(48, "N", faction="neutral"), *many(12)], None, "AGOT-DECK-13"),
        ("26040", [*many(53), *((card(f"K{n}", faction="tyrell", traits="Small Council"), 1)
                               for n in range(7))], None, ""),
        ("26040", [*many(42), *many(18, "K", faction="tyrell", traits="Small Council")], None,
         "AGOT-DECK-13"),
        ("26080", [*many(59), (card("S", "location", "tyrell", traits="Warship"), 1)], None, ""),
        ("26080", [*many(59), (card("S", "location", "tyrell", traits="Warship"), 2)], None,
         "AGOT-DECK-10"),
        ("26080", [*many(59), (card("S", "location", keywords=("limited",)), 2)], None, ""),
        ("26120", [*many(59), (card("A", **WEAPON), 1)], None, ""),
        ("26120", [*many(59), (card("A", **SHIELD), 1)], None, "AGOT-DECK-13"),
    ],
)  # fmt: skip
def test_agendas_change_the_deck_rules(
    agenda: str, draw: list[Counted], plot_deck: list[Counted] | None, broken: str
) -> None:
    assert rules(deck(agenda, draw, plot_deck)) == broken.split()


DRAFT = DeckRules("draft")


@pytest.mark.rule("AGOT-LIST-5", "AGOT-DECK-13", "AGOT-AGD-1")
def test_draft_and_variant_sets_only_where_asked_for() -> None:
    guest = many(3, "G", faction="tyrell", loyal=True)
    named = deck("00001", [*many(37), *guest], plots(5))
    assert "AGOT-LIST-5" in rules(named)
    assert rules(named, DRAFT) == []
    two = deck("00001", [*many(37), *guest, (card("H", faction="martell"), 1)], plots(5))
    assert rules(two, DRAFT) == ["AGOT-DECK-13"]
    assert rules(deck("00003", list(two.of_type(*DRAW_TYPES)), plots(5)), DRAFT) == []
    knights = [(card("K", faction="tyrell", traits="Knight, Lord"), 1),
               (card("L", faction="martell", traits="Lord"), 1)]  # fmt: skip
    assert rules(deck("00366", [*many(38), *knights], plots(5)), DRAFT) == []
    odd = (card("O", faction="martell", traits="Army"), 1)
    assert rules(deck("00366", [*many(37), *knights, odd], plots(5)), DRAFT) == ["AGOT-DECK-13"]
    assert "AGOT-LIST-5" not in rules(deck("00030", many(60)), DeckRules(sets=("variant",)))


# -- lists -----------------------------------------------------------------------------------------


def listed(code: str, *names: str, melee: bool = False) -> list[str]:
    cards = tuple((CARDS[one], 1) for one in names)
    agreed = DeckRules("melee" if melee else "joust", code)
    return [why for why in rules(DeckList("stark", cards), agreed) if why.startswith("AGOT-LIST")]


@pytest.mark.rule("AGOT-LIST-1", "AGOT-LIST-2", "AGOT-LIST-3", "AGOT-LIST-4")
def test_restricted_banned_and_pod_lists() -> None:
    assert len(restricted_lists()) == 32
    assert listed("ffg1.2", "17101") == ["AGOT-LIST-1"]
    assert listed("ffg1.1", "17101") == []
    assert listed("ffg1.2", "01001", "01013") == []
    assert listed("ffg1.2", "01001", "01013", melee=True) == ["AGOT-LIST-2"]
    assert listed("ffg1.2", "01001", melee=True) == []
    assert listed("conclave2.0", "13085", "04026") == ["AGOT-LIST-4"]
    assert "AGOT-LIST-4" not in listed("conclave2.0", "04026", "11085")
    pod = next(one for one in listed_cards("gotstandard2.1")
               if (one.format, one.kind) == ("joust", "pod"))  # fmt: skip
    first, second, *_ = sorted(pod.codes)
    assert "AGOT-LIST-3" in listed("gotstandard2.1", first, second)
    assert "AGOT-LIST-3" not in listed("gotstandard2.1", first)


def test_the_lists_have_as_many_cards_as_they_say() -> None:
    total = sum(len(group.codes) for code in restricted_lists() for group in listed_cards(code))
    assert total == 6658


# -- our table -------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-DECK-7")
def test_our_table_allows_it_and_the_record_says_so() -> None:
    short = "House Stark\nFealty (Core)\n7x A Noble Cause (Core)\n40x Direwolf Pup (Core)"
    with pytest.raises(Refused) as caught:
        CardGame(decks={"p1": short})
    assert caught.value.asks == "allowed"
    for game in (
        CardGame(decks={"p1": short}, allowed=["p1"]),
        CardGame(decks={"p1": f"{short}\nAllowed: our table"}),
    ):
        waived = game.setup["allowed"]["p1"]
        assert any(text.startswith("AGOT-DECK-7: ") for text in waived)
        assert game.state.house("p1").allowed == tuple(waived)


def test_our_table_allows_it_by_a_tap() -> None:
    builder = DeckBuilder("House Stark\n2x Ice (Core)")
    assert any(one.stops for one in builder.step.problems if one.seat == "p1")
    way = "If all agree: “Our table”, “Our table allows it”"
    assert way in [str(one.text) for one in builder.step.problems], "the way out is said"
    builder.add("Our table allows it", "Our table")
    assert way not in [str(one.text) for one in builder.step.problems]
    assert str(builder.listed.total).endswith(" · Our table allows it"), "the last page says so"
    assert not any(one.stops for one in builder.step.problems if one.seat == "p1")
    assert builder.rules >= {"AGOT-DECK-7"}, "what is broken is still said"
    line = builder.listed.lines[0]
    assert line.line in builder.text.splitlines(), "the line can be taken off again"


def test_a_chosen_list_is_part_of_the_set_up() -> None:
    stark = "\n".join(f"{n}x {one.name} ({one.pack})" for one, n in
                      ready_decks()[3].deck(CARDS).cards)  # fmt: skip
    decks = {"p1": f"House Stark\n{stark}"}
    assert "list" not in CardGame(decks=decks).setup
    game = CardGame(decks={"p1": "sample stark"}, list="ffg1.1")
    assert game.setup["list"] == "ffg1.1"
    banned = next(code for group in listed_cards("gotstandard2.1") if group.kind == "banned"
                  for code in group.codes if CARDS[code].faction == "stark")  # fmt: skip
    asked = f"{decks['p1']}\n1x {CARDS[banned].name} ({CARDS[banned].pack})"
    with pytest.raises(Refused) as caught:
        CardGame(decks={"p1": asked}, list="gotstandard2.1")
    assert caught.value.why == "AGOT-LIST-1"


def test_the_seven_rules_of_set_up_gold_are_data() -> None:
    assert [agenda_rule(code).setup_gold for code in ("01027", "08039", "00367")] == [8, 4, 6]
    assert agenda_rule("13039").setup_gold < 0


@pytest.mark.rule("AGOT-DECK-5")
def test_the_lowest_limit_of_the_versions_of_a_plot_holds() -> None:
    """One copy of each version of Return to the Fields: the newer one allows a single copy."""
    versions = [(one, 1) for one in CARDS.named("Return to the Fields")]
    assert {one.limit for one, _ in versions} == {1, 2}
    for order in (versions, versions[::-1]):
        deck = DeckList("stark", (*order, *plots(5), *many(60)))
        assert [one.why for one in deck_problems(deck, DeckRules())] == ["AGOT-DECK-5"]
