"""Calls that were wrong once: face-down cards, the faction card, set-up, claims, attachments."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.thrones.play import PLAY
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.screen import SCREEN
from tests.games.thrones.decks import CARDS, DECK, challenges, game
from tests.games.thrones.driver import CardGame, copy_of
from tests.games.thrones.test_titles import melee, redirectable

MORE: list[dict[str, Any]] = [
    {"code": "lu", "type": "location", "name": "Harbour", "cost": 1, "unique": True,
     "keywords": "limited"},
    {"code": "roy", "type": "location", "name": "Road", "cost": 2, "keywords": "limited"},
]  # fmt: skip


def whole_screen(found: CardGame) -> list[Any]:
    """Everything that a screen shows, as the shared tablet and as each player."""
    state = found.state
    shown: list[Any] = []
    for seat in (None, *state.seats):
        shown += [*SCREEN.prompts(state, seat), *SCREEN.pages(state, seat)]
        shown.append(PLAY.view(state, seat))
    for piece in SCREEN.pieces(state):
        shown += [piece, *SCREEN.offers(state, None, piece.id)]
    return [*shown, SCREEN.score(state)]


def set_up_game(**asked: Any) -> CardGame:
    """A game with the invented deck that waits for set-up cards."""
    cards = [*CARDS, *MORE]
    text = "\n".join([DECK, *(f"3x {one['name']}" for one in MORE)])
    found = CardGame(decks={"p1": text, "p2": text}, cards=cards, unchecked=True, ready=False,
                     **asked)  # fmt: skip
    return found.do("mulligan", take=False).do("mulligan", take=False)


@pytest.mark.rule("AGOT-ZONE-31")
def test_a_face_down_card_is_shown_everywhere() -> None:
    found = challenges()
    found.do("put-face-down", seat="p1")
    found.put("p2", "Strength 3")
    assert whole_screen(found)
    (piece,) = [one for one in SCREEN.pieces(found.state) if one.kind == "face-down"]
    assert piece.lines == ("Face-down card",)
    found.do("leave", cards=[piece.id], how="discarded", save="none")
    assert whole_screen(found)


@pytest.mark.rule("AGOT-CARD-2", "AGOT-CARD-4", "AGOT-STD-1")
def test_the_faction_card_kneels_and_stands() -> None:
    found = game()
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    card = "faction:p1"
    found.set("p1", "gold", 3)
    found.do("marshal", card="Strength 4", reduce=1, kneel=[card])
    assert found.house("p1").kneeling
    assert PLAY.view(found.state)["seats"]["p1"]["kneeling"] is True
    assert found.refused("kneel", cards=[card]) == "AGOT-CARD-4"
    assert found.refused("marshal", card="Strength 0", kneel=[card]) == "AGOT-CARD-4"
    assert any("kneels" in text for text in found.titles)
    offers = {one.text: one.verdict for one in SCREEN.offers(found.state, None, card)}
    assert offers["Stand"] == "yes"
    found.do("stand", cards=[card])
    assert not found.house("p1").kneeling
    found.do("kneel", cards=[card])
    found.until("AW6")
    assert not found.house("p1").kneeling, "it stands with all other cards"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-SET-13", "AGOT-SET-15")
def test_one_limited_card_in_set_up_and_no_limited_duplicate() -> None:
    found = set_up_game()
    assert found.refused("place", cards=["Harbour", "Harbour"]) == "AGOT-SET-13"
    assert found.refused("place", cards=["Harbour", "Road"]) == "AGOT-SET-13"
    found.do("place", cards=["Harbour", "Strength 3"])


@pytest.mark.rule("AGOT-SET-12", "AGOT-MAR-8", "AGOT-SHD-13")
def test_a_card_without_a_cost_is_not_placed_in_set_up() -> None:
    found = set_up_game()
    assert found.refused("place", cards=["No Price"]) == "AGOT-SET-12"
    (form,) = SCREEN.prompts(found.state, "p1")[0].forms
    assert "da" not in dict(form.entries[0].options)


@pytest.mark.rule("AGOT-SET-14", "AGOT-SET-17", "AGOT-ATT-3")
def test_an_attachment_of_set_up_may_go_on_a_location() -> None:
    found = set_up_game()
    assert found.refused("place", cards=["Sword"]) == "AGOT-SET-14"
    found.do("place", cards=["Sword", "Castle"]).do("place", cards=[])
    assert found.state.step == "SETUP-9"
    castle = next(one.id for one in found.state.cards if one.name == "Castle")
    choices = [one.commands[0] for one in prompts(found.state)[0].choices]
    assert {one["host"] for one in choices} == {castle, "faction:p1"}
    assert all(one["text"] for one in choices), "the card's text must allow it"
    told = "By the rules nothing takes it: only where its text says so."
    assert [str(one.text) for one in prompts(found.state)[0].facts] == [told]
    (command,) = [one for one in choices if one["host"] == castle]
    found.do("attach-set-up", card=command["card"], host=castle, text=True)
    assert found.state.round == 1


@pytest.mark.rule("AGOT-OR-4", "AGOT-CLM-9", "AGOT-CLM-10")
@pytest.mark.parametrize("also", [[], ["p3"], ["p3", "p4"]])
def test_the_master_of_whisperers_may_widen_an_intrigue_claim(also: list[str]) -> None:
    found = melee("whisperers", "", "", "")
    card = found.put("p1", "Strength 5")
    for seat in ("p2", "p3", "p4"):
        found.set(seat, "hand", 4)
    found.until("4.2").do("challenge", type="intrigue", against="p2", attackers=[card])
    found.until("4.2.4")
    (prompt,) = prompts(found.state)
    assert (prompt.id, prompt.seats) == ("wide-claim", ("p1",))
    assert also in [one.commands[0]["seats"] for one in prompt.choices]
    assert found.refused("claim") == "AGOT-OR-4"
    assert whole_screen(found)
    found.do("wide-claim", seats=also)
    suffer = ["p2", *also]
    for seat in suffer:
        assert prompts(found.state)[0].seats == (seat,)
        found.do("claim")
    claim = 1
    hands = {seat: found.house(seat).hand for seat in ("p2", "p3", "p4")}
    assert hands == {seat: 4 - claim * (seat in suffer) for seat in hands}
    assert found.state.step != "4.2.4"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-OR-4")
def test_an_empty_hand_does_not_end_a_claim_that_may_be_widened() -> None:
    found = melee("whisperers", "", "")
    card = found.put("p1", "Strength 5")
    found.set("p2", "hand", 0).set("p3", "hand", 2)
    found.until("4.2").do("challenge", type="intrigue", against="p2", attackers=[card])
    found.until("4.2.4").do("wide-claim", seats=["p3"])
    assert prompts(found.state)[0].seats == ("p3",)
    found.do("claim")
    assert (found.house("p3").hand, found.state.step != "4.2.4") == (1, True)


@pytest.mark.rule("AGOT-ATT-6", "AGOT-KEY-23")
def test_an_attachment_that_became_illegal_is_told_and_discarded() -> None:
    found = challenges()
    bearer, other = found.put("p1", "Strength 5"), found.put("p1", "Strength 4")
    alone = found.put("p1", "Alone")
    sword = found.put("p1", "Sword", host=bearer)
    kept = found.put("p1", "Sword", host=alone, text=True)
    free = found.put("p1", "Poison", host=other)
    found.do("modify", target=bearer, stat="keyword-no-attachments", value=1, until="round")
    assert sword not in found.view_cards()
    assert {kept, free} <= set(found.view_cards()), "what its text allowed stays"
    assert found.house("p1").discard[-1] == "sw"
    assert any("Sword" in text and "Strength 5" in text for text in found.answer["reminders"])
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-OR-13")
def test_an_eliminated_player_has_nothing_to_choose() -> None:
    found = melee("", "", "")
    found.put("p3", "Strength 2")
    found.set("p3", "deck", 0)
    assert whole_screen(found)
    gone = [one for one in SCREEN.pieces(found.state) if one.seat == "p3"]
    assert not any(one.forms or one.corrections for one in gone)
    assert not [offer for one in gone for offer in SCREEN.offers(found.state, None, one.id)]


@pytest.mark.rule("AGOT-KEY-12", "AGOT-ZONE-6")
def test_a_pillaged_or_discarded_card_can_be_named() -> None:
    found = challenges()
    card = found.put("p1", "Pillage")
    found.until("4.2").do("challenge", type="power", attackers=[card]).until("4.2.5")
    found.do("keyword", keyword="pillage", discarded=["Hero"])
    assert found.house("p2").discard == ("he",)
    found.do("discard", seat="p2")
    assert found.house("p2").discard == ("he", "")
    assert found.refused("name-discarded", seat="p1", card="Hero") == "AGOT-ZONE-6"
    found.do("name-discarded", seat="p2", card="Castle")
    assert found.house("p2").discard == ("he", "ca")
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-CMP-9", "AGOT-KEY-3", "AGOT-MOD-2")
def test_the_state_shows_current_icons_and_keywords_and_what_modifiers_change() -> None:
    found = challenges()
    card = found.put("p1", "Renown 1")
    found.do("modify", target=card, stat="icon-power", value=-1, until="round", why="Milk")
    found.do("modify", target=card, stat="keyword-stealth", value=1, until="round", why="Cloak")
    found.do("modify", target="p1", stat="claim", value=1, until="round", why="Banner")
    view = PLAY.view(found.state)["cards"][card]
    assert view["icons"] == ["military", "intrigue"]
    assert set(view["keywords"]) == {"renown", "stealth"}
    found.do("modify", target=card, stat="blank", value=1, until="round", why="Nightmares")
    assert PLAY.view(found.state)["cards"][card]["keywords"] == ["stealth"]
    piece = next(one for one in SCREEN.pieces(found.state) if one.id == card)
    assert "power -1: Milk" in piece.lines
    assert "stealth +1: Cloak" in piece.lines
    house = next(one for one in SCREEN.pieces(found.state) if one.id == "faction:p1")
    assert "claim +1: Banner" in house.lines


@pytest.mark.rule("AGOT-MAR-13", "AGOT-INI-3", "AGOT-UNI-4", "AGOT-KEY-21")
def test_marshal_offers_what_can_be_paid_and_a_duplicate_as_free() -> None:
    found = game()
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    found.put("p1", "Hero")
    king = found.put("p1", "King")
    found.do("leave", cards=[king], how="killed", save="none")
    found.set("p1", "gold", 2)
    found.do("modify", target="p1", stat="cost", value=-1, until="round")

    def offered() -> dict[str, str]:
        forms = SCREEN.prompts(found.state, "p1")[0].forms
        return dict(forms[0].entries[0].options)

    options = offered()
    assert "free" in options["he"]
    assert {"s3", "l1"} <= options.keys()
    assert not {"s4", "ki", "da"} & options.keys()
    assert "(2 gold)" in options["s3"], "what is paid, with the modifier"
    found.do("marshal", card="Limited 1").do("pass", seat="p2")
    assert "l2" not in offered()


@pytest.mark.rule("AGOT-TTL-24")
def test_a_redirect_that_lapsed_bypasses_nobody() -> None:
    found, _, target = redirectable()
    found.do("redirect", use=True).set("p3", "deck", 0)
    challenge = found.until("4.2.1").state.challenge
    assert challenge is not None
    assert challenge.defender == "p2"
    assert target not in challenge.bypassed, "the original targets are no longer bypassed"


@pytest.mark.rule("AGOT-KEY-27")
def test_stealth_of_a_character_that_does_not_attack_is_refused_in_words() -> None:
    found = challenges()
    strong, sneaky = found.put("p1", "Strength 3"), found.put("p1", "Stealth 1")
    target = found.put("p2", "Strength 2")
    found.until("4.2")
    for stealth in ([f"{sneaky}>{target}"], {sneaky: target}):
        asked = {"type": "power", "attackers": [strong], "stealth": stealth}
        assert found.refused("challenge", **asked) == "AGOT-KEY-27"


def test_own_characters_come_first_where_an_attachment_may_go() -> None:
    found = game()
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    found.put("p2", "Strength 2")
    own = found.put("p1", "Strength 3")
    (prompt,) = prompts(found.state, "p1")
    (form,) = [one for one in prompt.forms if one.text == "Marshal"]
    (entry,) = [one for one in form.entries if one.field == "host"]
    assert entry.options[0] == (own, "Strength 3")
    assert str(entry.options[1][1]) == "Strength 2 (Boris)"
