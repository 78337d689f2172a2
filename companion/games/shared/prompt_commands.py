"""Prompts with the complete commands that answer them, as other programs ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.api.play import Pending, Plain

Commands = list[dict[str, Any]]
PromptCommands = tuple[Pending, Commands]


def prompt_options(waiting: Iterable[PromptCommands], side: str | None, secret: str) -> list[Plain]:
    """For each prompt its commands and the words that can also be given in other ways.

    The commands of the prompt `secret` are for its own side only.
    """
    found: list[Plain] = []
    for prompt, commands in waiting:
        mine = side is None or prompt.side in (None, side)
        hidden = prompt.what == secret and side != prompt.side
        given = [] if hidden or not mine else commands
        open_ = [name for name in prompt.commands if all(one["do"] != name for one in given)]
        found.append({"options": given, "open": open_})
    return found
