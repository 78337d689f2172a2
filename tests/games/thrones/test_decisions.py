"""Decisions that several players make, effects in conflict, intentions, and what a text means."""

from __future__ import annotations

import pytest

from companion.games.api.screen_views import PageCard
from companion.games.thrones.cards.card import FACTIONS
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.titles import every_title
from companion.games.thrones.play import PLAY
from companion.games.thrones.screen import SCREEN
from tests.games.thrones.decks import CARDS, DECK, challenges, character, fight, game, other
from tests.games.thrones.driver import CardGame, as_words


@pytest.mark.rule("AGOT-ORD-7", "AGOT-ORD-13", "AGOT-B-15")
def test_an_effect_that_asks_every_player_begins_with_the_first_player() -> None:
    found = game(3, first="p2")
    mine = {seat: found.put(seat, "Strength 3") for seat in found.state.seats}
    found.do("each-chooses", what="Wildfire", how="killed")
    assert found.state.chooser == "p2"
    (prompt,) = SCREEN.prompts(found.state)
    assert prompt.seats == ("p2",)
    assert prompt.rule == "AGOT-ORD-13"
    assert found.refused("choose-cards", seat="p1", cards=[mine["p1"]]) == "AGOT-ORD-13"
    assert found.refused("choose-plot", seat="p1", plot="Plain Plot") == "AGOT-ORD-13"
    assert found.refused("choose-cards", cards=[mine["p1"]]) == "AGOT-INI-11"
    found.do("choose-cards", cards=[mine["p2"]])
    found.do("choose-cards", text="keeps all")
    assert len(found.state.cards) == 3, "nothing happens before all have decided"
    found.do("choose-cards", seat="p1", cards=[mine["p1"]])
    assert [one.owner for one in found.state.cards] == ["p3"]
    (left,) = [one for one in found.events if one.type == "left"]
    assert len(left.data["cards"]) == 2, "all at once"
    assert found.state.decision is None
    assert found.refused("choose-cards", cards=[]) == "AGOT-ORD-13"


@pytest.mark.rule("AGOT-ORD-13")
def test_chosen_cards_kneel_or_stand_together_and_duplicates_are_asked_for() -> None:
    found = game()
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    other = found.put("p2", "Castle")
    found.do("each-chooses", what="kneel one", how="knelt")
    found.do("choose-cards", cards=[hero]).do("choose-cards", cards=[other])
    assert found.card(hero).kneeling
    assert found.card(other).kneeling
    found.do("each-chooses", what="stand one", how="stood")
    assert found.refused("each-chooses", what="another") == "AGOT-ORD-13"
    found.do("choose-cards", cards=[hero]).do("choose-cards", cards=[])
    assert [one.id for one in found.state.cards if one.kneeling] == [other]
    found.do("each-chooses", what="discard", how="discarded")
    assert found.refused("choose-cards", cards=[hero]) == "AGOT-UNI-7"
    found.do("choose-cards", cards=[hero], save="duplicate").do("choose-cards", cards=[other])
    assert found.view_cards() == [hero]
    assert not found.card(hero).duplicates


def test_a_player_who_is_out_is_not_waited_for() -> None:
    found = game(3)
    found.do("each-chooses", what="choose")
    found.do("choose-cards", cards=[]).do("choose-cards", cards=[])
    found.set("p3", "deck", 0)
    assert found.state.decision is None


@pytest.mark.rule("AGOT-ORD-15", "AGOT-MOD-6")
def test_the_first_player_orders_effects_that_exclude_each_other() -> None:
    found = game(first="p2")
    card = found.put("p1", "Strength 3")
    ask = {"target": card, "stat": "strength", "operation": "set"}
    found.do("modify", **ask, value=1, why="Poison")
    assert SCREEN.prompts(found.state)[0].id == "choose-plot"
    found.do("modify", **ask, value=6, why="Courage")
    assert found.strength(card) == 6, "the last applied prevails"
    (prompt,) = SCREEN.prompts(found.state)
    assert prompt.seats == ("p2",)
    assert prompt.rule == "AGOT-ORD-15"
    poison = next(one for one in prompt.choices if "Poison" in one.text)
    found.do(**as_words(poison.commands[0]))
    assert found.strength(card) == 1
    assert SCREEN.prompts(found.state)[0].id == "choose-plot"
    found.do("modify", target=card, stat="strength", value=2)
    added = found.state.modifiers[-1].id
    assert found.refused("order-effects", last=added) == "AGOT-ORD-15"
    assert found.refused("order-effects", last=99) == "INPUT"


