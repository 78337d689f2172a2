"""What `help` and the documents promise: every command, with its fields."""

from __future__ import annotations

import json
import re
from pathlib import Path

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.context import COMMANDS
from tests.play.battle import Battle

DOCUMENT = (Path(__file__).parents[4] / "docs" / "playing.md").read_text(encoding="utf-8")


def test_help_lists_every_command_once_set_up_first() -> None:
    names = [command.name for command in PLAY.help("tmg-2021")]
    assert names[0] == "set-up"
    assert len(names) == len(set(names)) == len(COMMANDS) + 1
    assert all(command.what for command in PLAY.help("tmg-2018"))


def test_the_document_has_every_command_with_its_words() -> None:
    for command in PLAY.help("tmg-2021"):
        assert re.search(
            rf"^\| `{command.name}` \|.*\| {re.escape(command.what)} \|$", DOCUMENT, re.M
        )


def test_the_documents_game_can_be_played() -> None:
    block = re.search(r"```json\n(.*?)```", DOCUMENT, re.S)
    assert block
    decoder, text, commands = json.JSONDecoder(), block[1].strip(), []
    while text:
        command, end = decoder.raw_decode(text)
        commands.append(command)
        text = text[end:].strip()
    setup = PLAY.prepare("tmg-2021", {**commands[0], "seed": 4})
    assert not isinstance(setup, Refusal)
    state = PLAY.start("tmg-2021", setup)
    for command in commands[1:]:
        found = PLAY.decide(state, command)
        assert not isinstance(found, Refusal), (command, found)
        for event in found.events:
            state = PLAY.apply(state, event)
    assert state.active == "red"


def test_every_prompt_names_commands_that_exist() -> None:
    battle = Battle().deployed()
    for one in PLAY.pending(battle.state):
        assert one.commands
        assert set(one.commands) <= set(COMMANDS)
