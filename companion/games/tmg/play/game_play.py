"""The miniatures game's implementation of the play and army building interfaces."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.army_building import ArmyCandidate, ArmyMember, Unknown
from companion.games.api.json_fragment import FragmentView
from companion.games.api.play import (
    ArmySummary,
    Command,
    Decision,
    Event,
    GameMoment,
    Pending,
    Plain,
    Refusal,
    RolledDice,
)
from companion.games.tmg.play.army import army_builder, army_lists, army_rules, roster
from companion.games.tmg.play.army.army_cards import cards_of
from companion.games.tmg.play.commands import command_table
from companion.games.tmg.play.events import event_log
from companion.games.tmg.play.flow import phases
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.play.views import narration, prompt_options, state_view
from companion.games.tmg.rules.edition import EDITIONS
from models import Army, Unit


class MiniaturesPlay:
    """Both editions behind the play interface; stateless."""

    @property
    def games(self) -> tuple[str, ...]:
        """The names of its games in table files."""
        return tuple(EDITIONS)

    @property
    def army_forms(self) -> tuple[str, ...]:
        """The formats in which an army list can be written."""
        return tuple(army_lists.WRITERS)

    def read_army(self, game: str, text: str, points: int | None = None) -> Army:
        """Read an army from pasted text in any format."""
        return army_lists.read_list(text, game, points)

    def army_problems(self, army: Army) -> Sequence[Refusal]:
        """Every rule an army breaks."""
        return army_rules.check(army)

    def army_notes(self, army: Army, text: str) -> Sequence[str]:
        """Further remarks for the players on the army read from that list."""
        return (*army_lists.remarks(text, army.game), *army_rules.notes(army))

    def write_army(self, army: Army, form: str) -> str:
        """An army in that format."""
        return army_lists.WRITERS[form](army)

    def sizes(self, game: str) -> Sequence[int]:
        """The usual army sizes."""
        return army_builder.SIZES

    def factions(self, game: str) -> Sequence[tuple[str, str]]:
        """The factions of an edition."""
        return army_builder.factions(game)

    def army_cost(self, army: Army) -> int:
        """The points spent."""
        return army_rules.cost(army)

    def enlisted(self, army: Army) -> Sequence[ArmyMember]:
        """The cards of an army."""
        return tuple(army_builder.enlisted(army))

    def recruits(self, army: Army) -> Sequence[ArmyCandidate]:
        """Every card an army could take."""
        return tuple(army_builder.recruits(army))

    def recruit(self, army: Army, card: str, place: int | None = None) -> Army:
        """The army with one card added."""
        return army_builder.recruit(army, card, place)

    def dismiss(self, army: Army, line: ArmyMember) -> Army:
        """The army without that card."""
        return army_builder.dismiss(army, line)

    def army_unknowns(self, army: Army) -> Sequence[Unknown]:
        """The values to ask the players for, because they are missing from the catalogue."""
        return army_rules.unknowns(cards_of(army))

    def army_answered(self, army: Army, asked: Unknown, answer: int | str) -> Army:
        """The army with such a value filled in."""
        return army_builder.answered(army, asked, answer)

    def fielded(self, game: str, setup: Plain) -> tuple[Unit, ...]:
        """The units of a set-up, not yet placed."""
        return army_builder.fielded(game, setup)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        """A validated and self-contained set-up."""
        return roster.prepare(game, command)

    def start(self, game: str, setup: Plain) -> GameState:
        """The state before the first event."""
        return roster.start(game, setup)

    def decide(self, state: GameState, command: Plain) -> Decision:
        """The result of a command, or a refusal."""
        return command_table.decide(state, command)

    def apply(self, state: GameState, event: Event) -> GameState:
        """The state after an event."""
        return event_log.apply(state, event)

    def view(self, state: GameState, side: str | None = None) -> FragmentView:
        """The state view for a side, or for everybody."""
        return state_view.view(state, side)

    def moment(self, state: GameState) -> GameMoment:
        """A summary of the state."""
        waiting = phases.pending(state)
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            side=waiting[0].side if waiting else None,
            sides=state.side_names,
            score={side.id: side.vp for side in state.sides},
            winner=state.winner or None,
            table=current_table(state) if state.table else None,
        )

    def pending(self, state: GameState) -> Sequence[Pending]:
        """The prompts: everything the game waits for."""
        return phases.pending(state)

    def options(self, state: GameState, side: str | None = None) -> Sequence[Plain]:
        """The complete commands that each prompt offers."""
        return prompt_options.options(state, side)

    def title(self, event: Event) -> str:
        """The event as a short public sentence."""
        return event_log.title(event)

    def tale(self, state: GameState, event: Event) -> str:
        """The event as a sentence for the battle report."""
        return narration.tale(state, event)

    def occasion(self, state: GameState) -> str:
        """The mode, the size and the edition."""
        return narration.occasion(state)

    def hosts(self, state: GameState) -> Sequence[ArmySummary]:
        """The armies, with their current state."""
        return narration.hosts(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        """The dice rolled in this event."""
        return event_log.dice(event)

    def help(self, game: str) -> Sequence[Command]:
        """Every command of the game."""
        return command_table.listed()
