"""Prompts."""

from __future__ import annotations

from companion.games.api.prompt import Prompt
from companion.games.tmg.play.state.game_state import GameState


def prompts(state: GameState, seat: str | None) -> tuple[Prompt, ...]:
    return ()
