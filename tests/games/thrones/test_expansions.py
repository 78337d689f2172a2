"""The expansions: printed modifiers, keywords with values, shadows, agendas in play."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.turn_view import form_view
from companion.games.api.play import Accepted, Event
from companion.games.api.prompt import PromptForm
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.numbers import dominance_total, plot_value
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.screen.card_text import house_texts
from companion.games.thrones.screen.pages import pages
from tests.games.thrones.decks import CARDS, LINES, character, fight, other, plot
from tests.games.thrones.driver import CardGame, copy_of
from tests.games.thrones.test_wrong_calls import whole_screen

MORE: list[dict[str, Any]] = [
    other("ro", "location", "Rose Road", cost=1, gold=1, reserve=1),
    other("ti", "character", "Lord Tax", cost=3, strength=2, icons="mip", gold=2, initiative=-1),
    other("be", "character", "Banker", cost=1, strength=1, icons="i", keywords="bestow 3"),
    *(character(f"as{n}", f"Assault {n}", 5, keywords="assault") for n in (1, 2)),
    other("ch", "location", "Cheap Hall", cost=0), other("l4", "location", "Hall", cost=4),
    other("l5", "location", "Great Hall", cost=5),
    character("pr", "Prize", 2, keywords="prized 1"),
    other("pe", "event", "Costly Glory", cost=0, keywords="prized 2"),
    character("sh", "Spy", 3, keywords="shadow 4"),
    other("su", "character", "Hidden Prince", strength=3, icons="mip", unique=True,
          keywords="shadow 2", cost=6),
    other("se", "event", "Dark Deed", cost="-", keywords="shadow 1"),
    other("sa", "attachment", "Dark Cloak", cost=1, keywords="shadow 1"),
    character("no", "Picky", 2, keywords="no attachments except Weapon"),
    other("we", "attachment", "Spear", cost=1, traits="Weapon"),
    character("a4", "Ambusher", 3, keywords="ambush 4"),
    other("lo", "location", "Red House", cost=3, unique=True),
    other("lc", "location", "Cheap House", cost=2, unique=True),
    {**plot("gs", "Summer Plot", 5, 4, 1, 6), "traits": "Summer"},
    {**plot("gw", "Winter Plot", 5, 4, 1, 6), "traits": "Winter"},
    {**plot("gc", "Scheme Plot", 5, 4, 1, 6), "traits": "Scheme"},
    {**plot("gp", "Prized Plot", 5, 4, 1, 6), "keywords": "prized 2"},
]  # fmt: skip
NAMES = [f"{1 if one['type'] == 'plot' else 3}x {one['name']}" for one in MORE]
TEXT = "\n".join([*LINES, *NAMES])


def game(players: int = 2, agendas: dict[str, str] | None = None, **asked: Any) -> CardGame:
    """A game with the further cards in every deck."""
    decks = {f"p{n + 1}": TEXT for n in range(players)}
    for seat, agenda in (agendas or {}).items():
        decks[seat] += f"\n1x {agenda}"
    return CardGame(players, decks=decks, cards=[*CARDS, *MORE], unchecked=True, **asked)


def begun(step: str = "AW4", players: int = 2, **asked: Any) -> CardGame:
    found = game(players, **asked)
    found.plots(**dict.fromkeys(found.state.seats, "Plain Plot"))
    return found.until(step)


def value(found: CardGame, seat: str, stat: str) -> int:
    return plot_value(found.state, seat, stat)


# -- printed modifiers -----------------------------------------------------------------------------


@pytest.mark.rule("AGOT-PLOT-22", "AGOT-PLOT-24", "AGOT-KEY-44")
def test_printed_modifiers_count_while_the_card_is_in_play_and_not_blank() -> None:
    found = begun("AW1")
    road, lord = found.put("p1", "Rose Road"), found.put("p1", "Lord Tax")
    assert [value(found, "p1", one) for one in ("gold", "initiative", "reserve")] == [8, 3, 7]
    assert value(found, "p2", "gold") == 5
    found.do("modify", target=road, stat="blank", value=1, until="round")
    assert [value(found, "p1", one) for one in ("gold", "reserve")] == [7, 6]
    found.until("AW3")
    assert found.house("p1").gold == 7, "the income counts them"
    found.do("leave", cards=[lord], how="discarded", save="none")
    assert value(found, "p1", "gold") == 5
    lines = [line for one in whole_screen(found) for line in getattr(one, "lines", ())]
    assert any("Rose Road" in str(line) for line in lines) is False, "it is blank"


def test_the_shipped_numbers() -> None:
    cards = card_catalogue()
    tywin, eyrie = cards["01090"], cards["23031"]
    assert (tywin.gold, eyrie.initiative, eyrie.reserve) == (2, -2, 1)
    assert cards["13039"].gold == 3
    changing = [
        card
        for card in (cards[code] for code in cards)
        if card.type != "plot" and any((card.gold, card.initiative, card.reserve, card.claim))
    ]
    assert len(changing) == 103
    assert sum(cards[one].keyword_number("shadow") is not None for one in cards) == 196
    assert max(cards[one].keyword_number("bestow") or 0 for one in cards) == 10


# -- keywords with values --------------------------------------------------------------------------


def form_of(found: CardGame, seat: str, text: str) -> PromptForm:
    (asked,) = prompts(found.state, seat)
    return next(one for one in asked.forms if str(one.text) == text)


def send(found: CardGame, form: PromptForm, **chosen: Any) -> CardGame:
    """Send a form as a screen does: what is chosen, and what it proposes itself."""
    filled = FilledForm.begin(form_view(form, str, ())).with_values(chosen)
    assert isinstance(filled, FilledForm), filled
    values = filled.finished()
    assert isinstance(values, dict), values
    command = {**form.command, **values}
    return found.do(command.pop("do"), **command)


@pytest.mark.rule("AGOT-KEY-18")
def test_the_form_of_ambush_tells_and_takes_the_printed_price() -> None:
    found = begun().set("p1", "gold", 5)
    form = form_of(found, "p1", "Ambush")
    assert dict(form.entries[0].options)["a4"] == "Ambusher (4 gold)"
    send(found, form, card="a4")
    assert found.titles == ["Anna ambushes with Ambusher for 4 gold"]
    assert found.house("p1").gold == 1
    found = begun().set("p1", "gold", 5)
    send(found, form_of(found, "p1", "Ambush"), card="a4", gold=2)
    assert found.house("p1").gold == 3, "another price, if a card says so"
    found = begun().set("p1", "gold", 5)
    form = form_of(found, "p1", "Ambush")
    assert dict(form.entries[0].options)["ab"] == "Hidden Men (X gold)"
    filled = FilledForm.begin(form_view(form, str, ())).with_values({"card": "ab"})
    assert isinstance(filled, FilledForm)
    assert [one.name for one in filled.missing()] == ["gold"], "no price is known: it is asked for"
    found = begun().set("p1", "gold", 3)
    form = form_of(found, "p1", "Ambush")
    assert form.entries[0].options[-1] == ("a4", "Ambusher (4 gold: not enough gold)")
    filled = FilledForm.begin(form_view(form, str, ())).with_values({"card": "a4"})
    assert isinstance(filled, FilledForm)
    assert [one.name for one in filled.missing()] == ["gold"], "only a card's text makes it cheaper"


@pytest.mark.rule("AGOT-SHD-5", "AGOT-SHD-14", "AGOT-SHD-19")
def test_the_forms_of_shadows_tell_and_take_the_printed_price() -> None:
    found = begun("AW3").set("p1", "gold", 9)
    plain = CardGame().plots().until("AW3")
    texts = {str(one.text) for one in prompts(plain.state)[0].forms}
    assert "Into shadows (2 gold)" not in texts, "no deck at this table has such a card"
    dark = form_of(found, "p1", "Into shadows (2 gold)")
    assert dict(dark.entries[0].options)["sh"] == "Spy", "its cost does not matter here"
    send(found, dark, card="sh").do("into-shadows", card="Dark Deed")
    assert found.house("p1").gold == 5
    found.do("pass", seat="p2")
    out = form_of(found, "p1", "Out of shadows")
    assert dict(out.entries[0].options) == {"sh": "Spy (4 gold)"}
    send(found, out, card="sh")
    assert found.house("p1").gold == 1
    found.do("pass", seat="p2")
    event = form_of(found, "p1", "Event from shadows")
    assert dict(event.entries[0].options) == {"se": "Dark Deed (1 gold)"}
    send(found, event, card="se")
    assert found.house("p1").gold == 0


@pytest.mark.rule("AGOT-GEN-10", "AGOT-INI-3")
def test_the_x_of_a_cost_is_asked_for_and_never_taken_for_0() -> None:
    found = begun("AW3").set("p1", "gold", 4)
    quick = form_of(found, "p1", "Play an event")
    assert "ex" not in dict(quick.entries[0].options)
    form = form_of(found, "p1", "Event at another cost")
    assert dict(form.entries[0].options)["ex"] == "Costly Trick (X gold)"
    send(found, form, card="ex", x=3)
    assert found.house("p1").gold == 1


@pytest.mark.rule("AGOT-KEY-30", "AGOT-KEY-32", "AGOT-KEY-18")
def test_the_price_of_ambush_is_printed() -> None:
    found = begun()
    found.set("p1", "gold", 3)
    assert found.refused("ambush", card="Ambusher") == "AGOT-INI-3"
    found.set("p1", "gold", 5).do("ambush", card="Ambusher")
    assert found.house("p1").gold == 1
    found.set("p1", "gold", 5).do("ambush", seat="p1", card="Hidden Men", gold=2)
    assert found.house("p1").gold == 3, "where no number is known, players say it"


@pytest.mark.rule("AGOT-KEY-23")
def test_no_attachments_except_some() -> None:
    found = begun()
    host = found.put("p1", "Picky")
    assert found.refused("put-into-play", seat="p1", card="Sword", host=host) == "AGOT-KEY-23"
    found.put("p1", "Spear", host=host)


@pytest.mark.rule("AGOT-KEY-33", "AGOT-KEY-34", "AGOT-KEY-35", "AGOT-KEY-36", "AGOT-KEY-31",
                  "AGOT-OR-27", "AGOT-OR-31", "AGOT-W-1")  # fmt: skip
@pytest.mark.parametrize("gold", [0, 1, 2])
def test_bestow_moves_up_to_x_gold_onto_the_card(gold: int) -> None:
    found = begun("AW3")
    found.set("p1", "gold", 3).do("marshal", card="Banker")
    (prompt,) = prompts(found.state)
    assert (prompt.id, prompt.seats) == ("bestow", ("p1",))
    assert [one.commands[0]["gold"] for one in prompt.choices] == [0, 1, 2]
    assert found.refused("bestow", gold=3) == "AGOT-KEY-35"
    assert found.refused("pass", all=True) == "AGOT-KEY-34"
    assert whole_screen(found)
    found.do("bestow", gold=gold)
    (card,) = [one for one in found.state.cards if one.name == "Banker"]
    assert (dict(card.tokens).get("gold", 0), found.house("p1").gold) == (gold, 2 - gold)
    assert prompts(found.state)[0].id == "window"
    found.set("p1", "gold", 9).put("p1", "Banker")
    assert found.refused("bestow", gold=4) == "AGOT-KEY-33"
    found.do("bestow", gold=3)
    assert copy_of(found) == found.state


@pytest.mark.rule(
    "AGOT-KEY-37", "AGOT-KEY-40", "AGOT-KEY-38", "AGOT-KEY-39", "AGOT-DOM-1", "AGOT-W-2"
)
def test_bestowed_gold_is_not_in_the_pool() -> None:
    found = game(ready=False)
    found.do("mulligan", take=False).do("mulligan", take=False)
    found.do("place", cards=["Banker"]).do("place", cards=[])
    assert found.state.round == 1, "set-up cards get no bestow"
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW4")
    card = found.put("p1", "Banker")
    if found.state.bestowing:
        found.do("bestow", gold=0)
    found.do("tokens", card=card, token="gold", change=4)
    strong = found.put("p1", "Strength 3")
    weak = [one.id for one in found.state.cards if one.id != strong and not one.kneeling]
    found.do("kneel", cards=weak).set("p1", "gold", 1)
    assert dominance_total(found.state, "p1") == 4
    found.do("leave", cards=[card], how="discarded", save="none")
    assert found.house("p1").gold == 1


ASSAULT = {"type": "military"}


def assaulted(*attackers: str, target: str = "Hall") -> tuple[CardGame, list[str], str]:
    found = begun()
    mine = [found.put("p1", one) for one in attackers]
    location = found.put("p2", target)
    found.until("4.2")
    return found, mine, location


@pytest.mark.rule(
    "AGOT-KEY-41", "AGOT-KEY-42", "AGOT-KEY-43", "AGOT-KEY-48", "AGOT-OR-28", "AGOT-W-3", "AGOT-W-4"
)
@pytest.mark.parametrize(("target", "legal"),
                         [("Great Hall", False), ("Hall", True), ("Cheap Hall", True)])  # fmt: skip
def test_assault_chooses_one_cheaper_location(target: str, legal: bool) -> None:
    found, mine, location = assaulted("Assault 1", "Assault 2", target=target)
    asked = {**ASSAULT, "attackers": mine, "assault": location}
    if not legal:
        assert found.refused("challenge", **asked) == "AGOT-KEY-41"
        return
    own = found.put("p1", "Cheap Hall")
    assert found.refused("challenge", **{**asked, "assault": own}) == "AGOT-KEY-41"
    other_man = found.put("p1", "Strength 9")
    refused = found.refused("challenge", **{**asked, "attackers": [other_man]})
    assert refused == "AGOT-KEY-41"
    found.do("challenge", **asked)
    assert found.state.challenge is not None
    assert found.state.challenge.assault == location


@pytest.mark.rule(
    "AGOT-KEY-44", "AGOT-KEY-45", "AGOT-KEY-46", "AGOT-KEY-47", "AGOT-W-5", "AGOT-W-6", "AGOT-W-7"
)
@pytest.mark.parametrize(("left", "kneels"), [(("Assault 1", "Assault 2"), True),
                                              (("Assault 1", "Strength 9"), False)])  # fmt: skip
def test_an_assaulted_location_is_blank_and_kneels_if_the_attacker_wins(
    left: tuple[str, str], kneels: bool
) -> None:
    found, mine, location = assaulted(*left, target="Rose Road")
    assert value(found, "p2", "reserve") == 7
    found.do("challenge", type="military", attackers=mine, assault=location)
    assert (value(found, "p2", "gold"), value(found, "p2", "reserve")) == (5, 6)
    found.do("remove-from-challenge", card=mine[0])
    assert value(found, "p2", "reserve") == 6, "it stays blank"
    found.until("4.2.2")
    assert found.card(location).kneeling is kneels
    found.do("continue").until("4.2")
    assert value(found, "p2", "reserve") == 7
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-KEY-46", "AGOT-KEY-49")
def test_an_assaulted_location_of_a_winning_defender_stands() -> None:
    found, mine, location = assaulted("Assault 1")
    strong = found.put("p2", "Strength 9")
    found.do("challenge", type="military", attackers=mine, assault=location)
    found.until("4.2.1").do("defend", defenders=[strong]).until("4.2.2")
    assert not found.card(location).kneeling
    found.do("leave", cards=[location], how="discarded", save="none")
    assert found.state.challenge is not None
    assert found.state.challenge.assault == ""


@pytest.mark.rule("AGOT-KEY-50")
def test_a_location_that_assault_cannot_kneel_is_blank_and_stands_again() -> None:
    found, mine, location = assaulted("Assault 1", target="Rose Road")
    found.do("challenge", type="military", attackers=mine, assault=location).until("4.2.2")
    found.do("stand", cards=[location])
    assert not found.card(location).kneeling
    assert value(found, "p2", "reserve") == 6, "a legal choice: it is blank all the same"


@pytest.mark.rule(
    "AGOT-KEY-52", "AGOT-KEY-53", "AGOT-KEY-56", "AGOT-KEY-57", "AGOT-KEY-58", "AGOT-W-8"
)
def test_prized_gives_power_to_each_opponent() -> None:
    found = begun(players=4)
    card = found.put("p1", "Prize")
    found.do("modify", target=card, stat="keyword-prized", value=1, until="round")
    found.do("leave", cards=[card], how="killed", save="none")
    assert [found.power(seat) for seat in found.state.seats] == [0, 2, 2, 2]
    blank = found.put("p1", "Prize", **{"from": "deck"})
    found.do("modify", target=blank, stat="blank", value=1, until="round")
    found.do("leave", cards=[blank], how="discarded", save="none")
    assert found.power("p2") == 2
    last = found.put("p1", "Prize", **{"from": "deck"})
    found.set("p3", "power", 14).do("leave", cards=[last], how="sacrificed")
    assert found.state.winner == "p3"


@pytest.mark.rule("AGOT-KEY-52", "AGOT-WIN-2")
def test_a_claim_that_kills_a_prized_character_may_end_the_game() -> None:
    found = begun(players=3)
    prize, attacker = found.put("p2", "Prize"), found.put("p1", "Prize")
    fight(found.until("4.2"), "military", [attacker], [], against="p2")
    found.until("4.2.4").set("p1", "power", 14).do("claim", cards=[prize], save="none")
    assert found.state.winner == "p1"


@pytest.mark.rule("AGOT-KEY-53", "AGOT-WIN-3")
def test_between_two_who_win_by_prizes_at_once_the_first_player_decides() -> None:
    found = begun()
    cards = [found.put(seat, "Prize") for seat in ("p1", "p2")]
    found.set("p1", "power", 14).set("p2", "power", 14)
    found.do("leave", cards=cards, how="killed", save="none")
    assert (found.state.winner, found.state.contest) == ("", ("p1", "p2"))
    assert (found.power("p1"), found.power("p2")) == (15, 15)


@pytest.mark.rule("AGOT-KEY-52", "AGOT-KEY-53")
def test_several_prizes_at_once_are_added_for_each_opponent() -> None:
    found = begun(players=3)
    cards = [found.put(seat, "Prize") for seat in ("p1", "p2")]
    found.do("leave", cards=cards, how="discarded", save="none")
    assert [found.power(seat) for seat in found.state.seats] == [1, 1, 2]


@pytest.mark.rule("AGOT-KEY-33", "AGOT-KEY-39", "AGOT-CMP-14", "AGOT-CMP-16")
def test_gold_on_a_card_is_missing_from_the_treasury_as_gold() -> None:
    found = begun()
    found.set("p1", "gold", 2).set("p2", "gold", 0)
    banker = found.put("p1", "Banker")
    left = {"gold": 28, "influence": 10}

    def treasury() -> dict[str, int]:
        (section,) = [one for page in pages(found.state) for one in page.sections
                      if one.title == "Treasury"]  # fmt: skip
        counts = {one.id.removeprefix("treasury-"): one.count for one in section.cards}
        return {kind: counts[kind] or 0 for kind in left}

    assert treasury() == left
    found.do("bestow", gold=2)
    assert treasury() == left
    found.do("tokens", card=banker, token="poison", change=1)
    assert treasury() == {"gold": 28, "influence": 9}
    found.do("leave", cards=[banker], how="discarded", save="none")
    assert treasury() == {"gold": 30, "influence": 10}


@pytest.mark.rule("AGOT-KEY-54", "AGOT-W-9")
@pytest.mark.parametrize("canceled", [False, True])
def test_an_event_with_prized_pays_even_if_it_is_canceled(canceled: bool) -> None:
    found = begun()
    found.do("event", card="Costly Glory", canceled=canceled)
    assert (found.power("p1"), found.power("p2")) == (0, 2)


# -- shadows ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-SHD-1", "AGOT-SHD-2", "AGOT-SHD-3", "AGOT-SHD-5", "AGOT-SHD-6",
                  "AGOT-SHD-14", "AGOT-SHD-15", "AGOT-SHD-16", "AGOT-SHD-17",
                  "AGOT-W-10")  # fmt: skip
def test_two_gold_into_shadows_and_the_printed_price_out_again() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 7)
    hand = found.house("p1").hand
    found.do("into-shadows", card="Spy")
    assert (found.house("p1").gold, found.house("p1").hand) == (5, hand - 1)
    assert "Spy" not in " ".join(found.titles)
    view = PLAY.view(found.state, "p2")["seats"]["p1"]
    assert (view["shadows"], "in_shadows" in view) == (1, False)
    assert PLAY.view(found.state, "p1")["seats"]["p1"]["in_shadows"] == ["Spy"]
    assert whole_screen(found)
    found.until("AW4")
    found.set("p1", "gold", 5).do("out-of-shadows", seat="p1", card="Spy")
    assert (found.house("p1").gold, found.house("p1").shadows) == (1, ())
    assert [one.name for one in found.state.cards] == ["Spy"]
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-SHD-8", "AGOT-SHD-9", "AGOT-SHD-10", "AGOT-SHD-7", "AGOT-SHD-26",
                  "AGOT-SHD-30", "AGOT-OR-29")  # fmt: skip
def test_what_may_go_into_shadows() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 9)
    assert found.refused("into-shadows", card="Strength 3") == "AGOT-SHD-10"
    found.do("modify", target="p1", stat="cost", value=-1, until="phase")
    found.put("p1", "Hidden Prince")
    found.do("into-shadows", card="Dark Deed").do("into-shadows", card="Hidden Prince")
    assert found.house("p1").gold == 5, "other prices do not change it"
    found.set("p1", "gold", 1)
    assert found.refused("into-shadows", card="Spy") == "AGOT-SHD-5"
    found.set("p1", "hand", 0).set("p1", "gold", 3)
    assert found.refused("into-shadows", card="Spy") == "AGOT-MAR-7"
    found.do("move", seat="p1", to="shadows", cards=["Castle"], **{"from": "deck"})
    assert found.house("p1").shadows.count("ca") == 1, "effects put any card there"


@pytest.mark.rule("AGOT-SHD-5", "AGOT-SHD-8")
def test_the_form_into_shadows_asks_an_attachment_for_no_host() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 2)
    forms = [form for one in prompts(found.state, "p1") for form in one.forms]
    (form,) = (one for one in forms if one.command["do"] == "into-shadows")
    assert [one.field for one in form.entries] == ["card"]
    assert "sa" in dict(form.entries[0].options), "an attachment"
    assert isinstance(PLAY.decide(found.state, {**form.command, "card": "sa"}), Accepted)


@pytest.mark.rule(
    "AGOT-SHD-19", "AGOT-SHD-24", "AGOT-SHD-25", "AGOT-SHD-22", "AGOT-SHD-23", "AGOT-W-12"
)
def test_an_event_is_played_from_shadows_for_its_shadow_cost() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 5)
    assert found.refused("event", seat="p1", card="Dark Deed") == "AGOT-MAR-8"
    found.do("into-shadows", card="Dark Deed")
    assert found.refused("out-of-shadows", seat="p1", card="Dark Deed") == "AGOT-SHD-19"
    found.do("event", seat="p1", card="Dark Deed", **{"from": "shadows"})
    assert (found.house("p1").gold, found.house("p1").shadows) == (2, ())
    assert found.house("p1").discard == ("se",)
    assert (
        found.refused("event", seat="p1", card="Dark Deed", **{"from": "shadows"}) == "AGOT-SHD-24"
    )


@pytest.mark.rule("AGOT-SHD-27", "AGOT-SHD-28", "AGOT-SHD-18", "AGOT-W-13")
def test_unique_cards_and_attachments_out_of_shadows() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 20)
    for _ in range(2):
        found.do("into-shadows", card="Hidden Prince")
    found.do("into-shadows", card="Dark Cloak")
    prince = found.put("p1", "Hidden Prince", **{"from": "deck"})
    gold = found.house("p1").gold
    found.do("out-of-shadows", seat="p1", card="Hidden Prince")
    assert found.card(prince).duplicates == ("su",)
    assert found.house("p1").gold == gold - 2
    found.do("leave", cards=[prince], how="killed", save="none")
    assert found.refused("out-of-shadows", seat="p1", card="Hidden Prince") == "AGOT-UNI-4"
    assert found.refused("out-of-shadows", seat="p1", card="Dark Cloak") == "AGOT-MAR-11"
    found.do("pass", seat="p2")
    forms = [form for one in prompts(found.state, "p1") for form in one.forms]
    (form,) = (one for one in forms if one.command.get("discard"))
    assert [code for code, _text in form.entries[0].options] == ["sa"]
    assert isinstance(PLAY.decide(found.state, {**form.command, "card": "sa"}), Accepted)
    host = found.put("p1", "Strength 1")
    discarding = {"seat": "p1", "card": "Dark Cloak", "discard": True}
    assert found.refused("out-of-shadows", **discarding) == "AGOT-SHD-18", "it can go there"
    found.do("leave", cards=[host], how="killed", save="none")
    found.do("out-of-shadows", **discarding)
    assert found.house("p1").discard[-1] == "sa"


@pytest.mark.rule("AGOT-SHD-18", "AGOT-GEN-2")
def test_a_text_may_keep_an_attachment_from_every_card_there_is() -> None:
    found = begun("AW3")
    found.put("p1", "Strength 1")
    found.do("into-shadows", card="Dark Cloak")
    found.do("out-of-shadows", seat="p1", card="Dark Cloak", discard=True, text=True)
    assert found.house("p1").discard[-1] == "sa"


@pytest.mark.rule("AGOT-SHD-12", "AGOT-SHD-13", "AGOT-SET-12", "AGOT-W-11")
def test_set_up_cards_go_into_shadows_for_two_gold() -> None:
    found = game(ready=False)
    found.do("mulligan", take=False).do("mulligan", take=False)
    dark = ["Spy", "Dark Deed"]
    assert found.refused("place", cards=["Strength 5"], shadows=dark) == "AGOT-SET-12"
    assert found.refused("place", cards=[], shadows=["Castle"]) == "AGOT-SHD-10"
    found.do("place", cards=["Strength 4"], shadows=dark).do("place", cards=[])
    assert found.house("p1").shadows == ("sh", "se"), "they stay face down"
    assert [one.name for one in found.state.cards] == ["Strength 4"]
    assert found.house("p1").hand == 7


@pytest.mark.rule("AGOT-SHD-2", "AGOT-TAX-4", "AGOT-W-14")
def test_shadows_do_not_count_for_the_reserve() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 6)
    for _ in range(3):
        found.do("into-shadows", card="Spy")
    found.set("p1", "hand", 4)
    found.do("modify", target="p1", stat="reserve", operation="set", value=4, until="round")
    found.until("AW7")
    assert found.house("p1").hand == 4


@pytest.mark.rule("AGOT-SHD-21", "AGOT-SHD-22", "AGOT-KEY-36")
@pytest.mark.parametrize("asked", [False, True])
def test_an_effect_puts_a_card_from_shadows_into_play_at_any_moment(asked: bool) -> None:
    """Also as a reaction, outside of action windows; no opportunity of a window is used up."""
    found = begun("AW3")
    found.do("into-shadows", card="Spy").until("AW4").set("p1", "gold", 0)
    fight(found, "power", [found.put("p1", "Strength 3")], [])
    if asked:
        found.do("trigger", what="Anna wins")
    found.put("p1", "Spy", **{"from": "shadows"})
    assert found.titles == ["Anna brings Spy out of shadows for 0 gold"]
    assert (found.house("p1").shadows, found.state.cards[-1].name) == ((), "Spy")
    assert found.refused("put-into-play", seat="p1", card="Spy", **{"from": "shadows"}) == "INPUT"
    assert copy_of(found) == found.state


def listed(found: CardGame, word: str, **more: Any) -> set[str]:
    """The cards that the forms of a command list for p1."""
    forms = [form for one in prompts(found.state, "p1") for form in one.forms]
    forms = [form for form in forms if form.command["do"] == word
             and more.items() <= form.command.items()]  # fmt: skip
    return {code for form in forms for code in dict(form.entries[0].options)}


@pytest.mark.rule("AGOT-SHD-25", "AGOT-UNI-4", "AGOT-UNI-1", "AGOT-KEY-21", "AGOT-MAR-7")
def test_no_form_lists_a_card_that_is_always_refused() -> None:
    found = begun("AW3")
    found.set("p1", "gold", 30)
    assert "se" not in listed(found, "event"), "a dash: not from hand"
    assert "da" not in listed(found, "marshal")
    assert "el" in listed(found, "event")
    found.do("into-shadows", card="Hidden Prince").do("pass", seat="p2")
    assert "su" in listed(found, "out-of-shadows")
    his = found.put("p2", "Hidden Prince")
    found.do("control", card=his, seat="p1")
    assert "su" not in listed(found, "out-of-shadows")
    found.do("marshal", card="Limited 1").do("pass", seat="p2")
    assert "el" not in listed(found, "event")
    assert not {"l1", "l2", "l3"} & listed(found, "marshal")
    assert listed(found, "into-shadows")
    found.set("p1", "hand", 0)
    assert not listed(found, "into-shadows") | listed(found, "marshal") | listed(found, "event")


@pytest.mark.rule("AGOT-UNI-4", "AGOT-KEY-18")
def test_ambush_lists_no_unique_card_whose_copy_is_dead() -> None:
    cards = [*CARDS, *MORE, character("ua", "Ser Ambush", 2, unique=True, keywords="ambush 1")]
    text = f"{TEXT}\n3x Ser Ambush"
    found = CardGame(decks={"p1": text, "p2": text}, cards=cards, unchecked=True)
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW4")
    assert "ua" in listed(found, "ambush")
    dead = found.put("p1", "Ser Ambush")
    assert "ua" in listed(found, "ambush"), "as a duplicate"
    found.do("leave", cards=[dead], how="killed", save="none")
    assert "ua" not in listed(found, "ambush")
    assert "a4" in listed(found, "ambush")


# -- agendas ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-AGD-3", "AGOT-AGD-2", "AGOT-AGD-5", "AGOT-AGD-4", "AGOT-W-15")
def test_the_house_with_the_red_door_fetches_a_location() -> None:
    found = game(agendas={"p1": "The House With the Red Door (JtO)"}, ready=False)
    assert found.refused("fetch-location", seat="p1", card="Keep") == "AGOT-AGD-2"
    assert found.refused("fetch-location", seat="p2", card="Red House") == "AGOT-AGD-2"
    found.do("fetch-location", seat="p1", card="Red House")
    found.do("mulligan", take=False).do("mulligan", take=False)
    assert found.refused("place", cards=["Strength 5"]) == "AGOT-SET-12"
    found.do("place", cards=["Strength 4"]).do("place", cards=["Strength 8"])
    house = next(one for one in found.state.cards if one.name == "Red House")
    assert found.refused("leave", cards=[house.id], how="discarded", save="none") == "AGOT-AGD-4"
    found.do("leave", cards=[house.id], how="returned", save="none")


@pytest.mark.rule("AGOT-AGD-3", "AGOT-SET-15", "AGOT-UNI-1")
def test_a_further_copy_of_the_fetched_location_is_a_free_duplicate_of_it() -> None:
    found = game(agendas={"p1": "The House With the Red Door (JtO)"}, ready=False)
    found.do("fetch-location", seat="p1", card="Red House")
    found.do("mulligan", take=False).do("mulligan", take=False)
    form = form_of(found, "p1", "Place these cards")
    worth = dict(zip(dict(form.entries[0].options), form.entries[0].worth, strict=True))
    assert (worth["lo"], worth["2. copy:lo"]) == (0, 0)
    words = [str(text) for _, text in form.entries[0].options if "Red House" in str(text)]
    assert words == ["Red House (duplicate)", "Red House (duplicate 2)"]
    send(found, form, cards=["lo", "s4"]).do("place", seat="p2", cards=["Red House"])
    mine, other, his = found.state.cards
    assert [one.name for one in (mine, other, his)] == ["Red House", "Strength 4", "Red House"]
    assert (mine.duplicates, his.controller, his.duplicates) == (("lo",), "p2", ())
    assert copy_of(found) == found.state


def test_a_game_that_laid_a_copy_beside_the_fetched_location_still_opens() -> None:
    """Its events number the cards so: those after it must go on as they were recorded."""
    found = game(agendas={"p1": "The House With the Red Door (JtO)"}, ready=False)
    found.do("fetch-location", seat="p1", card="Red House")
    found.do("mulligan", take=False).do("mulligan", take=False)
    found.do("place", cards=["Red House"])
    shown = Event("set-up-revealed", {"shown": [["Anna", ["Red House"]], ["Boris", []]]}, 1)
    assert [one.id for one in PLAY.apply(found.state, shown).cards] == ["c1", "c2"]


@pytest.mark.rule("AGOT-AGD-2")
def test_the_location_is_fetched_before_set_up_cards_and_while_there_is_one() -> None:
    found = game(agendas={"p1": "The House With the Red Door (JtO)"}, ready=False)
    found.do("mulligan", take=False).do("mulligan", take=False)
    found.do("under-agenda", seat="p1", cards=["Red House", "2. copy:lo", "3. copy:lo"])
    assert found.refused("fetch-location", seat="p1", card="Red House") == "INPUT"
    assert "lo" not in dict(form_of(found, "p1", "Fetch a location").entries[0].options)
    found.do("place", cards=[])
    assert found.refused("fetch-location", seat="p1", card="Cheap House") == "AGOT-AGD-2"


@pytest.mark.rule("AGOT-AGD-6", "AGOT-AGD-12")
def test_knights_of_the_hollow_hill() -> None:
    found = game(agendas={"p1": "Knights of the Hollow Hill (CoS)"}, ready=False)
    found.do("mulligan", take=False).do("mulligan", take=False)
    assert found.refused("place", cards=["Strength 1"]) == "AGOT-AGD-6"
    found.do("place", cards=[]).do("place", cards=["Strength 1"])
    found.plots(p1="Plain Plot", p2="Plain Plot")
    assert [value(found, "p1", one) for one in ("gold", "initiative", "reserve")] == [8, 6, 7]
    found.until("AW1").put("p1", "Rose Road")
    assert (value(found, "p1", "gold"), value(found, "p1", "reserve")) == (8, 8)


@pytest.mark.rule("AGOT-AGD-10", "AGOT-AGD-11")
@pytest.mark.parametrize(
    ("agenda", "plots", "gold", "reserve"),
    [
        ("Kings of Summer (CtA)", ("Summer Plot", "Plain Plot"), (6, 5), (7, 7)),
        ("Kings of Summer (CtA)", ("Summer Plot", "Winter Plot"), (5, 5), (7, 7)),
        ("Kings of Winter (CtA)", ("Winter Plot", "Plain Plot"), (5, 4), (5, 5)),
        ("Kings of Winter (CtA)", ("Winter Plot", "Summer Plot"), (5, 5), (5, 5)),
        ("Kings of Winter (CtA)", ("Plain Plot", "Second Plot"), (5, 5), (5, 5)),
    ],
)
def test_the_kings_of_summer_and_winter(
    agenda: str, plots: tuple[str, str], gold: tuple[int, int], reserve: tuple[int, int]
) -> None:
    found = game(agendas={"p1": agenda})
    found.plots(p1=plots[0], p2=plots[1])
    assert (value(found, "p1", "gold"), value(found, "p2", "gold")) == gold
    assert (value(found, "p1", "reserve"), value(found, "p2", "reserve")) == reserve


@pytest.mark.rule("AGOT-AGD-9")
def test_the_rains_of_castamere_keep_schemes_out_of_the_plot_deck() -> None:
    found = game(agendas={"p1": '"The Rains of Castamere" (LoCR)'})
    (asked,) = prompts(found.state, "p1")
    told = [str(one.text) for one in asked.facts], str(asked.forms[0].detail)
    assert told == (["1 Scheme is not chosen here"], "1 Scheme is not chosen here")
    assert found.refused("choose-plot", seat="p1", plot="Scheme Plot") == "AGOT-AGD-9"
    shown = [one.text for one in prompts(found.state, "p1")[0].choices]
    assert "Scheme Plot" not in shown
    assert "Scheme Plot" in [one.text for one in prompts(found.state, "p2")[0].choices]
    left = [code for code in found.house("p1").plots if code != "gc"]
    for code in left[:-1]:
        found.do("move-plot", seat="p1", plot=code, to="used", why="test")
    found.do("move-plot", seat="p1", plot=left[-1], to="used", why="test")
    assert set(found.house("p1").plots) == {*left, "gc"}, "the others are recycled without it"


@pytest.mark.rule("AGOT-AGD-7", "AGOT-AGD-8", "AGOT-AGD-13", "AGOT-AGD-1")
def test_cards_under_an_agenda_are_in_no_pile() -> None:
    found = game(agendas={"p1": "The Conclave (HoT)"}, ready=False)
    deck, hand = found.house("p1").draw_deck, found.house("p1").hand
    found.do("under-agenda", seat="p1", count=7)
    assert (found.house("p1").draw_deck, found.house("p1").hand) == (deck - 7, hand)
    assert PLAY.view(found.state)["seats"]["p1"]["under_agenda"] == 7
    found.do("under-agenda", seat="p1", cards=["Sword"])
    assert found.house("p1").under.count("sw") == 1
    found.do("name-agenda", seat="p1", what="Arya Stark")
    assert PLAY.view(found.state)["seats"]["p1"]["named"] == "Arya Stark"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-AGD-8", "AGOT-AGD-13", "AGOT-CARD-10")
@pytest.mark.parametrize("named", [True, False])
def test_a_card_under_an_agenda_comes_into_play_from_there(named: bool) -> None:
    found = game(agendas={"p1": "Armed to the Teeth"}, ready=False)
    found.do("under-agenda", seat="p1", **({"cards": ["Spear"]} if named else {"count": 1}))
    host = found.until("AW1").put("p1", "Strength 3")
    hand, deck = found.house("p1").hand, found.house("p1").draw_deck
    found.put("p1", "Spear", host=host, **{"from": "under"})
    assert (found.house("p1").hand, found.house("p1").draw_deck) == (hand, deck)
    assert (found.house("p1").under, found.state.cards[-1].name) == ((), "Spear")
    again = {"seat": "p1", "card": "Spear", "host": host, "from": "under"}
    assert found.refused("put-into-play", **again) == "INPUT"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-AGD-7", "AGOT-AGD-13")
def test_cards_go_from_under_an_agenda_to_the_hand_and_back_unnamed() -> None:
    found = game(agendas={"p1": "The Conclave (HoT)"})
    found.do("under-agenda", seat="p1", cards=["Castle"], count=2)
    hand = found.house("p1").hand
    found.do("move", seat="p1", to="hand", cards=["Castle"], **{"from": "under"})
    assert found.titles == ["Anna: 1 card from under the agenda to hand"]
    found.do("move", seat="p1", to="under", cards=["Sword"], **{"from": "hand"})
    assert (found.house("p1").under, found.house("p1").hand) == (("", "sw"), hand)
    found.do("move", seat="p1", to="hand", cards=["Spear"], **{"from": "under"})
    assert found.house("p1").under == ("sw",), "it may have been the one that nobody named"
    command = {"to": "under", "count": 1, "from": "hand"}
    assert found.refused("move", seat="p2", **command) == "AGOT-AGD-13"
    for seat, there in (("p1", True), ("p2", False)):
        forms = house_texts(found.state, found.house(seat))
        entries = [entry for form in forms for entry in form.entries if entry.field == "from"]
        assert any("under" in dict(entry.options) for entry in entries) == there


@pytest.mark.rule("AGOT-AGD-7")
def test_cards_of_the_app_under_an_agenda_are_the_top_ones_of_its_deck() -> None:
    found = game(agendas={"p1": "The Conclave (HoT)"}, dealt=["p1"])
    top = found.house("p1").dealt[found.house("p1").hand :][:7]
    found.do("under-agenda", seat="p1", count=7)
    assert found.house("p1").under == top


# -- numbers that need few lines -------------------------------------------------------------------


@pytest.mark.rule("AGOT-KEY-55")
def test_a_prized_plot_pays_the_opponents_when_it_is_used() -> None:
    found = game(3)
    found.plots(p1="Prized Plot", p2="Plain Plot", p3="Plain Plot")
    assert [found.power(one) for one in ("p1", "p2", "p3")] == [0, 0, 0], "it is revealed only"
    found.until("AW7").pass_all()
    for seat in ("p1", "p2", "p3"):
        found.set(seat, "power", 0)
    found.plots(p1="Quick Plot", p2="Summer Plot", p3="Winter Plot")
    assert [found.power(one) for one in ("p1", "p2", "p3")] == [0, 2, 2]


@pytest.mark.rule("AGOT-KEY-55", "AGOT-WIN-3")
def test_two_prized_plots_used_at_once_pay_at_once() -> None:
    found = game()
    found.plots(p1="Prized Plot", p2="Prized Plot").until("AW7").pass_all()
    found.set("p1", "power", 13).set("p2", "power", 13)
    for seat in ("p1", "p2"):
        found.do("choose-plot", seat=seat, plot="Plain Plot")
    assert found.state.contest == ("p1", "p2")


@pytest.mark.rule("AGOT-KEY-55", "AGOT-PLOT-20")
def test_a_prized_plot_that_card_text_covers_with_another_pays_too() -> None:
    found = game()
    found.plots(p1="Prized Plot", p2="Plain Plot")
    found.do("reveal-plot", seat="p1", plot="Second Plot")
    assert (found.power("p1"), found.power("p2")) == (0, 2)


@pytest.mark.rule("AGOT-KEY-51")
def test_a_redirected_assault_chooses_a_new_target() -> None:
    found = begun("AW4", 4)
    for seat in found.state.seats:
        found.do("give-title", seat=seat)
    found.do("give-title", seat="p3", title="crown-regent")
    attacker = found.put("p1", "Assault 1")
    old, new = found.put("p2", "Cheap Hall"), found.put("p4", "Cheap Hall")
    found.until("4.2")
    found.do("challenge", type="military", attackers=[attacker], against="p2", assault=old)
    rows = [(str(one.text), str(one.detail)) for one in prompts(found.state)[0].choices]
    assert rows[-1] == ("Redirect", "then a new target of assault"), "not at once without one"
    found.do("redirect", use=True)
    asked = prompts(found.state)[0]
    assert {str(one.detail) for one in asked.choices} == {"without assault"}
    hall, _ = asked.forms[0].entries
    assert (hall.field, [value for value, _ in hall.options]) == ("assault", [new])
    assert found.refused("redirect-to", against="p4", assault=old) == "AGOT-KEY-41"
    found.do("redirect-to", against="p4", assault=new)
    assert found.state.challenge is not None
    assert found.state.challenge.assault == new
    assert not found.card(old).kneeling


@pytest.mark.rule("AGOT-SHD-20", "AGOT-SHD-21", "AGOT-OR-30")
@pytest.mark.parametrize("paid", [0, 3])
def test_the_players_enter_the_price_of_a_card_out_of_shadows(paid: int) -> None:
    found = begun("AW3")
    found.do("into-shadows", card="Spy").until("AW4")
    found.set("p1", "gold", 3).do("out-of-shadows", seat="p1", card="Spy", gold=paid)
    assert (found.house("p1").gold, found.house("p1").shadows) == (3 - paid, ())
    found.set("p1", "gold", 2)
    found.do("move", seat="p1", to="shadows", cards=["Spy"], **{"from": "deck"})
    assert found.refused("out-of-shadows", seat="p1", card="Spy", gold=3) == "AGOT-INI-3"


@pytest.mark.rule("AGOT-SHD-3", "AGOT-SHD-10", "AGOT-ZONE-29", "AGOT-ZONE-30")
def test_a_card_that_goes_from_one_hidden_place_to_another_is_not_named() -> None:
    found = begun("AW3")

    def told(source: str, target: str, card: str) -> list[str]:
        found.do("move", seat="p1", to=target, cards=[card], **{"from": source})
        return found.titles

    assert told("hand", "shadows", "Castle") == ["Anna: 1 card from hand to shadows"]
    assert told("shadows", "hand", "Castle") == ["Anna: 1 card from shadows to hand"]
    assert told("hand", "deck", "Castle") == ["Anna: 1 card from hand to deck"]
    assert told("deck", "shadows", "Castle") == ["Anna: 1 card from deck to shadows"]
    assert told("shadows", "discard", "Castle") == [
        "Anna: 1 card from shadows to discard pile, Castle"
    ]
    assert told("deck", "hand", "Spy") == ["Anna: 1 card from deck to hand, Spy"], "it is shown"


@pytest.mark.rule("AGOT-SHD-4", "AGOT-SHD-11")
def test_cards_in_shadows_keep_their_order_wherever_they_came_from() -> None:
    found = begun("AW3")
    found.do("into-shadows", card="Spy")
    found.do("discard", seat="p1", cards=["Castle"])
    found.do("move", seat="p1", to="shadows", cards=["Castle"], **{"from": "discard"})
    found.do("move", seat="p1", to="shadows", cards=["Dark Deed"], **{"from": "deck"})
    assert found.house("p1").shadows == ("sh", "ca", "se")
    found.do("move", seat="p1", to="hand", cards=["Castle"], **{"from": "shadows"})
    assert found.house("p1").shadows == ("sh", "se")


@pytest.mark.rule("AGOT-SHD-29")
def test_no_token_stays_on_a_card_that_leaves_play_for_shadows_and_returns() -> None:
    found = begun("AW3")
    spy = found.put("p1", "Spy")
    found.do("tokens", card=spy, token="poison", change=2)
    found.do("leave", cards=[spy], how="returned", save="none")
    found.do("into-shadows", card="Spy").until("AW4").set("p1", "gold", 9)
    found.do("out-of-shadows", seat="p1", card="Spy")
    (back,) = (one for one in found.state.cards if one.name == "Spy")
    assert back.tokens == ()


@pytest.mark.rule("AGOT-AGD-1", "AGOT-AGD-8")
def test_agendas_name_and_hide_things_before_the_first_hand() -> None:
    found = game(agendas={"p1": "Armed to the Teeth"}, ready=False)
    assert found.state.step == "SETUP-7"
    found.do("name-agenda", seat="p1", what="House Tully")
    found.do("under-agenda", seat="p1", cards=["Spear", "Dark Cloak"])
    house = found.house("p1")
    assert (house.named, house.under) == ("House Tully", ("we", "sa"))
    assert found.refused("name-agenda", seat="p2", what="Stark") == "AGOT-AGD-1"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-KEY-32", "AGOT-KEY-56")
@pytest.mark.parametrize(("keyword", "number"), [("prized", 3), ("bestow", 2), ("shadow", 1)])
def test_a_card_may_print_a_keyword_with_several_numbers(keyword: str, number: int) -> None:
    """Prized adds up, bestow is the highest (OR-27), a price the lowest; no number is lost."""
    card = CardFacts.of("x", "character", {"name": "X", "keywords": f"{keyword} 1, {keyword} 2"})
    assert card.keyword_number(keyword) == number
    raw = card.to_json()
    assert raw["keywords"] == f"{keyword} 1, {keyword} 2"
    assert CardFacts.of("x", "character", raw) == card
