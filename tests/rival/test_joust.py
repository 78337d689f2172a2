"""The rival of the card game: it keeps a hand that nobody sees, and sees nothing of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.balance import begun, decided, played, searching
from companion.engine.hindsight import hindsight, turn_before
from companion.engine.rival_turn import RivalMove, coach_detail, proposed
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.engine.turn.selection import choice_name
from companion.engine.turn.turn_records import TurnView
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import Choice
from companion.games.api.rival import LineText, Rival, RivalSeat
from companion.games.shared.search import RankedLine, Search
from companion.games.shared.step_pipeline import ActionWindow
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.prompts.question import prompts
from companion.games.thrones.play.state import CardInPlay, ThronesState
from companion.games.thrones.rival import RIVAL
from companion.games.thrones.rival_value import prospects
from companion.session.fold import Position
from companion.session.game_lookup import find_rival
from companion.session.session import Session
from tests.rival.battles import joust, melee
from tests.rival.joust_referee import JoustReferee
from tests.rival.scripted import at_random


def search() -> Search:
    """The thoughts of the second player, without a clock."""
    return Search(RIVAL, RivalSeat("p2"), longest_s=600.0, seconds=600.0)


def advanced(state: ThronesState, step: str, first: str = "p1") -> ThronesState:
    """The game when it first waits at a step with that player as the one who decides."""
    players = {side: searching(RIVAL, "apprentice", side) for side in state.seats}
    for _ in range(400):
        waits = RIVAL.waits(state)
        if state.step == step and waits[:1] == (first,):
            return state
        side = next(iter(waits), first)
        for command in players[side](state, side):
            state = decided(PLAY.decide(state, command))
    raise AssertionError(step)


@pytest.fixture
def solo(tmp_path: Path) -> Iterator[Session]:
    """A joust in which the app plays the second player."""
    with Session.open(tmp_path / "solo.game") as session:
        (set_up,) = joust(1)
        answer = session.answer(
            {**set_up, "seed": 1, "first": "p2", "rivals": [{"seat": "p2", "level": "captain"}]}
        )
        assert answer["ok"], answer
        yield session


# -- what it may know ------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["SETUP-7", "1.2", "AW3", "4.2"])
def test_two_worlds_that_differ_in_what_is_hidden(step: str) -> None:
    """Other hands, decks, plots, shadows and chance to come: the same choice (AGOT-ZONE-2)."""
    state = advanced(begun("thrones", 3, joust(3)), step, "p2")
    mine, other = state.house("p2"), state.house("p1")
    deck = list(mine.dealt[mine.hand :])
    Random(1).shuffle(deck)
    theirs = list(other.dealt)
    Random(2).shuffle(theirs)
    chosen = other.plots[-1] if other.chosen else ""
    changed = replace(mine, dealt=(*mine.dealt[: mine.hand], *deck))
    world = replace(state, seed=state.seed + 1).with_house(changed)
    world = world.with_house(replace(other, dealt=tuple(theirs), chosen=chosen))
    assert world != state
    assert search().ranked(state) == search().ranked(world)


def test_who_sees_the_deck_chooses_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    state = advanced(begun("thrones", 3, joust(3)), "SETUP-7", "p2")
    world = replace(state, seed=state.seed + 1)
    assert search().ranked(state) == search().ranked(world)
    monkeypatch.setattr(type(PLAY), "veiled", lambda play, state, side, seed: state)
    assert search().ranked(state) != search().ranked(world)


def test_others_see_no_hand_and_no_choice_of_the_rival() -> None:
    """Neither the view of the table nor what is told of its move names a hidden card."""
    state = advanced(begun("thrones", 1, joust(1)), "1.2", "p2")
    commands = search().ranked(state)[0].commands
    facts = [one.text for one in RIVAL.facts(state, commands)]
    told = f"{RIVAL.told(state, commands).text} {facts}"
    house = state.house("p2")
    hidden = {house.card(code).name for code in (*house.dealt[: house.hand], *house.plots)}
    hidden -= {one.facts.name for one in state.cards}
    hidden -= {card.name for card, _ in state.house("p1").deck.cards}
    assert len(hidden) > 5
    for text in (told, str(PLAY.view(state)), str(PLAY.view(state, "p1"))):
        assert not [name for name in hidden if name in text]


def test_nobody_is_told_what_to_do_with_a_hand_that_the_app_does_not_know(solo: Session) -> None:
    """AGOT-SET-12: after the player's set-up no better one is named."""
    for seat in ("p2", "p1"):
        assert solo.answer({"do": "mulligan", "seat": seat, "take": False})["ok"]
    deck = solo.history.now.state.house("p1").deck
    cards = [one.code for one, _ in deck.cards if one.type == "character" and (one.cost or 9) < 4]
    mine = RIVAL.lines(solo.history.now.state, "p2")[0].commands[0]
    assert solo.answer(mine)["ok"]
    assert solo.answer({"do": "place", "seat": "p1", "cards": cards[:2]})["ok"]
    rival: Rival[Any] = RIVAL
    assert turn_before(solo.history.now, rival) is not None
    assert hindsight(solo.history.now) is None


