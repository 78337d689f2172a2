"""Challenges from declaration to claim and keywords."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.prompts import answers
from companion.games.thrones.play.prompts.challenge_prompts import expected_result
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.rules.values import ChallengeSide, challenge_result, needed_to_win
from companion.games.thrones.screen import SCREEN
from companion.games.thrones.screen.card_table import card_table
from companion.games.thrones.screen.offers import offers
from tests.games.thrones.decks import attack, challenges, fight, game
from tests.games.thrones.driver import CardGame, copy_of

# -- declaring -------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-CHL-2", "AGOT-CHL-6", "AGOT-CHL-3", "AGOT-B-12", "AGOT-ORD-17")
def test_one_challenge_of_each_type_and_more_by_card_text() -> None:
    found = challenges()
    cards = [found.put("p1", f"Strength {n}") for n in range(1, 6)]
    for kind, card in zip(("military", "intrigue", "power"), cards, strict=False):
        found.until("4.2").do("challenge", type=kind, attackers=[card])
        found.until("4.2.2").do("continue").until("AW4")
    found.do("extra-challenge", type="military", why="Casterly Rock").until("4.2")
    assert found.refused("challenge", type="power", attackers=[cards[3]]) == "AGOT-CHL-6"
    found.do("challenge", type="military", attackers=[cards[3]])
    assert len(found.state.declared) == 4
    assert found.state.extra == ()


@pytest.mark.rule("AGOT-CHL-3")
def test_additional_challenges_belong_to_the_challenges_phase() -> None:
    assert game().refused("extra-challenge", type="military") == "AGOT-CHL-3"


@pytest.mark.rule("AGOT-CHL-8", "AGOT-CHL-9", "AGOT-CMP-9", "AGOT-CARD-2")
def test_who_may_attack() -> None:
    found = challenges()
    knight, soldier = found.put("p1", "Strength 3"), found.put("p1", "Soldier")
    castle, his = found.put("p1", "Castle"), found.put("p2", "Strength 3")
    found.until("4.2")
    for kind, attackers in (
        ("power", [soldier]),
        ("military", [castle]),
        ("military", [his]),
        ("military", [knight, his]),
    ):
        assert found.refused("challenge", type=kind, attackers=attackers) == "AGOT-CHL-8"
    assert found.refused("challenge", type="military", attackers=[]) == "AGOT-CHL-9"
    found.do("kneel", cards=[knight])
    assert found.refused("challenge", type="military", attackers=[knight]) == "AGOT-CHL-8"
    found.do("modify", target=soldier, stat="icon-power", value=1)
    found.do("challenge", type="power", attackers=[soldier])


@pytest.mark.rule("AGOT-CHL-5", "AGOT-CHL-10", "AGOT-CHL-13", "AGOT-CHL-14", "AGOT-CHL-15",
                  "AGOT-CHL-19", "AGOT-CHL-38", "AGOT-FMT-4")  # fmt: skip
def test_attackers_kneel_and_participate_until_the_end() -> None:
    found = challenges()
    cards = [found.put("p1", "Strength 2"), found.put("p1", "Strength 3")]
    assert found.refused("challenge", type="power", attackers=cards) == "AGOT-CHL-4"
    attack(found, "power", cards)
    assert all(found.card(one).kneeling for one in cards)
    challenge = found.state.challenge
    assert challenge is not None
    assert (challenge.attacker, challenge.defender) == ("p1", "p2")
    assert challenge.participants == tuple(cards)
    found.do("defend").until("4.2.2").do("continue")
    assert found.state.step == "AW4"
    assert found.state.challenge is None
    assert found.state.active == "p1"


@pytest.mark.rule("AGOT-CHL-4", "AGOT-CHL-12", "AGOT-CHL-18")
def test_passing_moves_on_and_the_windows_come_in_order() -> None:
    found = challenges()
    card = found.put("p1", "Strength 2")
    found.until("4.2").do("challenge", type="military", attackers=[card])
    assert found.state.step == "AW4A"
    assert "Reactions" in prompts(found.state)[0].facts[0].text
    found.do("pass", all=True)
    assert found.state.step == "4.2.1"
    found.do("defend")
    assert found.state.step == "AW4B"
    found.until("4.2").do("no-challenge")
    assert (found.state.step, found.state.active) == ("AW4", "p2")


@pytest.mark.rule("AGOT-CHL-16", "AGOT-CHL-17", "AGOT-KEY-28")
def test_who_may_defend() -> None:
    found = challenges()
    stealthy = found.put("p1", "Stealth 1")
    mine = found.put("p2", "Strength 3")
    soldier, kneeling = found.put("p2", "Soldier"), found.put("p2", "Strength 4")
    passed_by = found.put("p2", "Strength 5")
    found.do("kneel", cards=[kneeling])
    attack(found, "power", [stealthy], stealth={stealthy: passed_by})
    assert found.refused("defend", defenders=[soldier]) == "AGOT-CHL-17"
    assert found.refused("defend", defenders=[kneeling]) == "AGOT-CHL-17"
    assert found.refused("defend", defenders=[stealthy]) == "AGOT-CHL-17"
    assert found.refused("defend", defenders=[passed_by]) == "AGOT-KEY-28"
    assert prompts(found.state)[0].pieces == (mine,)
    found.do("defend", defenders=[mine])
    assert found.card(mine).kneeling


@pytest.mark.rule("AGOT-KEY-27", "AGOT-CHL-11", "AGOT-OR-19")
def test_stealth_bypasses_characters_without_stealth() -> None:
    found = challenges()
    stealth = [found.put("p1", "Stealth 1"), found.put("p1", "Stealth 2")]
    plain = found.put("p1", "Strength 1")
    target, other = found.put("p2", "Strength 2"), found.put("p2", "Stealth 1")
    found.until("4.2")

    def refused(pairs: dict[str, str]) -> str:
        cards = [*stealth, plain]
        return found.refused("challenge", type="power", attackers=cards, stealth=pairs)

    assert refused({plain: target}) == "AGOT-KEY-27"
    assert refused({stealth[0]: other}) == "AGOT-KEY-27"
    assert refused({stealth[0]: plain}) == "AGOT-KEY-27"
    pairs = [f"{stealth[0]}>{target}", f"{stealth[1]}>{target}"]
    found.do("challenge", type="power", attackers=stealth, stealth=pairs)
    assert found.state.challenge is not None
    assert found.state.challenge.bypassed == (target, target)


@pytest.mark.rule("AGOT-KEY-27")
def test_stealth_bypasses_one_character_for_each_attacker() -> None:
    found = challenges().until("4.2")
    sneak, other = found.put("p1", "Stealth 1"), found.put("p1", "Strength 1")
    his = [found.put("p2", f"Strength {n}") for n in (2, 3)]
    pairs = [f"{sneak}>{one}" for one in his]
    asked = {"type": "power", "attackers": [sneak, other], "stealth": pairs}
    assert found.refused("challenge", **asked) == "AGOT-KEY-27"

    def most() -> list[int]:
        forms = prompts(found.state)[0].forms
        return [one.most for form in forms for one in form.entries if one.field == "stealth"]

    assert set(most()) == {1}
    second = found.put("p1", "Stealth 2")
    assert set(most()) == {2}
    pairs = [pairs[0], f"{second}>{his[1]}"]
    found.do("challenge", type="power", attackers=[sneak, second], stealth=pairs)
    assert found.state.challenge is not None
    assert found.state.challenge.bypassed == tuple(his)


@pytest.mark.rule("AGOT-OR-19")
def test_the_other_reading_forbids_the_same_target_twice() -> None:
    found = challenges(readings=["stealth-twice=forbidden"])
    stealth = [found.put("p1", "Stealth 1"), found.put("p1", "Stealth 2")]
    target = found.put("p2", "Strength 2")
    found.until("4.2")
    pairs = dict.fromkeys(stealth, target)
    assert (
        found.refused("challenge", type="power", attackers=stealth, stealth=pairs) == "AGOT-KEY-27"
    )


# -- participating ---------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-CHL-20", "AGOT-CHL-21", "AGOT-CHL-22", "AGOT-CHL-23", "AGOT-CHL-24",
                  "AGOT-TOK-12")  # fmt: skip
def test_who_stops_participating() -> None:
    found = challenges()
    cards = [found.put("p1", f"Strength {n}") for n in (1, 2, 3, 4)]
    his = found.put("p2", "Strength 5")
    attack(found, "military", cards).do("defend", defenders=[his])
    found.do("modify", target=cards[3], stat="icon-military", value=-1)
    assert found.state.challenge is not None
    assert cards[3] in found.state.challenge.attackers
    found.do("power", target=cards[0], change=2)
    found.do("leave", cards=[cards[1]], how="killed")
    found.do("remove-from-challenge", card=cards[2])
    found.do("control", card=cards[0], seat="p2")
    assert found.state.challenge.attackers == (cards[3],)
    assert (found.power("p1"), found.power("p2")) == (0, 2)
    assert found.refused("remove-from-challenge", card=cards[2]) == "AGOT-CHL-19"
    found.do("modify", target="p1", stat="challenge", value=3)
    found.until("4.2.2")
    assert found.titles[-1] == "7 : 5, Anna wins"


# -- winning ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-CHL-25", "AGOT-CHL-26", "AGOT-CHL-27", "AGOT-CHL-28", "AGOT-CHL-29",
                  "AGOT-CHL-30", "AGOT-V-10", "AGOT-V-11", "AGOT-V-12", "AGOT-V-13", "AGOT-V-15",
                  "AGOT-OR-7", "AGOT-OR-8")  # fmt: skip
@pytest.mark.parametrize(
    ("attack_side", "defence_side", "winner", "unopposed"),
    [
        pytest.param((5, 1), (5, 1), "attacker", False, id="V10"),
        pytest.param((3, 1), (0, 0), "attacker", True, id="V11"),
        pytest.param((2, 1), (0, 1), "attacker", True, id="V12"),
        pytest.param((0, 1), (0, 1), "", False, id="V13"),
        pytest.param((4, 1), (6, 2), "defender", False, id="V14"),
        pytest.param((3, 0), (1, 1), "", False, id="V15"),
        pytest.param((0, 1), (2, 0), "", False, id="defender without characters"),
    ],
)
def test_who_wins_a_challenge(
    attack_side: tuple[int, int], defence_side: tuple[int, int], winner: str, unopposed: bool
) -> None:
    result = challenge_result(ChallengeSide(*attack_side), ChallengeSide(*defence_side))
    assert (result.winner, result.unopposed) == (winner, unopposed)


@pytest.mark.rule("AGOT-OR-7")
@pytest.mark.parametrize(("reading", "winner"), [("nobody", ""), ("lower-side", "p2")])
def test_the_side_with_the_higher_total_may_lack_characters(reading: str, winner: str) -> None:
    found = challenges(readings=[f"higher-total={reading}"])
    mine, his = found.put("p1", "Strength 2"), found.put("p2", "Strength 1")
    attack(found, "power", [mine]).do("defend", defenders=[his])
    found.do("modify", target="p1", stat="challenge", value=3)
    found.do("leave", cards=[mine], how="discarded").until("4.2.2")
    assert found.state.challenge is not None
    assert found.state.challenge.winner == winner


@pytest.mark.parametrize(
    ("own", "other", "attacking", "needed"),
    [(5, 7, True, 2), (5, 7, False, 3), (7, 7, True, 0), (7, 7, False, 1), (0, 0, True, 1)],
)
def test_what_a_side_needs_to_win(own: int, other: int, attacking: bool, needed: int) -> None:
    assert needed_to_win(own, other, attacking) == needed


@pytest.mark.rule("AGOT-CHL-31", "AGOT-CHL-32", "AGOT-B-5", "AGOT-TOK-7", "AGOT-V-11")
def test_reactions_come_before_the_unopposed_bonus() -> None:
    found = challenges()
    fight(found, "military", [found.put("p1", "Strength 3")], [])
    assert found.power("p1") == 0
    asked = prompts(found.state)[0]
    assert asked.id == "result"
    assert any("before bonuses" in fact.text for fact in asked.facts)
    found.do("continue")
    assert (found.power("p1"), found.house("p1").power) == (1, 1)


@pytest.mark.rule("AGOT-CHL-30")
def test_who_has_won_stays_so_when_a_defender_is_gone() -> None:
    found = challenges()
    defender = found.put("p2", "Renown 1")
    fight(found, "military", [found.put("p1", "Strength 3")], [defender])
    assert expected_result(found.state) == "Anna wins"
    found.do("leave", cards=[defender], how="killed", save="none")
    assert expected_result(found.state) == "Anna wins", "it was not unopposed"


@pytest.mark.rule("AGOT-CHL-29", "AGOT-KEY-10", "AGOT-V-13")
def test_nobody_wins_with_nothing() -> None:
    found = challenges()
    card = found.put("p1", "Renown 1")
    found.do("modify", target=card, stat="strength", value=-9, until="phase")
    fight(found, "power", [card], []).do("continue")
    assert found.state.step == "AW4"
    assert found.power("p1") == 0


@pytest.mark.rule("AGOT-CHL-36", "AGOT-KEY-8", "AGOT-KEY-14", "AGOT-V-14", "AGOT-CHL-37")
def test_a_winning_defender_uses_renown_and_takes_no_claim() -> None:
    found = challenges()
    attackers = [found.put("p1", "Intimidate 1"), found.put("p1", "Strength 1")]
    defenders = [found.put("p2", "Renown 1"), found.put("p2", "Strength 3")]
    found.do("power", target="faction:p1", change=2)
    fight(found, "power", attackers, defenders).do("continue")
    assert found.state.challenge is not None
    assert found.state.challenge.keywords == ("renown",)
    found.do("keyword", keyword="renown")
    assert (found.power("p1"), found.power("p2")) == (2, 1)
    assert found.card(defenders[0]).power == 1


# -- claim -----------------------------------------------------------------------------------------


def claimed(kind: str, plot: str, hand: int = 7, victims: int = 3) -> CardGame:
    """p1 has won against p2 and claim is to be resolved."""
    found = challenges(plot_name=plot)
    for n in range(victims):
        found.put("p2", f"Strength {n + 1}")
    found.set("p2", "hand", hand)
    fight(found, kind, [found.put("p1", "Strength 9")], [])
    return found.do("continue")


@pytest.mark.rule("AGOT-CLM-1", "AGOT-CLM-2", "AGOT-CLM-3", "AGOT-CLM-4", "AGOT-CLM-5")
@pytest.mark.rule("AGOT-CLM-6", "AGOT-ZONE-10", "AGOT-ZONE-12", "AGOT-B-4", "AGOT-CHL-35")
def test_military_claim_kills_different_characters_at_once() -> None:
    found = claimed("military", "Bloody Plot")
    assert found.state.step == "4.2.4"
    assert prompts(found.state)[0].seats == ("p2",)
    assert found.refused("claim", cards=["c1"]) == "AGOT-CLM-3"
    assert found.refused("claim", cards=["c1", "c1"]) == "AGOT-CLM-3"
    assert found.refused("claim", cards=["c1", "c4"]) == "AGOT-CLM-3"
    found.do("claim", cards=["c1", "c2"])
    (left,) = [one for one in found.events if one.type == "left"]
    assert len(left.data["cards"]) == 2
    assert found.house("p2").dead == ("s1", "s2")
    assert found.house("p2").discard == ()


@pytest.mark.rule("AGOT-CLM-3", "AGOT-CLM-4")
def test_another_program_is_told_every_set_of_characters_that_may_die() -> None:
    found = claimed("military", "Bloody Plot")
    (asked,) = PLAY.options(found.state)
    ways = asked["options"]
    assert [one["cards"] for one in ways] == [["c1", "c2"], ["c1", "c3"], ["c2", "c3"]]
    for command in ways:
        assert isinstance(PLAY.decide(found.state, command), Accepted)


@pytest.mark.rule("AGOT-CLM-3")
def test_of_very_many_sets_another_program_is_told_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_WAYS", 2)
    (asked,) = PLAY.options(claimed("military", "Bloody Plot").state)
    assert [one["cards"] for one in asked["options"]] == [["c1", "c2"], ["c1", "c3"]]
    assert asked["open"] == ["claim"]


@pytest.mark.rule("AGOT-CLM-8", "AGOT-V-18", "AGOT-EFF-3")
def test_military_claim_takes_what_is_there() -> None:
    found = claimed("military", "Bloody Plot", victims=1)
    found.do("claim", cards=["c1"])
    assert found.house("p2").dead == ("s1",)
    assert claimed("military", "Bloody Plot", victims=0).state.step == "AW4"


@pytest.mark.rule("AGOT-CLM-7", "AGOT-V-19", "AGOT-UNI-7", "AGOT-EFF-13")
def test_a_saved_character_counts_towards_the_claim() -> None:
    found = challenges(plot_name="Bloody Plot")
    found.put("p2", "Hero")
    found.put("p2", "Hero")
    for n in (1, 2):
        found.put("p2", f"Strength {n}")
    fight(found, "military", [found.put("p1", "Strength 9")], []).do("continue")
    assert found.refused("claim", cards=["c1", "c2"]) == "AGOT-UNI-7"
    assert found.refused("claim", cards=["c2", "c3"], save={"c2": "duplicate"}) == "AGOT-UNI-7"
    found.do("claim", cards=["c1", "c2"], save={"c1": "duplicate"})
    house = found.house("p2")
    assert (house.dead, house.discard, found.card("c1").duplicates) == (("s1",), ("he",), ())
    assert found.state.step == "AW4"


@pytest.mark.rule("AGOT-CLM-9", "AGOT-CLM-10", "AGOT-V-20", "AGOT-ZONE-6")
@pytest.mark.parametrize(("hand", "gone"), [(5, 2), (1, 1), (0, 0)])
def test_intrigue_claim_discards_from_hand(hand: int, gone: int) -> None:
    found = claimed("intrigue", "Bloody Plot", hand)
    if gone:
        assert found.refused("claim", cards=["Hero"] * 3) == "AGOT-CLM-9"
        found.do("claim", cards=["Hero"])
    house = found.house("p2")
    assert (house.hand, len(house.discard)) == (hand - gone, gone)
    assert found.state.step == "AW4"


@pytest.mark.rule("AGOT-CLM-11", "AGOT-CLM-12", "AGOT-CLM-13", "AGOT-CLM-14", "AGOT-V-21",
                  "AGOT-OR-9", "AGOT-TOK-8")  # fmt: skip
@pytest.mark.parametrize(("reading", "loser"), [("faction-card", 3), ("all-cards", 2)])
def test_power_claim_moves_what_lies_on_the_faction_card(reading: str, loser: int) -> None:
    found = challenges(plot_name="Bloody Plot", readings=[f"power-claim={reading}"])
    his = found.put("p2", "Strength 1")
    found.do("power", target=his, change=3).do("power", target="faction:p2", change=1)
    found.do("power", target="faction:p1", change=6)
    fight(found, "power", [found.put("p1", "Strength 9")], [his]).do("continue")
    assert (found.power("p2"), found.power("p1")) == (loser, 10 - loser)
    assert not any(one.type == "power" for one in found.events), "moved, not gained"


@pytest.mark.rule("AGOT-CLM-2", "AGOT-OR-24", "AGOT-CLM-1")
def test_a_claim_of_zero_does_nothing_and_claim_can_be_raised() -> None:
    found = claimed("military", "Weak Plot")
    assert found.state.step == "AW4"
    found = challenges(plot_name="Weak Plot")
    found.do("modify", target="p1", stat="claim", value=1, until="phase")
    for n in (1, 2):
        found.put("p2", f"Strength {n}")
    fight(found, "military", [found.put("p1", "Strength 9")], []).do("continue")
    found.do("claim", cards=["c2"])
    assert found.house("p2").dead == ("s2",)


def test_card_text_replaces_a_claim() -> None:
    found = claimed("military", "Plain Plot")
    found.do("claim", instead="Vengeance")
    assert found.titles[0] == "Claim 1: Vengeance"
    assert len(found.state.cards) == 4


# -- keywords --------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-KEY-6", "AGOT-KEY-7", "AGOT-KEY-8", "AGOT-KEY-11", "AGOT-KEY-12",
                  "AGOT-KEY-13", "AGOT-KEY-3", "AGOT-TOK-6")  # fmt: skip
def test_keywords_resolve_in_the_order_of_the_first_player() -> None:
    found = challenges()
    cards = [found.put("p1", name) for name in ("Renown 1", "Renown 2", "Insight", "Pillage")]
    found.do("modify", target=cards[0], stat="keyword-renown", value=1, until="phase")
    found.do("modify", target=cards[3], stat="keyword-insight", value=1, until="phase")
    fight(found, "power", cards, []).do("continue")
    asked = prompts(found.state)[0]
    assert asked.seats == ("p1",)
    hand, deck = found.house("p1").hand, found.house("p2").draw_deck
    found.do("keyword", keyword="renown")
    assert [found.card(one).power for one in cards] == [1, 1, 0, 0]
    assert found.refused("keyword", keyword="renown") == "AGOT-KEY-7"
    assert found.refused("keyword", keyword="insight", cards=[cards[0]]) == "AGOT-KEY-9"
    found.do("keyword", keyword="insight", cards=[cards[2]])
    assert found.house("p1").hand == hand + 1
    found.do("keyword", keyword="pillage")
    assert (found.house("p2").draw_deck, found.house("p2").discard) == (deck - 1, ("",))
    assert found.state.step == "AW4"


@pytest.mark.rule("AGOT-CHL-36", "AGOT-CHL-32")
def test_a_defender_who_wins_is_told_no_claim_and_no_bonus() -> None:
    """A newcomer is told of the power for winning against nobody only where it is gained."""
    for defended in (True, False):
        found = challenges(guided=True)
        mine, his = found.put("p1", "Strength 3"), found.put("p2", "Strength 5")
        fight(found, "power", [mine], [his] if defended else [])
        told = " ".join(str(fact.text) for fact in prompts(found.state)[0].facts)
        assert ("No claim" in told, "Claim 1" in told) == (defended, not defended)
        assert ("Won against nobody" in told) is not defended
        lane = card_table(found.state).contest
        assert lane is not None
        assert (str(lane.text), lane.lines) == ("" if defended else "claim 1", ())


@pytest.mark.rule("AGOT-KEY-27", "AGOT-CHL-11")
def test_an_attack_from_the_card_names_whom_stealth_bypasses() -> None:
    """No row gives stealth up in silence, and the first one uses it on the strongest defender."""
    found = challenges().until("4.2")
    sneak, plain = found.put("p1", "Stealth 1"), found.put("p1", "Strength 5")

    def attacks(card: str) -> list[str]:
        power = [one for one in offers(found.state, card) if one.kind == "crown"]
        return [str(one.text).removeprefix("Power challenge against Boris") for one in power]

    assert (attacks(sneak), attacks(plain)) == ([""], [""])  # nobody to bypass
    for n in (2, 1, 4, 3):
        found.put("p2", f"Strength {n}")
    knelt = found.put("p2", "King")
    found.do("kneel", cards=[knelt])
    bypassing = [f": Stealth 1 bypasses Strength {n}" for n in (4, 3, 2)]
    assert attacks(sneak) == [*bypassing, ": without stealth"]
    assert attacks(plain) == [""]
    best = next(one for one in offers(found.state, sneak) if one.kind == "crown")
    word, *_ = best.commands[-1].values()
    found.do(word, **{key: value for key, value in best.commands[-1].items() if key != "do"})
    assert found.state.challenge is not None
    assert [found.state.card(one).name for one in found.state.challenge.bypassed] == ["Strength 4"]


@pytest.mark.rule("AGOT-CLM-9", "AGOT-WIN-2", "AGOT-CHL-32")
def test_without_reactions_a_claim_follows_at_once_unless_the_game_is_won() -> None:
    for kind, power, rows in (
        ("intrigue", 0, ["No reactions: Boris discards 1 random card"]),
        ("military", 0, ["No reactions: Strength 2 is killed"]),
        ("intrigue", 14, []),
        ("military", 14, []),
    ):
        found = challenges()
        mine, his = found.put("p1", "Strength 3"), found.put("p2", "Strength 2")
        found.do("set", target="p2", what="hand", value=4, why="test")
        found.do("power", target="faction:p1", change=power)
        fight(found, kind, [mine], [])
        (asked,) = prompts(found.state)
        claims = [one for one in asked.choices if str(one.text).startswith("No reactions")]
        assert [str(one.text) for one in claims] == rows
        told = [str(one.text) for one in asked.facts]
        assert ("Boris chooses who is killed" in told) == (kind == "military")
        for command in claims[0].commands if claims else ({"do": "continue"},):
            found.do(**{("word" if key == "do" else key): one for key, one in command.items()})
        assert (found.state.winner, found.state.house("p2").hand) == (
            ("p1", 4) if power else ("", 3 if kind == "intrigue" else 4)
        )
        assert (his in {one.id for one in found.state.cards}) == (kind == "intrigue" or power > 0)


@pytest.mark.rule("AGOT-CARD-8", "AGOT-CHL-35")
def test_attachments_that_go_back_to_hand_with_a_victim_are_told() -> None:
    found = challenges()
    mine, his = found.put("p1", "Strength 9"), found.put("p2", "Strength 1")
    (
        found.put("p2", "Sword", host=his),
        found.put("p2", "Poison", host=his),
    )  # Poison is terminal
    fight(found, "military", [mine], []).do("continue").do("claim", cards=[his])
    assert "Strength 1: killed; back to hand: Sword" in found.titles


@pytest.mark.rule("AGOT-KEY-27")
def test_those_who_could_defend_come_first_among_the_targets_of_stealth() -> None:
    found = challenges().until("4.2")
    found.put("p1", "Stealth 1"), found.put("p2", "Soldier"), found.put("p2", "Strength 2")
    forms = {one.command["type"]: one for one in prompts(found.state)[0].forms}
    named = [str(text) for _, text in forms["power"].entries[1].options]
    assert named == ["Stealth 1 bypasses Strength 2", "Stealth 1 bypasses Soldier"]


@pytest.mark.rule("AGOT-CHL-17", "AGOT-KEY-27")
def test_it_is_told_whom_stealth_bypasses_and_that_nobody_can_defend() -> None:
    found = challenges()
    sneak, his = found.put("p1", "Stealth 1"), found.put("p2", "Strength 2")
    found.until("4.2")
    before = found.state
    found.do("challenge", type="power", attackers=[sneak], stealth={sneak: his})
    shown = SCREEN.outcome(before, found.events, found.state)
    assert shown is not None
    assert str(shown.text).endswith("power challenge with Stealth 1; stealth bypasses Strength 2")
    (asked,) = prompts(found.until("4.2.1").state)
    assert "No character can defend" in [str(one.text) for one in asked.facts]
    assert [(str(one.text), one.look) for one in asked.choices] == [("No defenders", "primary")]


@pytest.mark.rule("AGOT-CHL-32", "AGOT-UNI-7")
def test_the_result_tells_the_unopposed_power_beside_the_save() -> None:
    found = challenges()
    mine, hero = found.put("p1", "Strength 3"), found.put("p2", "Hero")
    found.put("p2", "Hero")
    fight(found, "military", [mine], [])
    before = found.state
    found.do("continue")
    shown = SCREEN.outcome(before, found.events, found.state)
    assert shown is not None
    assert "unopposed" in str(shown.undo)  # not only that reactions are over
    before = found.state
    found.do("claim", cards=[hero], save="duplicate")
    shown = SCREEN.outcome(before, found.events, found.state)
    assert shown is not None
    assert shown.text == "Anna +1 power (unopposed). Hero is saved by its duplicate"


@pytest.mark.rule("AGOT-CLM-7", "AGOT-CLM-8")
def test_a_single_victim_is_saved_by_an_ability_and_all_are_chosen_where_there_is_no_choice() -> (
    None
):
    found = challenges(plot_name="Bloody Plot")
    mine, one, two = (found.put(*name) for name in (("p1", "Strength 9"), ("p2", "Strength 1"),
                                                    ("p2", "Strength 2")))  # fmt: skip
    fight(found, "military", [mine], []).do("continue")
    assert prompts(found.state)[0].forms[0].entries[0].value == [one, two]  # claim 2
    found = challenges()
    mine, one = found.put("p1", "Strength 9"), found.put("p2", "Strength 1")
    fight(found, "military", [mine], []).do("continue")
    form = prompts(found.state)[0].forms[0]
    assert (str(form.text), form.command["save"]) == ("Saved by an ability", "ability")
    texts = [str(offer.text) for offer in offers(found.state, one)]
    assert "Strength 1, saved by an ability" in texts
    found.do("claim", cards=[one], save="ability")
    assert found.state.find_card(one) is not None


@pytest.mark.rule("AGOT-UNI-7", "AGOT-CLM-6", "AGOT-CLM-7")
def test_each_of_several_victims_is_saved_on_its_own() -> None:
    """A claim of 2: the duplicate saves one of them, and the other dies."""
    found = challenges(plot_name="Bloody Plot")
    mine, hero, king = (found.put(*one) for one in (("p1", "Strength 9"), ("p2", "Hero"),
                                                    ("p2", "King")))  # fmt: skip
    third = found.put("p2", "Strength 1")
    found.put("p2", "Hero"), found.put("p2", "King")
    fight(found, "military", [mine], []).do("continue")
    (asked,) = prompts(found.state)
    form = asked.forms[0]
    cards, save = form.entries
    assert [text for _, text in save.options if "duplicate" in text] == [
        "Hero, saved by its duplicate", "King, saved by its duplicate"]  # fmt: skip
    assert (cards.field, save.field, form.command["save"]) == ("cards", "save", [])
    both = {"cards": [hero, king]}
    assert found.refused("claim", **both, save=[f"{third}>ability"]) == "INPUT"
    assert found.refused("claim", cards=[king, third], save=[f"{third}>duplicate"]) == "AGOT-UNI-7"
    found.do("claim", **both, save=[f"{hero}>duplicate"])
    left = {one.name: len(one.duplicates) for one in found.state.cards if one.owner == "p2"}
    assert left == {"Hero": 0, "Strength 1": 0}


def keyword_seats(found: CardGame, **asked: Any) -> tuple[tuple[str, ...], bool]:
    """Who may give a keyword's command now, and whether they agree on it."""
    may = PLAY.authority(found.state, {"do": "keyword", **asked})
    return may.seats, may.together


