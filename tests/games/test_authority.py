"""Who may press what: every choice, form, offer and cell names the seats that may send it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from companion import games
from companion.games.api.authority import authorised_record
from companion.games.api.play import Authority, Plain
from companion.games.api.prompt import ActionOffer, Choice, PromptForm, TargetCell
from companion.session.game_lookup import find_play, find_screen
from tests.games.random_states import KINDS, states
from tests.games.thrones.decks import game as card_game
from tests.trials import trials

PRESSED = (Choice, PromptForm, ActionOffer, TargetCell)
NOBODY = {
    "tmg": "roll-off correct token score objective mission quadrants modify pass-test ground"
    " heal hits test wounds grant draw wall-hits place ability eliminate retreat-result"
    " charge-result lose-abilities attach engage search effect order",
    "tactics": "roll-off wound heal condition score coins place push terrain",
    "westeros": "direction effect",
    "thrones": "toss kneel stand power leave modify set tokens attach control remove-from-challenge"
    " set-first-player move-power simultaneous-power extra-challenge each-chooses trigger delay",
}
"""What either player may enter: chance, corrections, effects of cards, what the table shows."""
SPOKEN = {
    "first-player": "side seat",
    "start-marker": "side",
    "winner": "seat",
    "toss": "seat",
    "control": "seat",
    "eliminate": "side",
    "mission": "side",
    "score": "side",
    "coins": "side",
    "effect": "side",
    "set-first-player": "seat",
    "give-title": "seat",
}
"""The fields that name a player whom a command is about."""


def pressed(record: Any) -> Iterator[Any]:
    """Everything in the records that sends commands."""
    if isinstance(record, PRESSED):
        yield record
    if isinstance(record, tuple | list):
        for one in record:
            yield from pressed(one)
    elif is_dataclass(record):
        for one in fields(record):
            yield from pressed(getattr(record, one.name))


def shown(kind: str, state: Any, chance: random.Random) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What a screen shows of a state, with the seats that its prompt asks."""
    screen, seats = find_screen(kind), [one.id for one in find_screen(kind).seats(state)]
    for seat in (None, chance.choice(seats)):
        for prompt in screen.prompts(state, seat):
            yield from ((prompt.seats, record) for record in pressed(prompt))
        yield from (((), record) for record in pressed(screen.pages(state, seat)))
    pieces = tuple(screen.pieces(state))
    yield from (((), record) for record in pressed((screen.score(state), pieces)))
    if pieces and chance.random() < 0.2:  # the reports of tables take long
        table = find_play(kind).moment(state).table
        report = games.find(table.game).report(table) if table is not None else None
        acting = [one for one in pieces if one.state == "acting"] or pieces
        offers = tuple(screen.offers(state, report, chance.choice(acting).id))
        yield from (((), record) for record in pressed(offers))


def commands_of(record: Any) -> tuple[Plain, ...]:
    return (record.command,) if isinstance(record, PromptForm) else tuple(record.commands)


def named(kind: str, state: Any, command: Plain) -> set[str]:
    """The seats that a command names as its own: by a field, or by their piece."""
    about = SPOKEN.get(command["do"], "").split()
    found = {command.get(key) for key in ("side", "seat", "by") if key not in about}
    owners = {one.id: one.seat for one in find_screen(kind).pieces(state)}
    found |= {owners.get(command.get(key, "")) for key in ("unit", "figure", "card")}
    if "player" in command:
        found.add(state.player(command["player"]).side)
    return {str(one) for one in found if one}


def whose(record: Any) -> list[Plain]:
    """The commands of a form, with each piece that may be chosen in it."""
    if not isinstance(record, PromptForm):
        return []
    options = [(one.field, value) for one in record.entries for value, _ in one.options]
    return [{**record.command, field: value} for field, value in options]