def test_who_is_alone_chooses_without_a_word_about_secrets(solo: Session) -> None:
    """One gold button opens the own cards; nobody else is there to look away."""
    for seat in ("p2", "p1"):
        assert solo.answer({"do": "mulligan", "seat": seat, "take": False})["ok"]
    assert solo.answer(RIVAL.lines(solo.history.now.state, "p2")[0].commands[0])["ok"]
    client = Client(RunningGame(solo))
    prompt = client.view().prompts[0]
    assert [(one.look, one.asks) for one in prompt.choices] == [("primary", ("look",))]
    assert prompt.choices[0].text == prompt.title
    assert solo.answer({"do": "rival", "seat": "p2", "level": "none"})["ok"]
    assert client.view().prompts[0].choices[0].look != "primary", "two people keep their secrets"


def test_the_coach_counts_in_power() -> None:
    """The card game is won with power, the others with victory points."""
    move = RivalMove(RivalSeat("p1", "captain"), value=1.0)
    assert coach_detail(move, 2.0, RIVAL.behind) == "worth 1.0 power less"
    assert coach_detail(move, 2.0) == "worth 1.0 victory points less"


def test_nobody_looks_into_the_rivals_deck(solo: Session) -> None:
    """In its windows of actions no form opens its cards."""
    client, windows, own = Client(RunningGame(solo), "p1"), 0, 0
    tablet = Client(client.game)
    for _ in range(20):
        prompt = tablet.view().prompts[0]
        assert not [one for one in prompt.choices if "look" in one.asks and "p2" in one.acts]
        opens = [one for one in prompt.choices if one.name.startswith("form:")]
        assert not any(one.detail or one.icon for one in opens), "nobody is there to look away"
        own += len(opens)
        window = solo.history.now.state.window
        windows += window is not None and window.holder == "p2"
        tap = next(one.tap for one in client.view().prompts[0].choices if one.name != "coach")
        assert isinstance(client.act({"tap": tap}), TurnView), prompt
    assert windows
    assert own


# -- the deck that the app keeps -------------------------------------------------------------------


def at_claim(kind: str, steps: int = 6) -> ThronesState:
    """The second player has lost a challenge of the first and suffers claim 1, or after fewer
    steps of that."""
    state = advanced(begun("thrones", 5, joust(5)), "4.2")
    card = next(one for one in state.controlled("p1", "character"))
    facts = replace(card.facts, icons=(kind,), strength=9, keywords=("pillage",))
    state = state.with_card(replace(card, facts=facts, kneeling=False))
    commands: list[Plain] = [
        {"do": "challenge", "type": kind, "attackers": [card.id]},
        {"do": "pass", "all": True},
        {"do": "defend"},
        {"do": "pass", "all": True},
        {"do": "continue"},
        *([{"do": "claim"}] if kind == "intrigue" else []),
    ]
    for command in commands[:steps]:
        state = decided(PLAY.decide(state, command))
    return state