@pytest.mark.rule("AGOT-KEY-7", "AGOT-KEY-13")
@pytest.mark.parametrize("defends", [False, True])
def test_the_winner_uses_a_keyword_and_not_the_first_player(defends: bool) -> None:
    found = challenges()
    mine, his = found.put("p1", "Strength 1"), found.put("p2", "King")
    if defends:
        fight(found, "power", [mine], [his])
    else:
        found.until("4.2").do("no-challenge").until("4.2")
        fight(found, "power", [his], [])
    found.do("continue")
    (asked,) = prompts(found.state)
    assert (asked.id, asked.seats, found.state.first) == ("keyword", ("p2",), "p1")
    for choice in asked.choices:
        assert PLAY.authority(found.state, choice.commands[0]).seats == ("p2",)


@pytest.mark.rule("AGOT-KEY-7", "AGOT-KEY-11", "AGOT-KEY-13")
def test_the_first_player_orders_the_keywords_of_another_who_uses_them() -> None:
    found = challenges()
    weak = found.put("p1", "Strength 1")
    cards = [found.put("p2", name) for name in ("Renown 1", "Renown 2", "Insight")]
    fight(found, "power", [weak], cards).do("continue")
    (asked,) = prompts(found.state)
    assert (asked.id, asked.seats) == ("keyword-order", ("p1",))
    words = [one.commands[0] for one in asked.choices]
    assert words == [{"do": "keyword-order", "keyword": one} for one in ("insight", "renown")]
    assert PLAY.authority(found.state, words[0]).seats == ("p1",)
    assert keyword_seats(found, keyword="renown") == (("p1", "p2"), True), "both agree at once"
    assert found.refused("keyword-order", keyword="pillage") == "AGOT-KEY-7"
    found.do("keyword-order", keyword="renown")
    assert found.titles == ["Anna: next renown"]
    assert found.refused("keyword", keyword="insight") == "AGOT-KEY-7"
    (asked,) = prompts(found.state)
    assert (asked.id, asked.seats) == ("keyword", ("p2",))
    assert keyword_seats(found, keyword="renown") == (("p2",), False)
    (some,) = asked.forms
    assert [value for value, _ in some.entries[0].options] == cards[:2]
    found.do("keyword", keyword="renown", cards=cards[:1])
    assert [found.card(one).power for one in cards] == [1, 0, 0]
    (asked,) = prompts(found.state)
    assert (asked.id, asked.seats) == ("keyword", ("p2",)), "the last one has no order"
    found.do("keyword", keyword="insight")
    assert found.state.step == "AW4"