def asked_of(kind: str, state: Any, command: Plain) -> set[str | None]:
    """Whom the rules ask for such a command."""
    left = [one for one in getattr(state, "playing", ()) if one not in state.done]
    last = left[0] if len(left) == 1 else None
    return {
        one.side or one.data.get("placing") or last
        for one in find_play(kind).pending(state)
        if command["do"] in one.commands
        and all(
            one.data.get(key, command[key]) == command[key]
            for key in ("task", "test")
            if key in command
        )
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(trials(1, 60)))
def test_what_belongs_to_a_side_names_it(kind: str, seed: int) -> None:
    """Nothing that one side decides is open to anybody, and no wrong side is named."""
    nobody, chance = NOBODY[kind.partition("-")[0]].split(), random.Random(seed)
    for state in states(kind, seed, trials(24, 400)):
        seats = {one.id for one in find_screen(kind).seats(state)}
        for asked, record in shown(kind, state, chance):
            commands = commands_of(record)
            if not commands:  # an offer that is aimed first
                assert record.by == record.cells[0].by
                continue
            assert set(record.by) <= seats, record
            if isinstance(record, ActionOffer) and record.verdict == "no":
                continue
            words = [one["do"] for one in commands]
            if not record.by:
                assert all(word in nobody for word in words), (asked, record)
                assert not asked or words[0] in nobody, (asked, record)
            elif not record.shared:
                assert len(record.by) == 1, record
                own = [named(kind, state, one) for one in (*commands, *whose(record))]
                told = {seat for one in commands for seat in asked_of(kind, state, one) if seat}
                assert any(record.by[0] in one for one in own) or record.by[0] in told, record


def test_the_end_of_a_turn_tells_by_choice_who_may_press() -> None:
    """A prompt for everybody lists what both sides may do: an order belongs to its unit's side."""
    screen, found = find_screen("tmg-2021"), set[tuple[str, ...]]()
    for state in states("tmg-2021", 10, 200):
        prompt = next(iter(screen.prompts(state)), None)
        if prompt is None or prompt.id != "end-of-turn":
            continue
        assert not prompt.seats
        for choice in prompt.choices:
            (command,) = choice.commands
            if command["do"] == "end-turn":
                assert choice.shared
                assert choice.by == state.playing
            else:
                owner = state.unit(command["unit"]).side if state.has_unit(command["unit"]) else ""
                assert choice.by == (owner or state.ncu(command["unit"]).side,)
                found.add(choice.by)
    assert len(found) > 1


def test_who_presses_is_not_who_is_spoken_of() -> None:
    """The winner of initiative names any player: a button speaks of one, another presses it."""
    game = card_game(3)
    for seat, plot in {"p1": "Slow Plot", "p2": "Quick Plot", "p3": "Plain Plot"}.items():
        game.do("choose-plot", seat=seat, plot=plot)
    (prompt,) = find_screen("thrones").prompts(game.state)
    assert prompt.id == "first-player"
    assert {one.seat for one in prompt.choices} == {"p1", "p2", "p3"}
    assert {one.by for one in prompt.choices} == {("p2",)}


def test_what_answers_for_everybody_is_marked() -> None:
    game = card_game(3)
    game = game.plots(p1="Slow Plot", p2="Quick Plot", p3="Plain Plot").until("AW1")
    (prompt,) = find_screen("thrones").prompts(game.state)
    every, both, alone = prompt.choices
    for one in (every, both):
        assert one.shared
        assert set(one.by) == {"p1", "p2", "p3"}
    assert not alone.shared
    assert alone.by == prompt.seats


def test_a_deck_is_opened_on_a_shared_screen_only() -> None:
    """Others look away there; on a screen of one's own nothing is said of looking away."""
    game = card_game(2)
    game.plots(p1="Quick Plot", p2="Plain Plot")
    game.until("AW3")
    screen, seat = find_screen("thrones"), game.state.active
    (public,), (own,) = screen.prompts(game.state), screen.prompts(game.state, seat)
    marshal, mine = public.forms[0], own.forms[0]
    assert (marshal.shared, mine.shared) == (True, False)
    assert "look away" in marshal.detail
    assert not mine.detail
    assert marshal.by == mine.by == (seat,)


def test_several_commands_of_several_seats_are_decided_together() -> None:
    """One tap that answers for two players is shared; one of a single player is not."""
    owners = {"ask": ("a",), "answer": ("b",), "note": ()}

    def find(command: Plain) -> Authority:
        return Authority(owners[command["do"]])

    both = authorised_record(Choice("", ({"do": "ask"}, {"do": "answer"})), find)
    alone = authorised_record(Choice("", ({"do": "ask"}, {"do": "note"})), find)
    assert (both.by, both.shared) == (("a", "b"), True)
    assert (alone.by, alone.shared) == (("a",), False)
