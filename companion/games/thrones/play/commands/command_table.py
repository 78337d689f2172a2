"""All commands of a game: importing this module registers them."""

from __future__ import annotations

from companion.games.thrones.play.commands import (  # noqa: F401
    camera_commands,
    card_commands,
    challenge_commands,
    count_commands,
    decision_commands,
    pile_commands,
    plot_commands,
    query_commands,
    setup_commands,
    trigger_commands,
    window_commands,
)