@pytest.mark.rule("AGOT-KEY-9", "AGOT-V-26")
def test_a_character_that_left_contributes_no_keyword() -> None:
    found = challenges()
    cards = [found.put("p1", f"Renown {n}") for n in (1, 2, 3)]
    fight(found, "power", cards, [])
    found.do("leave", cards=[cards[0]], how="killed").do("continue")
    found.do("keyword", keyword="renown")
    assert found.power("p1") == 3, "one unopposed, two renown"


@pytest.mark.rule("AGOT-KEY-14", "AGOT-KEY-15", "AGOT-KEY-16", "AGOT-KEY-17", "AGOT-V-27",
                  "AGOT-INI-21", "AGOT-B-6", "AGOT-OR-5")  # fmt: skip
def test_intimidate_kneels_one_character_no_stronger_than_the_difference() -> None:
    found = challenges()
    attackers = [found.put("p1", f"Intimidate {n}") for n in (1, 2)]
    attackers.append(found.put("p1", "Strength 3"))
    defender, four = found.put("p2", "Strength 5"), found.put("p2", "Strength 4")
    kneeling, five = found.put("p2", "Strength 1"), found.put("p2", "Hero")
    found.do("kneel", cards=[kneeling])
    fight(found, "power", attackers, [defender]).do("continue")
    for one in (five, kneeling, attackers[0]):
        assert found.refused("keyword", keyword="intimidate", target=one) == "AGOT-KEY-16"
    found.do("keyword", keyword="intimidate", target=four)
    assert found.card(four).kneeling
    assert found.state.step == "AW4", "at most one instance"