def test_an_intrigue_claim_takes_a_card_of_its_hand_by_name() -> None:
    """AGOT-CLM-9: at random; AGOT-ZONE-6: face up."""
    before, state = at_claim("power").house("p2"), at_claim("intrigue")
    house = state.house("p2")
    assert house.discard[-1] in before.dealt[: before.hand]
    assert len(house.dealt) == house.hand + house.draw_deck
    JoustReferee().check(state)


def test_pillage_turns_up_the_top_of_its_deck() -> None:
    """AGOT-KEY-12."""
    state = at_claim("power")
    house = state.house("p2")
    state = decided(PLAY.decide(state, {"do": "keyword", "keyword": "pillage"}))
    assert state.house("p2").discard[-1] == house.dealt[house.hand]
    JoustReferee().check(state)


def test_a_mulligan_deals_seven_new_cards() -> None:
    """AGOT-SET-8."""
    state = begun("thrones", 4, joust(4))
    seat = RIVAL.waits(state)[0]
    after = decided(PLAY.decide(state, {"do": "mulligan", "seat": seat, "take": True}))
    assert sorted(after.house(seat).dealt) == sorted(state.house(seat).dealt)
    assert after.house(seat).dealt != state.house(seat).dealt
    kept = decided(PLAY.decide(state, {"do": "mulligan", "seat": seat, "take": False}))
    assert kept.house(seat).dealt == state.house(seat).dealt


def test_set_up_keeps_the_gold_and_the_hand() -> None:
    """AGOT-SET-12: every line that it thinks of is legal, and from its hand."""
    state = advanced(begun("thrones", 6, joust(6)), "SETUP-8")
    hand = state.house("p1").dealt[: state.house("p1").hand]
    found = RIVAL.lines(state, "p1")
    assert len(found) > 3
    for line in found:
        (command,) = line.commands
        assert all(command["cards"].count(code) <= hand.count(code) for code in command["cards"])
        assert not isinstance(PLAY.decide(state, command), Refusal)


@pytest.mark.parametrize(("keeps", "gold"), [(True, "All pass"), (False, "Anna passes")])
def test_one_tap_closes_a_window_in_which_it_has_nothing_to_do(keeps: bool, gold: str) -> None:
    """AGOT-ORD-10: gold passes for nobody else, but for a player of the app."""
    state = advanced(begun("thrones", 5, joust(5)), "4.2")
    house = state.house("p1")
    state = state.with_house(house if keeps else replace(house, dealt=()))
    state = replace(state, step="AW4", window=ActionWindow("AW4", "p1"))
    assert "p1" not in RIVAL.waits(state) or not keeps
    (prompt,) = prompts(state)
    assert [one.text for one in prompt.choices if one.look == "primary"] == [gold]


def test_each_advice_is_chosen_by_its_own_row() -> None:
    """Lines that differ only in who fights have names of their own: the row that was tapped is
    the one that gold carries out."""
    ways = [[], ["c1"], ["c2"], ["c1", "c2"]]
    lines = [Choice("", ({"do": "defend", "defenders": one},)) for one in ways]
    lines.append(Choice("", ({"do": "defend", "defenders": ["c1"], "stealth": {"c1": "c3"}},)))
    assert len({choice_name(one, 0) for one in lines}) == len(lines)


def test_three_attackers_of_one_challenge_are_one_advice() -> None:
    """A coach names different challenges before other attackers of the same one."""
    ways = [("power", ["c1"]), ("power", ["c2"]), ("military", ["c1"])]
    lines = [
        ({"do": "challenge", "type": kind, "against": "p2", "attackers": cards},)
        for kind, cards in ways
    ]
    told = [LineText(f"with {line[0]['attackers']}") for line in lines]
    first, second, third = map(RIVAL.deed, told, lines)
    assert first == second != third