@pytest.mark.rule("AGOT-RND-2")
def test_framework_events_happen_by_themselves_and_cannot_be_passed() -> None:
    found = game()
    one = found.put("p1", "Strength 3")
    found.put("p2", "Strength 1")
    assert found.refused("pass") == "AGOT-RND-6"
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW2")
    assert {found.house(seat).hand for seat in ("p1", "p2")} == {8}, "2.2: drawn, not asked"
    found.until("AW3")
    assert found.house("p1").gold == 5, "3.2: income, not asked"
    fight(found, "military", [one], []).do("continue")
    assert found.state.step == "4.2.4"
    for word in ("pass", "no-challenge", "continue"):
        assert found.refused(word), "claim cannot be passed over"
    assert not found.state.card(one).power


@pytest.mark.rule("AGOT-INI-1")
def test_an_intention_names_the_steps_and_pays_nothing() -> None:
    found = game()
    found.plots().until("AW3")
    facts = [one.text for one in SCREEN.prompts(found.state)[0].facts]
    assert "First show the card, then: may it be played, its cost, pay, targets." in facts
    seat, gold = found.state.active, found.house(found.state.active).gold
    asked = {"do": "marshal", "card": "Strength 4"}
    found.do("intend", command=asked)
    assert found.answer["possible"] is True
    assert found.answer["cost"] == 4
    rules = [one["rule"] for one in found.answer["steps"]]
    assert rules == [f"AGOT-INI-{n}" for n in range(2, 9)]
    assert found.house(seat).gold == gold
    assert not found.events
    found.do("intend", command={"do": "marshal", "card": "Strength 9"})
    assert found.answer["possible"] is (gold >= 9)
    assert gold >= 9 or found.answer["why"] == "AGOT-INI-3"
    found.until("4.2").do("intend", command=asked)
    assert found.answer["why"] == "AGOT-MAR-4"
    with pytest.raises(Exception, match="is unknown; known: ambush"):
        PLAY.decide(found.state, {"do": "intend", "command": {"do": "winner"}})


@pytest.mark.rule("AGOT-B-1", "AGOT-GEN-5")
def test_an_adjective_applies_to_every_noun() -> None:
    found = game()
    found.put("p1", "Hero")
    found.put("p1", "Strength 3")
    found.put("p2", "Keep")
    found.put("p2", "Castle")
    found.do("matching", types=["character", "location"], unique=True)
    assert [one["name"] for one in found.answer["cards"]] == ["Hero", "Keep"]
    found.do("matching", types=["character"], seat="p2")
    assert found.answer["cards"] == []
    found.do("matching", kneeling=False)
    assert len(found.answer["cards"]) == 4
    assert found.refused("matching", types=["plot"]) == "INPUT"


@pytest.mark.rule("AGOT-ABL-20", "AGOT-KEY-44")
def test_a_blank_card_has_no_trait_but_one_that_is_assaulted_has() -> None:
    cards = [*CARDS, other("lh", "location", "Lord's Hall", cost=1, traits="House Stark, Noble"),
             character("as", "Rammer", 4, keywords="assault")]  # fmt: skip
    deck = f"{DECK}\n3x Lord's Hall\n3x Rammer"
    found = CardGame(decks={"p1": deck, "p2": deck}, cards=cards, unchecked=True)
    found.plots(p1="Plain Plot", p2="Plain Plot").until("4.2")
    hall, rammer = found.put("p2", "Lord's Hall"), found.put("p1", "Rammer")

    def nobles() -> list[str]:
        return [one["id"] for one in found.do("matching", trait="noble").answer["cards"]]

    assert nobles() == [hall]
    found.do("challenge", type="military", attackers=[rammer], assault=hall)
    assert nobles() == [hall], "blank except for traits"
    found.do("modify", target=hall, stat="blank", value=1, until="phase")
    assert nobles() == []


@pytest.mark.rule("AGOT-B-7", "AGOT-EFF-15")
def test_a_duplicate_does_not_save_from_a_cause_that_goes_on() -> None:
    found = game()
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    asked = {"cards": [hero], "how": "killed", "persists": True}
    assert found.refused("leave", **asked, save="duplicate") == "AGOT-EFF-15"
    found.do("leave", **asked)
    assert not found.state.cards
    assert found.house("p1").dead == ("he",)
    assert found.house("p1").discard == ("he",)


@pytest.mark.rule("AGOT-B-17", "AGOT-CMP-13", "AGOT-EVT-5")
def test_an_event_that_becomes_an_attachment_is_only_that() -> None:
    found = game()
    host = found.put("p1", "Strength 3")
    assert found.refused("put-into-play", seat="p1", card="Trick") == "INPUT"
    assert found.refused("put-into-play", seat="p1", card="Trick", **{"as": "attachment"}) == (
        "AGOT-MAR-11"
    )
    card = found.put("p1", "Trick", host=host, **{"as": "attachment"})
    assert found.card(card).type == "attachment"
    assert list(found.state.attached(host)) == [found.card(card)]
    found.do("matching", types=["attachment"])
    assert [one["id"] for one in found.answer["cards"]] == [card]
    found.do("leave", cards=[host], how="killed", save="none")
    assert not found.state.cards, "it goes with its host"


