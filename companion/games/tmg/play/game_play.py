"""The miniatures game's implementation of the play and army building interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.army_building import ArmyCandidate, ArmyMember, Unknown
from companion.games.api.json_fragment import FragmentView
from companion.games.api.play import (
    ArmySummary,
    Authority,
    Command,
    Decision,
    Event,
    GameMoment,
    Pending,
    Plain,
    Refusal,
    RolledDice,
)
from companion.games.tmg.cards.army import Army, cards_of
from companion.games.tmg.play import prompt_options, state_view
from companion.games.tmg.play.army import army_builder, army_lists, army_rules
from companion.games.tmg.play.authority import authority
from companion.games.tmg.play.commands import command_table
from companion.games.tmg.play.events import event_log
from companion.games.tmg.play.events.event_log import EVENTS, dice
from companion.games.tmg.play.flow import phases
from companion.games.tmg.play.setup import prepare, start
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.rules.rulebook import EDITIONS
from models import Unit
from models.field import Field


class MiniaturesPlay:
    """Both editions behind the play interface; `games/api/play.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(EDITIONS)

    @property
    def army_forms(self) -> tuple[str, ...]:
        return tuple(army_lists.WRITERS)

    def read_army(self, game: str, text: str, points: int | None = None) -> Army:
        return army_lists.read_list(text, game, points)

    def army_problems(self, army: Army) -> Sequence[Refusal]:
        return army_rules.check(army)

    def army_notes(self, army: Army, text: str) -> Sequence[str]:
        return (*army_lists.remarks(text, army.game), *army_rules.notes(army))

    def write_army(self, army: Army, form: str) -> str:
        return army_lists.WRITERS[form](army)

    def sizes(self, game: str) -> Sequence[int]:
        return army_builder.SIZES

    def factions(self, game: str) -> Sequence[tuple[str, str]]:
        return army_builder.factions(game)

    def new_army(self, game: str, faction: str, points: int) -> Army:
        return Army(game, faction, points)

    def saved_army(self, field: Field) -> Army:
        return Army.read(field)

    def resized(self, army: Army, points: int) -> Army:
        return replace(army, points=points)

    def army_cost(self, army: Army) -> int:
        return army_rules.cost(army)

    def enlisted(self, army: Army) -> Sequence[ArmyMember]:
        return tuple(army_builder.enlisted(army))

    def recruits(self, army: Army) -> Sequence[ArmyCandidate]:
        return tuple(army_builder.recruits(army))

    def recruit(self, army: Army, card: str, place: int | None = None) -> Army:
        return army_builder.recruit(army, card, place)

    def dismiss(self, army: Army, line: ArmyMember) -> Army:
        return army_builder.dismiss(army, line)

    def army_unknowns(self, army: Army) -> Sequence[Unknown]:
        return army_rules.unknowns(cards_of(army))

    def army_answered(self, army: Army, asked: Unknown, answer: int | str) -> Army:
        return army_builder.answered(army, asked, answer)

    def fielded(self, game: str, setup: Plain) -> tuple[Unit, ...]:
        return army_builder.fielded(game, setup)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return prepare(game, command)

    def start(self, game: str, setup: Plain) -> GameState:
        return start(game, setup)

    def decide(self, state: GameState, command: Plain) -> Decision:
        return command_table.decide(state, command)

    def apply(self, state: GameState, event: Event) -> GameState:
        return EVENTS.apply(state, event)

    def view(self, state: GameState, side: str | None = None) -> FragmentView:
        return state_view.view(state, side)

    def moment(self, state: GameState) -> GameMoment:
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
        return phases.pending(state)

    def authority(self, state: GameState, command: Plain) -> Authority:
        return authority(state, command)

    def options(self, state: GameState, side: str | None = None) -> Sequence[Plain]:
        return prompt_options.options(state, side)

    def title(self, event: Event) -> str:
        return EVENTS.title(event)

    def report_sentence(self, state: GameState, event: Event) -> str:
        return event_log.report_sentence(state, event)

    def occasion(self, state: GameState) -> str:
        return event_log.occasion(state)

    def armies(self, state: GameState) -> Sequence[ArmySummary]:
        return event_log.army_summaries(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        return dice(event)

    def help(self, game: str) -> Sequence[Command]:
        return command_table.listed()
