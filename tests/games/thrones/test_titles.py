"""Melee: titles, supports, rivals, redirecting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.flow import set_aside, titles_left
from companion.games.thrones.play.numbers import claim_value
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.state import ThronesState
from companion.games.thrones.screen.offers import offers
from tests.games.thrones.decks import fight, game
from tests.games.thrones.driver import CardGame, copy_of

SHORT = {
    "regent": "crown-regent", "hand": "hand-of-the-king", "coin": "master-of-coin",
    "laws": "master-of-laws", "ships": "master-of-ships", "whisperers": "master-of-whisperers",
}  # fmt: skip


def melee(*titles: str, plot: str = "Plain Plot") -> CardGame:
    """A melee in AW4 of round 1 in which each seat holds that title ("" for none)."""
    found = game(len(titles))
    found.plots(**dict.fromkeys(found.state.seats, plot)).until("AW4")
    for seat in found.state.seats:
        found.do("give-title", seat=seat)
    for seat, title in zip(found.state.seats, titles, strict=True):
        if title:
            found.do("give-title", seat=seat, title=SHORT[title])
    return found


def win(found: CardGame, kind: str, against: str, strength: int = 9) -> CardGame:
    """The active player wins a challenge without defenders."""
    found.until("4.2")
    card = found.put(found.state.active, f"Strength {strength}", **{"from": "deck"})
    found.do("challenge", type=kind, against=against, attackers=[card])
    while found.state.step == "4.2.X":
        found.do("redirect", use=False)
    found.until("4.2.2").do("continue")
    if found.state.step == "4.2.4":
        found.do("claim", instead="test")
    return found


# -- choosing --------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-TTL-3", "AGOT-TTL-4", "AGOT-V-41", "AGOT-TTL-9", "AGOT-OR-14")
@pytest.mark.parametrize(("players", "left"), [(2, 4), (3, 4), (4, 5), (5, 5), (6, 6), (7, 6)])
def test_titles_set_aside(players: int, left: int) -> None:
    assert 6 - set_aside(players) == left
    if 3 <= players <= 6:
        found = game(players).plots()
        assert (found.state.step, len(found.titles_left())) == ("1.4", left)


@pytest.mark.rule("AGOT-TTL-5")
def test_what_a_side_cannot_know_of_the_titles_is_guessed() -> None:
    """Each player sees those that are left, and nobody sees who took which."""
    found = game(4).plots()
    for seat in ("p1", "p2", "p3"):
        found.do("choose-title", seat=seat, title=found.titles_left()[0])
    true = found.state
    taken = {seat: true.house(seat).taken for seat in ("p1", "p2", "p3")}

    def guesses(side: str | None) -> list[ThronesState]:
        found = [PLAY.veiled(true, side, seed) for seed in range(60)]
        for one in found:
            held = [house.taken for house in one.houses if house.taken]
            assert len({*held, *one.aside}) == len(held) + len(one.aside) == 4
        return found

    def variety(side: str | None, seat: str) -> set[str | None]:
        return {one.house(seat).taken for one in guesses(side)}

    for side in ("p1", "p2", "p3"):
        assert variety(side, side) == {taken[side]}
    assert all(set(titles_left(one)) == set(titles_left(true)) for one in guesses("p4"))
    away = {*taken.values(), *true.aside}
    assert variety("p4", "p1") == variety("p4", "p3") == away
    assert {one.aside for one in guesses("p1")} == {true.aside}, "it saw all the others"
    later = {one.id for one in true.titles} - {taken["p1"], *true.aside}
    assert variety("p1", "p2") == later
    assert variety("p3", "p1") == {taken["p1"], taken["p2"], *true.aside}
    assert len(variety(None, "p1")) == 6


@pytest.mark.rule("AGOT-TTL-5", "AGOT-TTL-6", "AGOT-TTL-7", "AGOT-TTL-8", "AGOT-TTL-2",
                  "AGOT-TTL-11", "AGOT-TAX-6", "AGOT-TTL-10")  # fmt: skip
def test_titles_are_taken_in_secret_and_revealed_together() -> None:
    found = game(3).plots()
    first, *rest = found.titles_left()
    assert not prompts(found.state)[0].choices
    offered = prompts(found.state, "p1")[0].choices
    assert len(offered) == 4
    assert all("rival of" in one.detail or "may redirect" in one.detail for one in offered)
    assert found.refused("choose-title", seat="p2", title=first) == "AGOT-TTL-5"
    assert found.refused("choose-title", title=found.state.aside[0]) == "AGOT-TTL-5"
    found.do("choose-title", seat="p1", title=first)
    assert found.titles == ["Anna has chosen a title"]
    assert found.refused("choose-title", seat="p2", title=first) == "AGOT-TTL-5"
    assert not found.house("p1").title
    found.do("choose-title", title=rest[0]).do("choose-title", title=rest[1])
    assert [one.title for one in found.state.houses] == [first, *rest[:2]]
    assert len(found.state.pool) == 3
    found.until("AW7")
    assert len(found.state.pool) == 6


@pytest.mark.rule("AGOT-TTL-2", "AGOT-FMT-1", "AGOT-OR-14")
def test_titles_are_corrected_and_switched_off() -> None:
    found = melee("coin", "ships", "")
    assert found.refused("give-title", seat="p3", title=SHORT["coin"]) == "AGOT-TTL-2"
    found.do("titles-off")
    assert not any(one.title for one in found.state.houses)
    assert found.refused("titles-off") == "AGOT-OR-14"
    assert game().refused("give-title", seat="p1") == "AGOT-FMT-1"
    found.until("1.2").plots()
    assert found.state.step == "AW1"


@pytest.mark.rule("AGOT-OR-14")
@pytest.mark.parametrize(("reading", "step"), [("titles", "1.4"), ("none", "AW1")])
def test_two_players_left_of_a_melee(reading: str, step: str) -> None:
    found = game(3, readings=[f"last-two={reading}"])
    found.set("p3", "deck", 0).plots()
    assert found.state.step == step
    assert found.state.melee


@pytest.mark.rule("AGOT-CHL-2", "AGOT-CHL-3", "AGOT-CHL-6", "AGOT-OR-4")
def test_the_title_and_card_text_each_allow_a_challenge_more() -> None:
    found = melee("hand", "", "")
    win(found, "power", "p2").until("AW4")
    found.do("extra-challenge", type="power", why="a card")
    win(found, "power", "p2").until("AW4")  # by card text: the title's goes against another
    assert found.state.extra == ()
    card = found.put("p1", "Strength 8", **{"from": "deck"})
    again = {"type": "power", "attackers": [card]}
    assert found.until("4.2").refused("challenge", against="p2", **again) == "AGOT-OR-4"
    win(found, "power", "p3").until("AW4")
    assert found.until("4.2").refused("challenge", against="p3", **again) == "AGOT-CHL-6"


@pytest.mark.rule("AGOT-MOD-3", "AGOT-MOD-5", "AGOT-CLM-1", "AGOT-OR-4")
@pytest.mark.parametrize(("change", "claim"), [(("set", 0), 0), (("multiply", 2), 4)])
def test_the_claim_of_a_title_is_one_modifier_among_others(
    change: tuple[str, int], claim: int
) -> None:
    found = melee("ships", "hand", "")
    operation, value = change
    found.do("modify", target="p1", stat="claim", operation=operation, value=value,
             until="round", why="a card")  # fmt: skip
    card = found.until("4.2").put("p1", "Strength 9", **{"from": "deck"})
    found.do("challenge", type="military", against="p2", attackers=[card])
    assert claim_value(found.state) == claim


# -- supports and rivals ---------------------------------------------------------------------------


@pytest.mark.rule("AGOT-TTL-16", "AGOT-CHL-7", "AGOT-TTL-19", "AGOT-B-16", "AGOT-OR-4")
def test_a_supported_opponent_cannot_be_attacked() -> None:
    found = melee("coin", "ships", "hand", "whisperers")
    card = found.put("p1", "Strength 9")
    found.until("4.2")
    asked = {"type": "power", "attackers": [card]}
    assert found.refused("challenge", against="p2", **asked) == "AGOT-TTL-16"
    coin = found.state.title("master-of-coin")
    assert (coin.supports, coin.rivals) == (
        ("master-of-ships",),
        ("hand-of-the-king", "master-of-whisperers"),
    )
    assert found.state.title("master-of-laws").supports == ("master-of-coin",)
    found.do("challenge", against="p3", **asked)


@pytest.mark.rule("AGOT-TTL-17", "AGOT-TTL-18", "AGOT-CHL-33", "AGOT-V-24", "AGOT-B-16")
def test_one_rival_bonus_for_each_rival_and_round() -> None:
    found = melee("coin", "hand", "whisperers")
    for kind, against, gain in (
        ("military", "p2", 2),
        ("intrigue", "p2", 1),
        ("power", "p3", 2),
    ):
        before = found.power("p1")
        win(found, kind, against)
        assert found.power("p1") - before == gain, "with the unopposed bonus"
    found.until("1.2").plots().until("AW4")
    for seat in found.state.seats:
        found.do("give-title", seat=seat)
    for seat, title in (("p1", "coin"), ("p2", "hand")):
        found.do("give-title", seat=seat, title=SHORT[title])
    before = found.power("p1")
    win(found, "military", "p2", 8)
    assert found.power("p1") - before == 2


@pytest.mark.rule("AGOT-CHL-34", "AGOT-V-23", "AGOT-WIN-2")
def test_both_bonuses_come_at_once_and_win() -> None:
    found = melee("coin", "hand", "")
    found.set("p1", "power", 13)
    win(found, "military", "p2")
    assert (found.state.winner, found.state.step) == ("p1", "4.2.3")


@pytest.mark.rule("AGOT-CHL-33", "AGOT-CHL-36", "AGOT-V-25")
def test_a_defender_who_beats_a_rival_gains_the_bonus() -> None:
    found = melee("coin", "hand", "")
    mine, his = found.put("p1", "Strength 2"), found.put("p2", "Strength 5")
    fight(found, "military", [mine], [his], against="p2").do("continue")
    assert (found.power("p1"), found.power("p2")) == (0, 1)
    assert found.state.step == "AW4"


# -- what titles add -------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-TTL-13", "AGOT-TTL-14", "AGOT-TTL-15", "AGOT-OR-1", "AGOT-CHL-24",
                  "AGOT-CHL-28", "AGOT-V-16")  # fmt: skip
@pytest.mark.parametrize(
    ("title", "kind"), [("hand", "power"), ("ships", "military"), ("whisperers", "intrigue")]
)
def test_a_title_adds_strength_in_its_challenges(title: str, kind: str) -> None:
    found = melee("", title, "")
    mine, his = found.put("p1", "Strength 4"), found.put("p2", "Strength 3")
    fight(found, kind, [mine], [his], against="p2")
    assert found.titles[-1] == "4 : 4, Anna wins"


@pytest.mark.rule("AGOT-TTL-14", "AGOT-CHL-30", "AGOT-V-17")
def test_a_title_adds_nothing_without_a_character() -> None:
    found = melee("", "ships", "")
    fight(found, "military", [found.put("p1", "Strength 4")], [], against="p2")
    assert found.titles[-1] == "4 : 0, Anna wins unopposed"


@pytest.mark.rule("AGOT-TTL-12", "AGOT-DOM-3", "AGOT-V-29")
def test_the_crown_regent_adds_two_for_dominance() -> None:
    found = melee("regent", "", "")
    for seat, name in (("p1", "Strength 5"), ("p2", "Strength 7"), ("p3", "Strength 7")):
        found.put(seat, name)
        found.set(seat, "gold", int(seat == "p1"))
    found.until("AW5")
    assert [found.power(seat) for seat in found.state.seats] == [1, 0, 0]


@pytest.mark.rule("AGOT-TAX-7", "AGOT-V-33", "AGOT-OR-4")
def test_titles_count_for_the_reserve() -> None:
    found = melee("laws", "", "", plot="Bloody Plot").until("AW6")
    for seat, hand in (("p1", 6), ("p2", 5), ("p3", 5)):
        found.set(seat, "hand", hand)
    found.do("pass", all=True)
    assert found.state.step == "AW7"
    assert found.house("p1").hand == 6


@pytest.mark.rule("AGOT-OR-4")
def test_coin_gives_gold_and_laws_a_card() -> None:
    found = game(3).plots(**dict.fromkeys(("p1", "p2", "p3"), "Plain Plot"))
    while found.state.step == "1.4":
        left = found.titles_left()
        wanted = [one for one in ("master-of-coin", "master-of-laws") if one in left]
        found.do("choose-title", title=(wanted or left)[0])
    found.until("AW3")
    for house in found.state.houses:
        assert house.hand == 9 + (house.title == "master-of-laws")
    (active,) = [one for one in found.state.houses if one.gold]
    assert active.gold == 5 + 2 * (active.title == "master-of-coin")


@pytest.mark.rule("AGOT-OR-4")
def test_the_hand_attacks_another_opponent_and_ships_raise_the_claim() -> None:
    found = melee("hand", "", "")
    win(found, "power", "p2")
    card = found.put("p1", "Strength 8")
    found.until("4.2")
    assert found.refused("challenge", type="power", against="p2", attackers=[card]) == "AGOT-OR-4"
    found.do("challenge", type="power", against="p3", attackers=[card])
    found = melee("ships", "laws", "")
    for n in (1, 2, 3):
        found.put("p2", f"Strength {n}")
    fight(found, "military", [found.put("p1", "Strength 9")], [], against="p2").do("continue")
    assert found.refused("claim", cards=["c1"]) == "AGOT-CLM-3"
    found.do("claim", cards=["c1", "c2"])


@pytest.mark.rule("AGOT-OR-13", "AGOT-OR-4")
@pytest.mark.parametrize("leaving", [("p3",), ("p4",), ("p3", "p4"), ("p4", "p3")])
def test_a_widened_claim_skips_who_has_left_the_game(leaving: tuple[str, ...]) -> None:
    found = melee("whisperers", "", "", "")
    fight(found, "intrigue", [found.put("p1", "Strength 4")], [], against="p2").do("continue")
    found.do("wide-claim", seats=["p3", "p4"])
    found.do("concede", seat=leaving[0])
    assert (found.state.step, prompts(found.state)[0].seats) == ("4.2.4", ("p2",))
    found.do("claim")
    if len(leaving) > 1:
        left = ({"p3", "p4"} - {leaving[0]}).pop()
        assert prompts(found.state)[0].seats == (left,)
        found.do("concede", seat=left)
    else:
        found.do("claim")
    assert found.state.step == "AW4"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-OR-13", "AGOT-CLM-10")
def test_who_is_left_without_a_hand_suffers_no_claim_after_another_has_left() -> None:
    found = melee("whisperers", "", "", "")
    fight(found, "intrigue", [found.put("p1", "Strength 4")], [], against="p2").do("continue")
    found.do("wide-claim", seats=["p3", "p4"]).do("claim").set("p4", "hand", 0)
    assert prompts(found.state)[0].seats == ("p3",)
    found.do("concede", seat="p3")
    assert found.state.step == "AW4"


# -- redirecting -----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-TTL-20", "AGOT-TTL-21", "AGOT-TTL-22", "AGOT-TTL-23", "AGOT-TTL-24",
                  "AGOT-TTL-25", "AGOT-TTL-26", "AGOT-TTL-27", "AGOT-V-45")  # fmt: skip
def test_the_crown_regent_redirects_once_a_round() -> None:
    found = melee("coin", "hand", "regent", "ships")
    stealthy, target = found.put("p1", "Stealth 1"), found.put("p2", "Strength 2")
    other = found.put("p4", "Strength 3")
    found.until("4.2")
    found.do("challenge", type="power", against="p2", attackers=[stealthy],
             stealth={stealthy: target})  # fmt: skip
    assert (found.state.step, prompts(found.state)[0].seats) == ("4.2.X", ("p3",))
    assert found.refused("redirect-to", against="p4") == "AGOT-TTL-21"
    found.do("redirect", use=True)
    assert found.refused("redirect", use=True) == "AGOT-TTL-22"
    asked = prompts(found.state)[0]
    assert (asked.seats, [one.seat for one in asked.choices]) == (("p1",), ["p3", "p4"])
    stealth, against = asked.forms[0].entries
    assert [value for value, _ in stealth.options] == [f"{stealthy}>{other}"]  # not the old target
    assert [value for value, _ in against.options] == ["p3", "p4"]
    assert found.refused("redirect-to", against="p2") == "AGOT-TTL-23"
    found.do("redirect-to", against="p4", stealth={stealthy: other})
    challenge = found.state.challenge
    assert challenge is not None
    assert (challenge.against, challenge.defender, challenge.type) == ("p2", "p4", "power")
    assert (challenge.bypassed, challenge.attackers) == ((other,), (stealthy,))
    found.until("4.2.2").do("continue").until("4.2")
    card = found.put("p1", "Strength 1")
    found.do("challenge", type="military", against="p2", attackers=[card])
    assert found.state.step == "AW4A", "once a round"


@pytest.mark.rule("AGOT-OR-17")
@pytest.mark.parametrize(("reading", "step"), [("any", "4.2.X"), ("of-others", "AW4A")])
def test_whether_the_regent_redirects_an_own_challenge(reading: str, step: str) -> None:
    found = game(3, readings=[f"redirect={reading}"]).plots().until("AW4")
    for seat in found.state.seats:
        found.do("give-title", seat=seat)
    found.do("give-title", seat="p1", title="crown-regent")
    card = found.put("p1", "Strength 1")
    found.until("4.2").do("challenge", type="power", against="p2", attackers=[card])
    assert found.state.step == step


def redirectable() -> tuple[CardGame, str, str]:
    """A challenge of p1 against p2 that p3 may redirect; its attacker bypasses a character."""
    found = melee("", "", "regent")
    stealthy, target = found.put("p1", "Stealth 1"), found.put("p2", "Strength 2")
    found.until("4.2")
    found.do("challenge", type="military", against="p2", attackers=[stealthy],
             stealth={stealthy: target})  # fmt: skip
    assert (found.state.step, prompts(found.state)[0].id) == ("4.2.X", "redirect")
    return found, stealthy, target


@pytest.mark.rule("AGOT-TTL-10", "AGOT-TTL-20", "AGOT-OR-14", "AGOT-WIN-5")
@pytest.mark.parametrize(
    "lost",
    [
        pytest.param({"word": "titles-off"}, id="no titles"),
        pytest.param({"word": "give-title", "seat": "p3"}, id="no title"),
        pytest.param(
            {"word": "set", "target": "p3", "what": "deck", "value": 0, "why": "test"},
            id="eliminated",
        ),
    ],
)
def test_the_question_lapses_when_nobody_may_redirect(lost: dict[str, Any]) -> None:
    found, _, target = redirectable()
    found.do(**lost)
    assert (found.state.step, prompts(found.state)[0].id) == ("AW4A", "window")
    assert found.refused("redirect", use=True) == "AGOT-TTL-21"
    challenge = found.until("4.2.1").state.challenge
    assert challenge is not None
    assert (challenge.defender, challenge.bypassed) == ("p2", (target,))


@pytest.mark.rule("AGOT-OR-17", "AGOT-OR-13", "AGOT-TTL-23")
def test_a_redirect_without_another_opponent_lapses() -> None:
    found, _, _ = redirectable()
    found.do("redirect", use=True)
    found.set("p3", "deck", 0)
    assert found.state.step == "AW4A"
    assert "The challenge is resolved against Boris" in found.titles
    challenge = found.until("4.2.1").state.challenge
    assert challenge is not None
    assert (challenge.against, challenge.defender) == ("p2", "p2")
    assert challenge.stealth == (), "the first target is no longer bypassed"
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-TTL-20")
def test_a_lapsed_offer_in_an_old_log_asks_nothing() -> None:
    found, _, _ = redirectable()
    state = found.state.with_house(replace(found.house("p3"), title=""))
    assert prompts(state) == ()
    decision = PLAY.decide(state, {"do": "redirect", "use": True})
    assert isinstance(decision, Refusal)
    assert decision.why == "AGOT-TTL-20"


@pytest.mark.rule("AGOT-TTL-16")
def test_a_supported_player_is_named_with_the_rule() -> None:
    """Why somebody is no opponent: a grey row of the card, and a line of the question."""
    found = CardGame(3).plots().until("AW4")
    for seat in found.state.seats:
        found.do("give-title", seat=seat)
    found.do("give-title", seat="p1", title="hand-of-the-king")
    found.do("give-title", seat="p2", title="master-of-laws")
    fighter = found.put("p1", "Eddard Stark")
    for step in ("AW4", "4.2"):
        rows = offers(found.until(step).state, fighter)
        (row,) = [one for one in rows if str(one.text) == "Challenge against Boris"]
        assert (row.verdict, row.rules) == ("no", ("AGOT-TTL-16",))
        assert str(row.reason) == "Anna supports Boris and cannot attack"
        (asked,) = prompts(found.state)
        assert "Anna supports Boris and cannot attack" in [str(one.text) for one in asked.facts]
