"""The miniatures game in play, as the session asks it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.mustering import Enlisted, Recruit, Unknown
from companion.games.playing import (
    Command,
    Decision,
    Event,
    Host,
    Moment,
    Pending,
    Plain,
    Refusal,
    Roll,
)
from companion.games.tmg.edition import EDITIONS
from companion.games.tmg.play import (
    armies,
    army_lists,
    commands,
    events,
    options,
    phases,
    recruiting,
    roster,
    tales,
    view,
)
from companion.games.tmg.play.army_cards import cards_of
from companion.games.tmg.play.sightings import current_table
from companion.games.tmg.play.state import State
from companion.games.told import View
from models import Army, Unit


class Playing:
    """Both editions behind the face of a game in play; stateless."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games it plays, as table files name them."""
        return tuple(EDITIONS)

    @property
    def army_forms(self) -> tuple[str, ...]:
        """The forms an army list can be written in."""
        return tuple(army_lists.WRITERS)

    def read_army(self, game: str, text: str, points: int | None = None) -> Army:
        """An army from whatever a player pasted."""
        return army_lists.read_list(text, game, points)

    def army_problems(self, army: Army) -> Sequence[Refusal]:
        """Every rule an army breaks."""
        return armies.check(army)

    def army_notes(self, army: Army, text: str) -> Sequence[str]:
        """What players should know of an army read from that list, besides."""
        return (*army_lists.remarks(text, army.game), *armies.notes(army))

    def write_army(self, army: Army, form: str) -> str:
        """An army in that form."""
        return army_lists.WRITERS[form](army)

    def sizes(self, game: str) -> Sequence[int]:
        """The usual sizes of an army."""
        return recruiting.SIZES

    def factions(self, game: str) -> Sequence[tuple[str, str]]:
        """The factions of an edition."""
        return recruiting.factions(game)

    def army_cost(self, army: Army) -> int:
        """The points an army has spent."""
        return armies.cost(army)

    def enlisted(self, army: Army) -> Sequence[Enlisted]:
        """An army's cards, line by line."""
        return tuple(recruiting.enlisted(army))

    def recruits(self, army: Army) -> Sequence[Recruit]:
        """Every card an army could take."""
        return tuple(recruiting.recruits(army))

    def recruit(self, army: Army, card: str, place: int | None = None) -> Army:
        """An army with one card more."""
        return recruiting.recruit(army, card, place)

    def dismiss(self, army: Army, line: Enlisted) -> Army:
        """An army without a card."""
        return recruiting.dismiss(army, line)

    def army_unknowns(self, army: Army) -> Sequence[Unknown]:
        """What the players are asked because the catalogue does not tell it."""
        return armies.unknowns(cards_of(army))

    def army_answered(self, army: Army, asked: Unknown, answer: int | str) -> Army:
        """The army with an answer to such a question."""
        return recruiting.answered(army, asked, answer)

    def fielded(self, game: str, setup: Plain) -> tuple[Unit, ...]:
        """The units of a set-up, not yet placed."""
        return recruiting.fielded(game, setup)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        """A set-up, checked and complete in itself."""
        return roster.prepare(game, command)

    def start(self, game: str, setup: Plain) -> State:
        """The state before the first event."""
        return roster.start(game, setup)

    def decide(self, state: State, command: Plain) -> Decision:
        """What a command does here, or why it may not."""
        return commands.decide(state, command)

    def apply(self, state: State, event: Event) -> State:
        """The state after an event."""
        return events.apply(state, event)

    def view(self, state: State, side: str | None = None) -> View:
        """The state as players see it."""
        return view.view(state, side)

    def moment(self, state: State) -> Moment:
        """Where the game stands."""
        waiting = phases.pending(state)
        return Moment(
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            side=waiting[0].side if waiting else None,
            sides=state.side_names,
            score={side.id: side.vp for side in state.sides},
            winner=state.winner or None,
            table=current_table(state) if state.table else None,
        )

    def pending(self, state: State) -> Sequence[Pending]:
        """Everything the game waits for."""
        return phases.pending(state)

    def options(self, state: State, side: str | None = None) -> Sequence[Plain]:
        """What each prompt offers, as whole commands."""
        return options.options(state, side)

    def title(self, event: Event) -> str:
        """The event as a short public sentence."""
        return events.title(event)

    def tale(self, state: State, event: Event) -> str:
        """The event as a battle report tells it."""
        return tales.tale(state, event)

    def occasion(self, state: State) -> str:
        """The mode, the size and the edition."""
        return tales.occasion(state)

    def hosts(self, state: State) -> Sequence[Host]:
        """The armies, with what is left of them."""
        return tales.hosts(state)

    def dice(self, event: Event) -> Sequence[Roll]:
        """The dice that fell in this event."""
        return events.dice(event)

    def help(self, game: str) -> Sequence[Command]:
        """Every command of the game."""
        return commands.listed()