@pytest.mark.rule("AGOT-ZONE-31")
def test_a_face_down_card_has_no_attributes() -> None:
    found = game()
    found.do("put-face-down", seat="p1")
    (card,) = found.state.cards
    assert card.type == "face-down"
    view = PLAY.view(found.state)["cards"][card.id]
    assert not {"strength", "icons", "power", "host", "keywords"} & view.keys()
    found.set("p2", "hand", 0)
    assert found.refused("put-face-down", seat="p2") == "INPUT"
    found.do("leave", cards=[card.id], how="discarded")
    assert found.house("p1").discard == ("",), "nobody told which card it was"


@pytest.mark.rule("AGOT-CMP-11", "AGOT-ZONE-2")
def test_an_agenda_is_beside_the_faction_card_and_not_in_play() -> None:
    found = CardGame()
    view = PLAY.view(found.state)
    assert view["seats"]["p1"]["agenda"] == ["Fealty"]
    assert not view["cards"]
    found.do("matching")
    assert found.answer["cards"] == []
    assert found.refused("put-into-play", seat="p1", card="Fealty") == "INPUT"


@pytest.mark.rule("AGOT-CMP-14", "AGOT-TOK-11")
def test_the_core_set_and_its_tokens() -> None:
    known = card_catalogue({})
    cards = [known[code] for code in known if known[code].pack == "Core"]
    assert len([one for one in cards if one.type == "plot"]) <= 28
    drawn = [one for one in cards if one.type not in ("plot", "agenda")]
    assert all(19 <= sum(one.faction == name for one in drawn) <= 20 for name in FACTIONS)
    assert len([one for one in drawn if one.faction == "neutral"]) <= 31
    agendas = [one.name for one in cards if one.type == "agenda"]
    assert len(agendas) == 9
    assert "Fealty" in agendas
    assert len(every_title()) == 6
    found = game()
    found.do("gold", seat="p1", change=28)
    card = found.put("p1", "Castle")
    found.do("tokens", card=card, token="poison", change=4)
    boxes = treasury(found)
    assert {key: box.count for key, box in boxes.items()} == {
        "treasury-gold": 2,
        "treasury-power": 30,
        "treasury-influence": 6,
    }
    found.do("gold", seat="p2", change=5)
    assert treasury(found)["treasury-gold"].count == 0
    assert treasury(found)["treasury-gold"].lines == ("3 too few: use other markers",)


def treasury(found: CardGame) -> dict[str, PageCard]:
    page = next(one for one in SCREEN.pages(found.state) if one.id == "piles")
    return {one.id: one for one in page.sections[-1].cards}


@pytest.mark.rule("AGOT-OR-2", "AGOT-CMP-15")
def test_the_fields_of_a_card() -> None:
    found = game()
    found.do("cards", name="Tywin Lannister")
    (core,) = [one for one in found.answer["cards"] if one.get("pack") == "Core"]
    fields = ("code", "type", "name", "traits", "keywords", "cost", "strength", "icons", "faction")
    assert [one for one in fields if one not in core] == []
    assert core["loyal"] is True
    found.do("cards", name="A Clash of Kings")
    (plot,) = [one for one in found.answer["cards"] if one["type"] == "plot"]
    assert plot.keys() >= {"gold", "initiative", "claim", "reserve"}


@pytest.mark.rule("AGOT-OR-25", "AGOT-GEN-2")
def test_what_the_sample_cards_lost_is_entered_by_the_players() -> None:
    found = challenges()
    tywin = found.put("p1", "Strength 6")
    gold = found.house("p1").gold
    assert gold
    assert found.strength(tywin) == 6, "no text of a card is built in"
    found.do("modify", target=tywin, stat="strength", value=gold, until="game", source=tywin)
    assert found.strength(tywin) == 6 + gold
    found.do("modify", target="p1", stat="gold", value=2, source=tywin)
    assert PLAY.view(found.state)["seats"]["p1"]["plot"]["gold"] == 7
    found.do("modify", target=tywin, stat="icon-military", value=-1)
    assert found.until("4.2").refused("challenge", type="military", attackers=[tywin])
    found.do("leave", cards=[tywin], how="returned")
    assert PLAY.view(found.state)["seats"]["p1"]["plot"]["gold"] == 5


@pytest.mark.rule("AGOT-UNI-7")
@pytest.mark.parametrize("way", ["saved", "set"])
def test_a_chosen_duplicate_that_is_gone_by_then_saves_nothing(way: str) -> None:
    found = game()
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    found.do("each-chooses", what="Wildfire", how="killed")
    found.do("choose-cards", cards=[hero], save="duplicate")
    if way == "saved":
        found.do("leave", cards=[hero], how="killed", save="duplicate")
    else:
        found.set(hero, "duplicates", 0)
    found.do("choose-cards", cards=[])
    assert found.view_cards() == []
    assert found.house("p1").dead == ("he",)