def test_it_chooses_itself_whom_it_loses() -> None:
    """AGOT-CLM-3: the loser chooses; nobody else is offered the names of its characters."""
    state = at_claim("military", steps=4)
    for keeps in (True, False):
        house = state.house("p2")
        (prompt,) = prompts(state.with_house(house if keeps else replace(house, dealt=())))
        killing = [one for one in prompt.choices if one.commands[-1]["do"] == "claim"]
        assert bool(killing) != keeps
        assert bool(prompt.pieces) != keeps
    suffers = decided(PLAY.decide(state, {"do": "continue"}))
    assert RIVAL.waits(suffers) == ("p2",)


@pytest.mark.parametrize("holder", ["p1", "p2"])
def test_who_is_alone_passes_once_and_never_for_the_rival(holder: str) -> None:
    """AGOT-ORD-9, -10: it has no card for the window; the only person is asked, and one tap closes
    it. An action of that person needs no word about the rival either."""
    state = begun("thrones", 5, joust(5))
    state = state.with_house(replace(state.house("p1"), dealt=()))
    state = replace(state, step="AW2", round=1, window=ActionWindow("AW2", holder))
    (prompt,) = prompts(state)
    assert prompt.seats == ("p1",)
    assert [(one.text, one.look) for one in prompt.choices] == [("Anna passes", "primary")]
    assert ("Ben passes" in [one.text for one in prompt.facts]) == (holder == "p2")
    assert all(one.command.get("seat") == "p1" for one in prompt.forms)
    closed = decided(PLAY.decide(state, prompt.choices[0].commands[0]))
    assert closed.step != "AW2" or closed.window is None
    acted = decided(PLAY.decide(state, {"do": "act", "seat": "p1", "what": "x"}))
    assert acted.window is not None
    (own,) = prompts(state, "p2")
    assert own.seats == (holder,), "who sits there after all is asked as everybody is"


@pytest.mark.rule("AGOT-ZONE-30", "AGOT-SHD-3")
@pytest.mark.parametrize("ways", [1, 2])
def test_it_passes_without_telling_whether_it_holds_a_card(ways: int) -> None:
    """How many ways it has compared, and that there are others, would tell it."""
    state = advanced(begun("thrones", 5, joust(5)), "4.2")
    state = replace(state, step="AW4", window=ActionWindow("AW4", "p1"))
    rival = find_rival("thrones")
    assert rival is not None
    here, passing = Position(state=state), RankedLine(({"do": "pass", "seat": "p1"},), 0.0)
    move = proposed(rival, here, RivalSeat("p1"), passing, ways)
    assert move.compared == 1
    attack = RankedLine(({"do": "no-challenge"},), 0.0)
    here = Position(state=replace(state, step="4.2", window=None))
    assert proposed(rival, here, RivalSeat("p1"), attack, 3).compared == 3, "all of that lies open"


# -- challenges ------------------------------------------------------------------------------------


def standing(seat: str, name: str, strength: int, *icons: str, keyword: str = "") -> CardInPlay:
    """A character that stands in play."""
    words = (keyword,) if keyword else ()
    facts = CardFacts("", name, "character", cost=strength, strength=strength, icons=icons)
    return CardInPlay(name, replace(facts, keywords=words), seat, seat, name)


def facing(*cards: CardInPlay, been: tuple[str, ...]) -> ThronesState:
    """Challenges of round 1 with these characters; the last of `been` is active. Each player has
    two power."""
    state = begun("thrones", 5, joust(5))
    for house in state.houses:
        house = replace(house, revealed=house.plots[0], mulligan=False, placed=(), power=2)
        state = state.with_house(house)
    codes = {seat: [one.code for one, _ in state.house(seat).deck.cards] for seat in state.seats}
    known = tuple(
        replace(one, facts=replace(one.facts, code=codes[one.owner].pop())) for one in cards
    )
    return replace(state, step="4.2", round=1, active=been[-1], been_active=been, cards=known)


