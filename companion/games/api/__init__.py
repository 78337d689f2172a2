"""The interface between a game and everything else: what a game package imports from here.

`GameRules` (rules of a table), `Play` (a game in play) and `GameScreen` (what it shows) are what a
game implements; the others are the records they exchange.
"""

from companion.games.api.game_screen import GameScreen
from companion.games.api.offer import ActionOffer
from companion.games.api.outcome import Outcome
from companion.games.api.page import Page, PageCard, Section
from companion.games.api.piece_view import Badge, PieceView
from companion.games.api.play import (
    Accepted,
    ArmySummary,
    Command,
    Decision,
    Event,
    FieldSpec,
    GameMoment,
    Pending,
    Plain,
    Play,
    Refusal,
    RolledDice,
    UnitSummary,
)
from companion.games.api.prompt import Choice, DiceRequest, Entry, Fact, Prompt, PromptForm
from companion.games.api.rules import GameRules, OddsField, ReadingSwitch
from companion.games.api.score_view import ScoreLine, ScoreView, SeatScore
from companion.games.api.seats import SeatRange, SeatView, plain_seat
from companion.games.api.setup_step import NewGameStep, SeatList, SetupLine, SetupProblem
from companion.games.api.space import PieceKind, Space
from companion.games.api.target_cell import CellMark, TargetCell

__all__ = [
    "Accepted",
    "ActionOffer",
    "ArmySummary",
    "Badge",
    "CellMark",
    "Choice",
    "Command",
    "Decision",
    "DiceRequest",
    "Entry",
    "Event",
    "Fact",
    "FieldSpec",
    "GameMoment",
    "GameRules",
    "GameScreen",
    "NewGameStep",
    "OddsField",
    "Outcome",
    "Page",
    "PageCard",
    "Pending",
    "PieceKind",
    "PieceView",
    "Plain",
    "Play",
    "Prompt",
    "PromptForm",
    "ReadingSwitch",
    "Refusal",
    "RolledDice",
    "ScoreLine",
    "ScoreView",
    "SeatList",
    "SeatRange",
    "SeatScore",
    "SeatView",
    "Section",
    "SetupLine",
    "SetupProblem",
    "Space",
    "TargetCell",
    "UnitSummary",
    "plain_seat",
]
