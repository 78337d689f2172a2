"""Dominance, standing, leaving play, power, modifiers, limits, winning and elimination."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.thrones.play import PLAY
from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.rules.values import Change, dominance_winner, modified
from tests.games.thrones.decks import challenges, fight, game

# -- dominance and standing ------------------------------------------------------------------------


@pytest.mark.rule("AGOT-DOM-4", "AGOT-DOM-5", "AGOT-V-28", "AGOT-V-29", "AGOT-V-30", "AGOT-V-31",
                  "AGOT-OR-20")  # fmt: skip
@pytest.mark.parametrize(
    ("totals", "winner"),
    [
        pytest.param((8, 8), "", id="V28"),
        pytest.param((8, 7, 7), "p1", id="V29"),
        pytest.param((1, 0), "p1", id="V30"),
        pytest.param((7, 9, 9), "", id="V31"),
        pytest.param((0, 0), "", id="OR-20"),
    ],
)
def test_who_wins_dominance(totals: tuple[int, ...], winner: str) -> None:
    seats = ("p1", "p2", "p3")[: len(totals)]
    assert dominance_winner(dict(zip(seats, totals, strict=True))) == winner


@pytest.mark.rule("AGOT-DOM-1", "AGOT-DOM-2", "AGOT-DOM-4", "AGOT-DOM-6", "AGOT-V-30")
def test_standing_strength_and_gold_count_for_dominance() -> None:
    found = challenges()
    card = found.put("p1", "Strength 9")
    found.do("kneel", cards=[card])
    found.set("p1", "gold", 1).set("p2", "gold", 0).until("AW5")
    assert (found.power("p1"), found.power("p2")) == (1, 0)
    assert "Anna +1 power (dominance)" in found.titles


@pytest.mark.rule("AGOT-DOM-1", "AGOT-MOD-2", "AGOT-B-11")
def test_strength_by_gold_counts_until_the_gold_is_gone() -> None:
    found = challenges()
    tywin = found.put("p1", "King")
    found.set("p1", "gold", 3)
    found.do("modify", target=tywin, stat="strength", operation="set", value=9, until="round")
    seats = PLAY.view(found.state)["seats"]
    assert (found.strength(tywin), seats["p1"]["dominance"]) == (9, 12)
    found.until("AW7").do("unmodify", modifier=found.state.modifiers[0].id)
    assert (found.house("p1").gold, found.strength(tywin)) == (0, 7)


@pytest.mark.rule("AGOT-STD-1", "AGOT-CARD-1")
def test_all_cards_stand() -> None:
    found = challenges()
    cards = [found.put("p1", "Strength 1"), found.put("p2", "Castle")]
    cards.append(found.put("p1", "Sword", host=cards[0]))
    found.do("kneel", cards=cards)
    assert found.refused("kneel", cards=cards[:1]) == "AGOT-CARD-4"
    found.until("AW6")
    assert not any(one.kneeling for one in found.state.cards)
    assert found.refused("stand", cards=cards[:1]) == "AGOT-CARD-1"
    found.do("kneel", cards=cards[:1]).do("stand", cards=cards[:1])


# -- leaving play ----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-CARD-6", "AGOT-CARD-7", "AGOT-CARD-8", "AGOT-TOK-10", "AGOT-V-44",
                  "AGOT-KEY-29", "AGOT-ATT-5", "AGOT-ZONE-4")  # fmt: skip
@pytest.mark.rule("AGOT-CMP-16", "AGOT-B-9")
def test_a_card_leaves_play_with_everything_on_it() -> None:
    found = game()
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    sword = found.put("p2", "Sword", host=hero)
    found.put("p1", "Poison", host=hero)
    found.do("power", target=hero, change=3).do("power", target="faction:p1", change=6)
    found.do("tokens", card=hero, token="poison", change=1)
    assert dict(found.card(hero).tokens) == {"poison": 1}
    assert found.refused("tokens", card=hero, token="poison", change=-2) == "AGOT-TOK-4"
    hand = found.house("p2").hand
    found.do("leave", cards=[hero], how="killed", save="none")
    assert found.power("p1") == 6
    house = found.house("p1")
    assert (house.dead, sorted(house.discard)) == (("he",), ["he", "po"])
    assert found.house("p2").hand == hand + 1
    assert found.state.find_card(sword) is None


@pytest.mark.rule("AGOT-ZONE-16", "AGOT-ZONE-14", "AGOT-OR-23", "AGOT-ZONE-15")
def test_a_card_goes_to_the_pile_of_its_owner() -> None:
    found = game()
    card = found.put("p1", "Strength 3")
    found.do("control", card=card, seat="p2")
    assert found.refused("control", card=card, seat="p2") == "AGOT-GEN-13"
    found.do("leave", cards=[card], how="sacrificed")
    assert (found.house("p1").discard, found.house("p2").discard) == (("s3",), ())


@pytest.mark.rule("AGOT-ZONE-21", "AGOT-UNI-7")
def test_a_sacrificed_card_is_not_saved() -> None:
    found = game()
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    refused = found.refused("leave", cards=[hero], how="sacrificed", save="duplicate")
    assert refused == "AGOT-ZONE-21"
    found.do("leave", cards=[hero], how="sacrificed")
    assert found.house("p1").discard == ("he", "he")


@pytest.mark.rule("AGOT-B-2", "AGOT-EFF-10")
def test_a_killed_card_goes_elsewhere_by_its_own_text() -> None:
    found = game()
    benjen = found.put("p1", "Hero")
    deck = found.house("p1").draw_deck
    found.do("power", target="faction:p1", change=2, why="interrupt")
    found.do("leave", cards=[benjen], how="killed", to="deck")
    house = found.house("p1")
    assert found.titles == ["Hero: killed"]
    assert (house.dead, house.draw_deck, found.power("p1")) == ((), deck + 1, 2)
    found.put("p1", "Hero")


@pytest.mark.rule("AGOT-B-15", "AGOT-EFF-14")
def test_all_but_three_characters_are_killed_without_saves() -> None:
    found = game()
    cards = [found.put("p1", f"Strength {n}") for n in range(1, 5)]
    hero = found.put("p1", "Hero")
    found.put("p1", "Hero")
    found.do("leave", cards=[cards[0], hero], how="killed", save="none")
    assert found.house("p1").dead == ("s1", "he")
    assert found.house("p1").discard == ("he",), "the duplicate saves nothing"
    assert found.view_cards() == cards[1:]


@pytest.mark.rule("AGOT-ZONE-1", "AGOT-ZONE-2", "AGOT-CARD-10", "AGOT-GEN-13")
def test_cards_move_between_piles_and_into_play_without_cost() -> None:
    found = game()
    found.do("discard", seat="p1", cards=["Hero"], **{"from": "deck"})
    found.do("move", seat="p1", cards=["Hero"], to="hand", **{"from": "discard"})
    assert (found.house("p1").hand, found.house("p1").discard) == (8, ())
    found.do("move", seat="p1", count=2, to="removed", **{"from": "hand"})
    assert found.house("p1").removed == ("", "")
    same = {"seat": "p1", "to": "hand", "from": "hand"}
    assert found.refused("move", **same) == "AGOT-GEN-13"
    nothing = {"seat": "p1", "to": "hand", "from": "dead", "cards": ["Hero"]}
    assert found.refused("move", **nothing) == "INPUT"
    for how, pile in (("returned", "hand"), ("shuffled", "draw_deck"), ("removed", "removed")):
        before = getattr(found.house("p1"), pile)
        size = before if isinstance(before, int) else len(before)
        card = found.put("p1", "Strength 4", **{"from": "deck"})
        found.do("leave", cards=[card], how=how)
        after = getattr(found.house("p1"), pile)
        grown = after if isinstance(after, int) else len(after)
        assert grown == size + (how != "shuffled")
    assert found.house("p1").gold == 0


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-MOD-1", "AGOT-MOD-2", "AGOT-MOD-3", "AGOT-MOD-4", "AGOT-MOD-5",
                  "AGOT-MOD-6", "AGOT-MOD-7", "AGOT-V-42", "AGOT-V-43")  # fmt: skip
@pytest.mark.parametrize(
    ("base", "changes", "value"),
    [
        pytest.param(4, [("divide", 2), ("add", 1)], 3, id="V42"),
        pytest.param(3, [("add", -5), ("add", 1)], 0, id="V43 negative"),
        pytest.param(3, [("set", 2), ("add", 4)], 2, id="V43 set"),
        pytest.param(3, [("set", 2), ("set", 5)], 5, id="last set"),
        pytest.param(2, [("multiply", 2), ("add", 1)], 6, id="addition first"),
        pytest.param(5, [], 5, id="base"),
    ],
)
def test_modifiers(base: int, changes: list[tuple[str, int]], value: int) -> None:
    found = [Change(operation, number) for operation, number in changes]  # type: ignore[arg-type]
    assert modified(base, found) == value
    play = game()
    card = play.put("p1", f"Strength {base}")
    for operation, number in changes:
        play.do("modify", target=card, stat="strength", operation=operation, value=number)
    assert play.strength(card) == value


@pytest.mark.rule("AGOT-ABL-12", "AGOT-TOK-11")
def test_every_instance_counts_and_tokens_are_unlimited() -> None:
    found = game()
    card = found.put("p1", "Strength 1")
    for _ in range(3):
        found.do("modify", target=card, stat="strength", value=1, why="banner")
    assert found.strength(card) == 4
    found.do("gold", seat="p1", change=300)
    assert found.house("p1").gold == 300


@pytest.mark.rule("AGOT-ABL-13", "AGOT-ABL-14", "AGOT-ABL-15", "AGOT-ABL-16")
def test_limits_and_maximums_are_counted_per_player_and_period() -> None:
    found = challenges()
    cards = [found.put("p1", "Strength 1"), found.put("p1", "Strength 1")]
    found.do("use", seat="p1", card=cards[0], period="phase")
    assert found.refused("use", seat="p1", card=cards[0], period="phase") == "AGOT-ABL-13"
    found.do("use", seat="p1", card=cards[1], period="phase")
    found.do("use", seat="p1", card="Trick", kind="max", period="round")
    assert found.refused("use", seat="p1", card="Trick", kind="max") == "AGOT-ABL-14"
    assert found.refused("use", seat="p1", card=" trick", kind="max") == "AGOT-ABL-14"
    found.do("use", seat="p2", card="Trick", kind="max")
    found.until("AW5").do("use", seat="p1", card=cards[0], period="phase")
    assert found.refused("use", seat="p1", card="Trick", kind="max") == "AGOT-ABL-14"
    found.until("1.2").do("use", seat="p1", card="Trick", kind="max")


# -- winning ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-WIN-1", "AGOT-WIN-2", "AGOT-WIN-4", "AGOT-TOK-9")
def test_fifteen_power_wins_at_once() -> None:
    found = game()
    card = found.put("p2", "Strength 1")
    found.do("power", target="faction:p2", change=8).do("power", target=card, change=6)
    assert not found.state.winner
    found.do("power", target=card, change=1)
    assert (found.state.winner, found.state.how) == ("p2", "power")
    assert found.refused("choose-plot", seat="p1", plot="Plain Plot") == "AGOT-WIN-2"
    assert PLAY.moment(found.state).winner == "p2"
    assert prompts(found.state) == ()


@pytest.mark.rule("AGOT-V-22", "AGOT-CHL-32", "AGOT-CLM-11", "AGOT-WIN-2")
def test_the_game_ends_before_renown() -> None:
    found = challenges(plot_name="Bloody Plot")
    found.set("p1", "power", 12).set("p2", "power", 4)
    fight(found, "power", [found.put("p1", "Renown 1")], []).do("continue")
    assert (found.state.winner, found.power("p1"), found.power("p2")) == ("p1", 15, 2)
    assert found.state.step == "4.2.4"


@pytest.mark.rule("AGOT-WIN-3", "AGOT-V-34")
def test_the_first_player_decides_between_two_at_fifteen() -> None:
    found = game(3, first="p3")
    found.set("p1", "power", 14).set("p2", "power", 14)
    found.do("simultaneous-power", targets=["faction:p1", "faction:p2"], change=1)
    assert not found.state.winner
    asked = prompts(found.state)[0]
    assert (asked.seats, [one.seat for one in asked.choices]) == (("p3",), ["p1", "p2"])
    assert found.refused("draw", seat="p1") == "AGOT-WIN-3"
    found.do("winner", seat="p2")
    assert PLAY.moment(found.state).winner == "p2"
    assert game().refused("winner", seat="p1") == "AGOT-WIN-3"


@pytest.mark.rule("AGOT-WIN-5", "AGOT-DRAW-5", "AGOT-V-35", "AGOT-B-8", "AGOT-EFF-3")
@pytest.mark.parametrize(("deck", "hand", "out"), [(3, 9, False), (2, 9, True), (1, 8, True)])
def test_an_empty_deck_eliminates(deck: int, hand: int, out: bool) -> None:
    found = game(3)
    found.set("p2", "deck", deck)
    found.plots()
    while found.state.step == "1.4":
        titles = found.titles_left()
        found.do("choose-title", title=next(one for one in titles if one != "master-of-laws"))
    found.until("AW2")
    house = found.house("p2")
    assert (house.hand, house.eliminated) == (hand, out)
    assert ("p2" in found.state.order) is not out


@pytest.mark.rule("AGOT-WIN-7", "AGOT-DRAW-5", "AGOT-V-36", "AGOT-OR-16")
def test_the_first_player_names_the_winner_of_empty_decks() -> None:
    found = game()
    found.set("p1", "deck", 2).set("p2", "deck", 2)
    found.plots().idle()
    assert found.state.contest == ("p1", "p2")
    found.do("winner", seat="p2")
    assert (found.state.winner, found.state.how) == ("p2", "deck")


@pytest.mark.rule("AGOT-V-37", "AGOT-KEY-12", "AGOT-WIN-5", "AGOT-WIN-6")
def test_pillage_empties_the_last_deck() -> None:
    found = challenges()
    found.set("p2", "deck", 1)
    fight(found, "power", [found.put("p1", "Pillage")], []).do("continue")
    found.do("keyword", keyword="pillage")
    assert (found.state.winner, found.state.how) == ("p1", "last")
    assert found.house("p2").eliminated


@pytest.mark.rule("AGOT-ORD-8", "AGOT-V-38", "AGOT-OR-13")
def test_the_next_player_follows_an_eliminated_first_player() -> None:
    found = game(4, first="p2")
    mine, his = found.put("p2", "Strength 1"), found.put("p3", "Strength 2")
    found.put("p3", "Sword", host=mine)
    found.put("p2", "Sword", host=his)
    hand = found.house("p3").hand
    found.do("control", card=his, seat="p2")
    found.set("p2", "deck", 0)
    assert found.state.first == "p3"
    assert found.state.cards == ()
    assert found.house("p3").hand == hand + 1
    assert found.house("p3").discard == ("s2",)


@pytest.mark.rule("AGOT-OR-13")
def test_a_challenge_ends_when_its_player_is_eliminated() -> None:
    found = challenges(4)
    card = found.put("p1", "Strength 3")
    found.until("4.2").do("challenge", type="power", against="p2", attackers=[card])
    while found.state.step == "4.2.X":
        found.do("redirect", use=False)
    found.set("p2", "deck", 0)
    assert (found.state.step, found.state.challenge) == ("AW4", None)


@pytest.mark.rule("AGOT-OR-15")
@pytest.mark.parametrize(
    ("reading", "winner"), [("power-first", "p1"), ("elimination-first", "p2")]
)
def test_fifteen_power_and_an_empty_deck_at_once(reading: str, winner: str) -> None:
    ctx = ThronesContext(challenges(readings=[f"end-order={reading}"]).state)
    ctx.state = ctx.state.with_house(replace(ctx.state.house("p1"), power=15, draw_deck=0))
    ctx.check_end()
    assert ctx.state.winner == winner


@pytest.mark.rule("AGOT-TOK-8", "AGOT-TOK-6", "AGOT-TOK-4")
def test_what_is_not_there_cannot_move() -> None:
    found = game()
    card = found.put("p1", "Strength 1")
    source = {"source": "faction:p1", "target": card}
    assert found.refused("move-power", **source) == "AGOT-TOK-8"
    assert found.refused("power", target=card, change=-1) == "AGOT-TOK-6"
    assert found.refused("gold", seat="p1", change=-1) == "AGOT-INI-3"
    found.do("power", target="faction:p1", change=2).do("move-power", **source, count=2)
    assert found.card(card).power == 2
    assert found.refused("move-power", source=card, target=card) == "AGOT-GEN-13"
    found.do("control", card=card, seat="p2")
    assert (found.power("p1"), found.power("p2")) == (0, 2)
