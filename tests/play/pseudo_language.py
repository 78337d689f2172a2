"""A language in which every translated text stands in brackets, and names in other ones.

What is left outside them was never translated: an id, an English word in a sentence, or a name that
is taken for a word. `python -m tests.play.pseudo_language [GAMES]` plays so many games of each kind
and prints what it finds.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.session.game_view import TEXTS
from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.story import build_story
from companion.text import translation
from companion.text.translation import MessageCatalogue, catalogue
from companion.web.lobby import PairedScreen
from companion.web.viewer import SeatedViewer, TableVersions
from models import CompanionError
from models.message import CONTEXT, FIELD, LazyMessage
from tests.arguments import arguments
from tests.play.screen_walk import GAMES, Walk

BRACKETED = re.compile(r"⟦[^⟧]*⟧|‹[^›]*›|“[^”]*”")
"""What was translated, names, and what players wrote."""
MARKUP = re.compile(r'<style>.*?</style>|<li class="note">.*?</li>|<[^>]*>', re.DOTALL)
LETTERS = re.compile(r"[^\W\d_]{2,}")


class Brackets(MessageCatalogue):
    """The words and names of a game in brackets."""

    heard: ClassVar[set[LazyMessage]] = set()

    def translate(self, sentence: str) -> str:
        if isinstance(sentence, LazyMessage):
            self.heard.add(sentence)
        if type(sentence) is str and sentence not in self.forms:
            return sentence
        return super().translate(sentence)

    def name(self, name: str) -> str:
        return f"‹{name}›"


def brackets(game: str) -> Brackets:
    """The pseudo-language of a game: what its German catalogue has a translation for."""
    known = catalogue("de", game=game)
    forms = {source: (in_brackets(source.rpartition(CONTEXT)[2]),) for source in known.forms}
    return Brackets("xx", forms)


def in_brackets(template: str) -> str:
    """A template with its own words in brackets; what its values are is for them to say."""
    parts, end = [], 0
    for field in FIELD.finditer(template):
        parts += [words(template[end : field.start()]), field[0]]
        end = field.end()
    return "".join([*parts, words(template[end:])])


def words(text: str) -> str:
    return f"⟦{text}⟧" if LETTERS.search(text) else text


def bare(text: str) -> list[str]:
    """What stands outside all brackets and is written in letters."""
    return LETTERS.findall(BRACKETED.sub(" ", text))


class BracketClient(Client):
    """A viewer who reads the pseudo-language."""

    spoken: Brackets

    def words(self, text: str) -> str:
        return self.spoken.translate(text) if text else ""


READ = TEXTS | {"headline", "result", "undo", "redo", "notice", "log"}
"""The members of records that players read; the others are for programs."""
NAMED = (".pieces.name", ".prompts.dice.symbols.name")
"""Where `name` is what players read; elsewhere it is how a test finds the button."""


def read(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a record that players read, with its place."""
    if isinstance(value, str):
        member = place.rpartition(".")[2]
        if member in READ and (member != "name" or place in NAMED):
            yield place, value
    elif is_dataclass(value):
        for one in fields(value):
            yield from read(getattr(value, one.name), f"{place}.{one.name}")
    elif isinstance(value, dict):
        for name, one in value.items():
            inner = f"{place}.{name}" if place.startswith(".phone") else place
            yield from read(one, inner)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from read(one, place)


def untranslated(game: str, seed: int, steps: int, folder: Path) -> dict[str, str]:
    """Texts that players see and that no catalogue has, in one random game: where each stands."""
    found: dict[str, str] = {}
    walk = Walk(game, seed, folder)
    spoken = brackets(game)
    running = RunningGame(walk.session)
    client = BracketClient(running)
    client.spoken = spoken
    phone = phone_of(client)
    for _ in range(steps):
        try:
            walk.step()
            view, page = client.view(), phone.parts()
        except CompanionError:
            continue
        beside = {part: page[part] for part in ("score", "log")} | {"title": page["view"]["title"]}
        for place, text in (*read(view), *read(beside, ".phone")):
            if bare(text):
                found.setdefault(text, place)
    walk.session.close()
    return found


def phone_of(client: Client) -> SeatedViewer:
    """A phone that only watches, in the language of that viewer."""
    phone = SeatedViewer(client.game, PairedScreen("watching", ""), TableVersions(), {})
    phone.client = client
    return phone


def untranslated_report(game: str, seed: int, steps: int, folder: Path) -> list[str]:
    """Lines of a game's report, as text and as a page, in which something is not translated."""
    walk = Walk(game, seed, folder)
    for _ in range(steps):
        walk.answer(walk.offered())
    story = build_story(walk.session.log.steps())
    walk.session.close()
    before = translation.CURRENT.catalogue
    try:
        translation.CURRENT.catalogue = brackets(game)
        page = re.sub(
            r'<style>.*?</style>|<li class="note">.*?</li>|<[^>]*>',
            "\n",
            html(story),
            flags=re.DOTALL,
        )
        lines = f"{markdown(story)}\n{page}".splitlines()
    finally:
        translation.CURRENT.catalogue = before
    return [line for line in lines if bare(line)]


def main() -> None:
    """Run as a command."""
    (count,) = arguments(count=2)
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(count):
                for text, place in untranslated(game, seed, 40, Path(folder)).items():
                    print(f"{game} {place}: {text}")
                for line in untranslated_report(game, seed + count, 200, Path(folder)):
                    print(f"{game} report: {line}")


if __name__ == "__main__":
    main()