def test_the_weaker_of_two_attacks_where_it_wins_the_same() -> None:
    """AGOT-CHL-10: who attacks kneels. Bran wins power unopposed, Robb is kept for military."""
    state = facing(
        standing("p2", "Robb", 5, "military", "power", keyword="renown"),
        standing("p2", "Bran", 1, "power"),
        standing("p1", "Guard", 2, "military"),
        been=("p1", "p2"),
    )
    (first, *_) = search().ranked(state)[0].commands
    assert (first["type"], first["attackers"]) == ("power", ["Bran"])


def test_a_defender_is_counted_once() -> None:
    """AGOT-CHL-16: one character opposes one of the challenges to come, whatever icons it has."""
    two = [standing("p1", name, 2, "military", "power") for name in ("Wolf", "Bear")]
    one, other = (standing("p2", name, 2, "military", "power") for name in ("Lion", "Cub"))
    lone = [prospects(facing(*two, one, been=("p1",)), "p1", "p2")]
    lone.append(prospects(facing(*two, one, other, been=("p1",)), "p1", "p2"))
    assert lone[0] > lone[1] + 1, "power for the challenge that nobody is left to oppose"


def test_why_nobody_attacks_or_defends_is_told() -> None:
    """Who stays standing although he could attack; that nobody in the way gives 1 power
    (AGOT-CHL-32)."""
    able = standing("p2", "Jaime", 5, "intrigue"), standing("p1", "Pup", 1, "military")
    state = facing(*able, been=("p2",))
    told = [one.text for one in RIVAL.facts(state, ({"do": "no-challenge"},))]
    assert told == ["Stay standing to defend: Jaime"]
    last = replace(state, been_active=("p1", "p2"))
    assert not RIVAL.facts(last, ({"do": "no-challenge"},)), "nobody attacks any more"
    for command in (
        {"do": "challenge", "type": "intrigue", "attackers": ["Jaime"]},
        {"do": "pass", "all": True},
    ):
        state = decided(PLAY.decide(state, command))
    told = [one.text for one in RIVAL.facts(state, ({"do": "defend", "defenders": []},))]
    back = "Anna may take that power later in a power challenge"
    assert told == ["Attack 5, defence 0", "Ben wins unopposed", back]
    late = replace(state, been_active=("p2", "p1"))  # she has had her challenges
    told = [one.text for one in RIVAL.facts(late, ({"do": "defend", "defenders": []},))]
    assert told == ["Attack 5, defence 0", "Ben wins unopposed"]


# -- a game ----------------------------------------------------------------------------------------


def test_it_beats_a_player_who_does_anything() -> None:
    players = {"p1": searching(RIVAL, "captain", "p1"), "p2": at_random(PLAY, 7)}
    referee = JoustReferee()
    end = played(RIVAL, begun("thrones", 7, joust(7)), players, referee.check)
    assert end.winner == "p1"


def test_rivals_play_a_melee_with_titles() -> None:
    """AGOT-FMT-2, AGOT-TTL-5: three of them, from set-up to the first challenges."""
    state = begun("thrones", 2, melee(2))
    assert len(state.seats) == 3
    state = advanced(state, "4.2", state.seats[0])
    assert all(one.title for one in state.houses)


def test_a_solo_game_by_taps(solo: Session) -> None:
    """Its moves are proposed, a tap carries them out, Undo takes them back; what lies on cards as
    text, and what all decide, is left to the people."""
    client = Client(RunningGame(solo), "p1")
    seen: set[str] = set()
    for _ in range(30):
        prompt = client.view().prompts[0]
        if prompt.id == "rival":
            seen.add(str(solo.history.now.state.step))
        if "4.2" in seen:
            break
        tap = next(one.tap for one in prompt.choices if one.name != "coach")
        assert isinstance(client.act({"tap": tap}), TurnView), prompt
    assert {"SETUP-7", "SETUP-8", "1.2", "AW3", "4.2"} <= seen
    before = solo.history.now.state
    assert isinstance(client.act({"undo": True}), TurnView)
    assert solo.history.now.state != before