@pytest.mark.rule("AGOT-OR-5")
@pytest.mark.parametrize(("reading", "asked"), [("participating", False), ("controlled", True)])
def test_an_intimidating_character_beside_the_challenge(reading: str, asked: bool) -> None:
    found = challenges(readings=[f"intimidate={reading}"])
    found.put("p1", "Intimidate 1")
    found.put("p2", "Strength 1")
    fight(found, "power", [found.put("p1", "Strength 5")], []).do("continue")
    assert (found.state.step == "4.2.5") is asked


@pytest.mark.rule("AGOT-KEY-13", "AGOT-KEY-11")
def test_keywords_are_optional() -> None:
    found = challenges()
    fight(found, "power", [found.put("p1", "Renown 1")], []).do("continue")
    found.do("keyword", keyword="renown", decline=True)
    assert found.power("p1") == 1


@pytest.mark.rule("AGOT-CHL-24", "AGOT-MOD-2")
def test_a_strength_in_the_millions_is_answered_at_once() -> None:
    found = challenges()
    mine, his = found.put("p1", "Strength 5"), found.put("p2", "Strength 3")
    for card in (mine, his):
        for _ in range(2):
            found.do("modify", target=card, stat="strength", operation="multiply", value=999,
                     until="game")  # fmt: skip
    found.until("4.2")
    (form, *_) = prompts(found.state, "p1")[0].forms
    assert form.tallies[5] == "Attack 5"
    assert len(form.tallies) <= 1000
    found.do("challenge", type="military", attackers=[mine]).until("4.2.1")
    (form, *_) = prompts(found.state, "p2")[0].forms
    assert len(form.tallies) <= 1000
    found.do("defend", defenders=[his]).until("4.2.2")


