"""Games that end otherwise: a concession, an agreed end by time; and who passes for whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.play import Accepted, Event
from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.cards.card import DRAW_TYPES
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.game_play import standings
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.state import HouseInPlay, ThronesState
from companion.games.thrones.rival import RIVAL
from companion.games.thrones.screen import SCREEN
from tests.games.thrones.decks import challenges, game, wide_game
from tests.games.thrones.driver import CardGame, copy_of
from tests.games.thrones.test_wrong_calls import whole_screen


@pytest.mark.rule("AGOT-END-1", "AGOT-WIN-6")
def test_a_concession_ends_a_joust() -> None:
    found = challenges()
    found.put("p2", "Strength 3")
    (end,) = (one for one in SCREEN.score(found.state).ends if one.text == "Boris concedes")
    assert end.by == ("p2",), "nobody concedes for another"
    found.do("simultaneous-power", targets=["faction:p2"], change=2)
    found.do("concede", seat="p2")
    assert [one.points for one in SCREEN.score(found.state).seats] == [0, 2], "as it ended"
    assert SCREEN.score(found.state).how == "the opponent gave up"
    assert not SCREEN.score(found.state).ends
    assert (found.state.winner, found.state.how) == ("p1", "conceded")
    assert whole_screen(found)
    assert copy_of(found) == found.state


@pytest.mark.rule("AGOT-END-3", "AGOT-WIN-5")
def test_who_gave_up_in_a_melee_comes_last() -> None:
    found = challenges(4)
    found.do("simultaneous-power", targets=["faction:p3"], change=2)
    found.do("concede", seat="p4").do("end-by-time")
    places = {one["seat"]: one["place"] for one in standings(found.state)}
    assert (found.state.winner, places) == ("p3", {"p3": 1, "p1": 2, "p2": 2, "p4": 4})
    assert found.titles[-1] == "Clara wins the game: time was up"
    told = [str(one.place) for one in SCREEN.score(found.state).seats]
    assert told == ["place 1", "place 2", "place 2", "place 4 · eliminated"]


def test_who_has_won_stands_first() -> None:
    found = challenges().do("concede", seat="p1")
    assert [one.seat for one in SCREEN.score(found.state).seats] == ["p2", "p1"]


@pytest.mark.rule("AGOT-END-1", "AGOT-OR-13")
def test_a_melee_goes_on_without_the_player_who_concedes() -> None:
    found = challenges(3)
    card = found.put("p1", "Strength 3")
    found.until("4.2").do("challenge", type="power", against="p2", attackers=[card])
    found.do("concede", seat="p2")
    assert (found.state.winner, found.state.challenge) == ("", None)
    assert found.state.living == ("p1", "p3")
    found.do("concede", seat="p1")
    assert found.state.winner == "p3"


@pytest.mark.rule("AGOT-ATT-5", "AGOT-KEY-29", "AGOT-OR-13")
def test_attachments_on_cards_of_a_player_who_leaves_return_or_are_discarded() -> None:
    found = challenges(3)
    host = found.put("p2", "Strength 3")
    for name in ("Sword", "Poison"):
        found.put("p1", name, host=host)
    hand = found.house("p1").hand
    found.do("concede", seat="p2")
    assert (found.house("p1").hand, found.house("p1").discard) == (hand + 1, ("po",))
    assert copy_of(found) == found.state


def timed(players: int = 2, **asked: object) -> CardGame:
    found = game(players, **asked)
    found.plots(**dict.fromkeys(found.state.seats, "Plain Plot")).until("AW4")
    return found


@pytest.mark.rule("AGOT-END-2")
def test_an_agreed_end_by_time_counts_power() -> None:
    found = timed(3)
    found.set("p2", "power", 4).set("p3", "power", 3)
    found.do("end-by-time")
    assert (found.state.winner, found.state.how) == ("p2", "time")
    places = [(one["place"], one["seat"]) for one in PLAY.view(found.state)["standings"]]
    assert places == [(1, "p2"), (2, "p3"), (3, "p1")]
    assert whole_screen(found)


@pytest.mark.rule("AGOT-END-2")
@pytest.mark.parametrize(("reading", "winner"),
                         [("dominance", "p2"), ("deck", "p1"), ("named", "")])  # fmt: skip
def test_ties_at_the_end_of_time(reading: str, winner: str) -> None:
    found = timed(readings=[f"time-ties={reading}"])
    found.set("p2", "gold", 9).set("p1", "gold", 0).do("draw", seat="p2", count=2)
    found.do("end-by-time")
    assert found.state.winner == winner
    if not winner:
        assert prompts(found.state)[0].id == "winner"
        found.do("winner", seat="p2")
        assert (found.state.winner, found.state.how) == ("p2", "time")


@pytest.mark.rule("AGOT-END-2")
def test_tournament_ties_are_broken_one_after_the_other() -> None:
    """Draw deck, last dominance, dead characters, player order."""
    found = timed(3, readings=["time-ties=tournament"])

    def winner() -> str:
        return copy_and(found, "end-by-time").winner

    assert winner() == "p1", "first in player order"
    dead = found.put("p1", "Strength 1")
    found.do("leave", cards=[dead], how="killed", save="none")
    for seat in ("p1", "p2", "p3"):
        found.set(seat, "deck", 30)
    assert winner() == "p2", "fewest dead characters"
    found.set("p3", "gold", 9).until("AW5")
    found.set("p3", "power", 0)
    assert (found.state.dominant, winner()) == ("p3", "p3")
    found.set("p1", "deck", 31)
    assert winner() == "p1", "most cards in the draw deck"


def copy_and(found: CardGame, word: str) -> ThronesState:
    """The state after one more command, which the game does not keep."""
    decision = PLAY.decide(found.state, {"do": word})
    assert isinstance(decision, Accepted)
    after: ThronesState = decision.after
    return after


@pytest.mark.rule("AGOT-END-3")
def test_equal_power_shares_a_place() -> None:
    found = timed(4)
    found.set("p4", "power", 15)
    places = {one["seat"]: one["place"] for one in PLAY.view(found.state)["standings"]}
    assert places == {"p4": 1, "p1": 2, "p2": 2, "p3": 2}
    shown = [(one.seat, str(one.place)) for one in SCREEN.score(found.state).seats]
    assert shown == [("p4", "place 1"), *((one, "place 2") for one in ("p1", "p2", "p3"))]


@pytest.mark.rule("AGOT-MAR-4", "AGOT-ORD-9", "AGOT-ORD-10")
def test_nobody_passes_for_a_player_who_is_still_marshaling() -> None:
    found = game()
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    assert found.state.active == "p1"
    assert [(str(one.text), one.look) for one in prompts(found.state)[0].choices] == [
        ("All pass, Anna marshals no more", "plain"), ("Anna passes", "plain")
    ]  # fmt: skip
    found.do("marshal", card="Strength 2")
    assert found.state.window is not None
    assert found.state.window.holder == "p2"
    texts = [str(one.text) for one in prompts(found.state)[0].choices]
    assert texts == ["All pass, Anna marshals no more", "Boris passes"]
    (done, *_) = SCREEN.prompts(found.state)[0].choices
    assert (set(done.by), done.shared) == ({"p1", "p2"}, True), "Anna has to agree"
    found.do("pass", all=True)
    assert found.state.window is not None
    assert (found.state.active, found.state.window.holder) == ("p1", "p1")
    found.do("pass", seat="p1", all=True)
    assert found.state.active == "p2", "Anna has finished herself"


@pytest.mark.rule("AGOT-ORD-10")
def test_all_pass_closes_one_window_only() -> None:
    found = game()
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW1")
    found.pass_all()
    assert found.state.step == "AW2"


# -- players whom the app plays --------------------------------------------------------------------


def kept(step: str, gold: int = 5, active: str = "p1") -> CardGame:
    """Such a game in a window of a step that p1 holds; the app plays p2, who has a card in
    shadows that costs 2."""
    found = wide_game(dealt=["p2"])
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW4")
    window = ActionWindow(step, "p1")
    found.state = replace(found.state, step=step, active=active, window=window)
    house = replace(found.state.house("p2"), shadows=("sh",), gold=gold)
    found.state, found.overridden = found.state.with_house(house), True
    return found


@pytest.mark.rule("AGOT-ORD-10", "AGOT-SHD-15")
@pytest.mark.parametrize(("gold", "holder"), [(2, "p2"), (1, None)])
def test_all_pass_waits_for_a_player_of_the_app_who_could_act(
    gold: int, holder: str | None
) -> None:
    found = kept("AW4", gold).do("pass", all=True)
    window = found.state.window
    assert (window.holder if window else None) == holder


@pytest.mark.rule("AGOT-ZONE-30", "AGOT-SHD-3")
@pytest.mark.parametrize("gold", [1, 2])
def test_no_question_tells_what_lies_in_the_shadows_of_the_app(gold: int) -> None:
    """Of the two cards one costs 2 and one 3: the app is asked wherever either could lie there."""
    for holder in ("p1", "p2"):
        asked = []
        for code in ("sh", "gl"):
            found = kept("AW4", gold)
            window = ActionWindow("AW4", holder)
            house = replace(found.state.house("p2"), shadows=(code,))
            found.state = replace(found.state.with_house(house), window=window)
            asked.append(told(found.do("pass", all=True)))
        assert asked[0] == asked[1]


@pytest.mark.rule("AGOT-ZONE-30", "AGOT-KEY-18")
def test_no_question_tells_whether_the_app_holds_a_card_to_ambush_with() -> None:
    asked = []
    for first in (True, False):
        found = CardGame(dealt=["p2"])
        found.plots(p1="A Noble Cause", p2="A Noble Cause").until("AW4")
        house = found.state.house("p2")
        dealt = sorted(house.dealt, key=lambda one: ("ambush" in keywords(house, one)) != first)
        house, found.overridden = replace(house, dealt=tuple(dealt), gold=2), True
        found.state = found.state.with_house(house)
        assert ("ambush" in keywords(house, house.dealt[0])) == first
        asked.append(told(found.do("act", seat="p1")))
        assert RIVAL.waits(found.state) == ("p2",)
        assert {"do": "pass", "seat": "p2"} in [line.commands[0] for line in
                                                RIVAL.lines(found.state, "p2")]  # fmt: skip
    assert asked[0] == asked[1]
    seen = [one.code for one, _ in house.deck.cards if "ambush" in one.keywords]
    house = replace(house, removed=tuple(3 * seen))
    found.state = found.state.with_house(house)
    assert RIVAL.waits(found.state) == (), "everybody sees that there is none left"


def keywords(house: HouseInPlay, code: str) -> tuple[str, ...]:
    return tuple(house.card(code).keywords)


def told(found: CardGame) -> tuple[object, ...]:
    """What the other player sees of who is asked."""
    questions = [(str(one.title), one.seats) for one in prompts(found.state, "p1")]
    pending = [(one.side, str(one.say)) for one in PLAY.pending(found.state)]
    return questions, pending, found.state.window


@pytest.mark.rule("AGOT-MAR-4")
def test_nobody_ends_the_marshaling_of_a_player_of_the_app() -> None:
    found = kept("AW3", active="p2")
    texts = [str(one.text) for one in prompts(found.state)[0].choices]
    assert texts == ["Anna passes"]


@pytest.mark.rule("AGOT-MAR-4", "AGOT-ORD-9")
@pytest.mark.parametrize(
    ("gold", "first"), [(5, "Marshal"), (0, "All pass, Anna marshals no more")]
)
def test_who_marshals_against_the_app_marshals_on(gold: int, first: str) -> None:
    """One tap less for each card: the app says itself if it does something in between."""
    found = kept("AW3")
    house = replace(found.state.house("p1"), gold=gold)
    window = ActionWindow("AW3", "p2")
    found.state = replace(found.state.with_house(house), window=window)
    (prompt,) = prompts(found.state)
    assert str(prompt.title).endswith("Anna may act")
    rows = [(str(one.text), one.look) for one in prompt.choices]
    rows += [(str(one.text), one.look) for one in prompt.forms]
    assert [text for text, look in rows if look == "primary"] == [first]


@pytest.mark.parametrize("active", ["p1", "p2"])
def test_no_choice_passes_for_a_player_of_the_app_and_goes_on(active: str) -> None:
    """AGOT-ORD-10, AGOT-CHL-2: the next decision waits until it has passed, or is its own."""
    found = kept("AW4", active=active)
    assert all(len(one.commands) == 1 for one in prompts(found.state)[0].choices)
    found.state = found.state.with_house(replace(found.state.house("p2"), shadows=(), gold=0))
    longer = [str(one.text) for one in prompts(found.state)[0].choices if len(one.commands) > 1]
    assert longer == (["All pass, no further challenge"] if active == "p1" else [])
    own = found.put("p2", "Strength 2", **{"from": "deck"})
    offered = [str(one.text) for one in SCREEN.offers(found.state, None, own)]
    assert not any("All pass" in one for one in offered)


def holding() -> tuple[CardGame, str, str]:
    """The app plays p2, active in AW3: a code that it holds and one that lies in its deck."""
    found = wide_game(dealt=["p2"], first="p2")
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    found.do("set", target="p2", what="gold", value=20, why="test")
    house = found.state.house("p2")
    hand = house.dealt[: house.hand]
    cards = [one.code for one, _ in house.deck.of_type("character")]
    return (
        found,
        next(one for one in cards if one in hand),
        next(one for one in cards if one not in hand and one != "he"),
    )


@pytest.mark.rule("AGOT-MAR-7", "AGOT-CARD-10")
def test_a_player_of_the_app_brings_no_card_into_play_that_it_does_not_hold() -> None:
    found, held, absent = holding()
    assert found.refused("marshal", seat="p2", card=absent) == "AGOT-MAR-7"
    for source, code in (("hand", absent), ("deck", held)):
        if code in found.house("p2").dealt[found.house("p2").hand :] and source == "deck":
            continue  # another copy of it
        command = {"seat": "p2", "card": code, "from": source}
        assert found.refused("put-into-play", **command) == "INPUT"
    assert found.refused("discard", seat="p2", cards=[absent]) == "INPUT"
    found.do("put-into-play", seat="p2", card=absent, **{"from": "deck"})
    found.do("marshal", seat="p2", card=held)
    assert kept_right(found)


@pytest.mark.rule("AGOT-AGD-2")
def test_a_card_named_in_the_wrong_pile_leaves_the_kept_deck_right() -> None:
    """A location that an agenda fetches is among the first seven cards; older games put cards into
    play from a hand that did not hold them."""
    found, held, absent = holding()
    for code, pile in ((absent, "hand"), (held, "deck")):
        moved = {"codes": [code], "names": [], "to": "removed", "from": pile}
        event = Event("moved", {"seat": "p2", "player": "Boris", **moved}, 1)
        found.state = PLAY.apply(found.state, event)
        assert kept_right(found)


def kept_right(found: CardGame) -> bool:
    """Whether the kept cards are those that lie nowhere else."""
    house = found.state.house("p2")
    cards = [one.code for one, _ in house.deck.of_type(*DRAW_TYPES)]
    left = {code: found.state.copies_left("p2", code) for code in cards}
    assert len(house.dealt) == house.hand + house.draw_deck
    return left == {code: house.dealt.count(code) for code in cards}