@pytest.mark.rule("AGOT-KEY-27")
def test_stealth_says_where_its_other_targets_are() -> None:
    """A card's rows name those who could defend; nothing is hidden."""
    found = challenges()
    sneak = found.put("p1", "Stealth 1")
    found.put("p2", "Strength 3")
    found.put("p2", "Soldier")
    rows = {str(one.text): str(one.detail) for one in offers(found.state, sneak)}
    told = "other targets of its stealth: in the form of the challenge"
    start = "All pass, Power challenge against Boris: "
    assert rows[f"{start}Stealth 1 bypasses Strength 3"] == ""
    assert rows[f"{start}without stealth"] == told, "Soldier has no power icon"
    start = "All pass, Military challenge against Boris: "
    assert rows[f"{start}without stealth"] == "", "all of them are named"


# -- a claim that asks nobody ----------------------------------------------------------------------


def won(kind: str, power: int = 3) -> CardGame:
    """An unopposed challenge of p1, who has 13 power; p2 has power but no hand or character."""
    found = challenges()
    found.do("set", target="p2", what="hand", value=0, why="test")
    found.do("simultaneous-power", targets=["faction:p2"], change=power)
    return fight(found, kind, [found.put("p1", "Strength 3")], [])


@pytest.mark.rule("AGOT-EFF-10", "AGOT-TRG-2", "AGOT-RND-10")
@pytest.mark.parametrize("kind", ["military", "intrigue", "power"])
def test_a_text_replaces_a_claim_before_it_happens_by_itself(kind: str) -> None:
    found = won(kind)
    found.do("set", target="p1", what="power", value=13, why="test")
    (form,) = prompts(found.state)[0].forms
    assert form.command == {"do": "continue"}
    found.do("continue", instead="Anna draws 2 cards")
    assert (found.state.step, found.state.winner) == ("AW4", "")
    assert (found.power("p1"), found.power("p2")) == (14, 3), "unopposed, and no claim"
    assert "Claim 1: Anna draws 2 cards" in found.titles
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-EFF-10", "AGOT-CHL-36")
def test_where_the_claim_is_asked_for_or_there_is_none_nothing_is_replaced_before() -> None:
    found = challenges()
    found.put("p2", "Strength 1")
    fight(found, "military", [found.put("p1", "Strength 3")], [])
    assert prompts(found.state)[0].forms == (), "it is asked at the claim"
    found = challenges()
    his = found.put("p2", "Strength 5")
    fight(found, "power", [found.put("p1", "Strength 3")], [his])
    assert prompts(found.state)[0].forms == ()
    assert found.refused("continue", instead="x") == "AGOT-CHL-36"
