"""The figure cards: those of the rulebook, the invented sample set, and the players' own.

The players' own cards are TOML files in a folder of theirs; a card of the same id replaces a
shipped one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.tactics.cards.figure_card import FigureCard
from models.atomic_write import write_text
from models.errors import CompanionError
from models.field import Field, load_toml, shown

DATA = Path(__file__).parents[1] / "data"
OWN_FOLDER = "tactics-cards"
"""The name of the players' folder, beside their games."""
SHIPPED = ("trident.toml", "sample.toml")
MOST_CARDS = 400
FORMAT = "table-companion/tactics-cards/1"


@lru_cache(maxsize=1)
def shipped_cards() -> Mapping[str, FigureCard]:
    """The cards that come with the game, by id."""
    found: dict[str, FigureCard] = {}
    for name in SHIPPED:
        found |= read_cards(load_toml(DATA / name))
    return found


def read_cards(root: Field) -> dict[str, FigureCard]:
    """The cards of a file, by id; a card that stands twice is refused."""
    root.keys({"format", "figure"}, {"format"})
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    found: dict[str, FigureCard] = {}
    for item in root.listed("figure", MOST_CARDS):
        card = FigureCard.read(item)
        if card.id in found:
            item.member("id").fail(f"{shown(card.id)} stands twice")
        found[card.id] = card
    return found


def load_own(folder: Path) -> dict[str, FigureCard]:
    """The players' own cards: every TOML file of their folder."""
    found: dict[str, FigureCard] = {}
    for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        found |= read_cards(load_toml(path))
    return found


def save_own(folder: Path, cards: Iterable[FigureCard], name: str = "own") -> Path:
    """Write cards into the players' folder as one file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.toml"
    write_text(path, cards_text(cards))
    return path


def cards_text(cards: Iterable[FigureCard]) -> str:
    """Cards as the text of a TOML file, which `read_cards` reads back."""
    lines = [f'format = "{FORMAT}"']
    for card in cards:
        lines += ["", "[[figure]]"]
        lines += [f"{key} = {toml(value)}" for key, value in card.plain().items()]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """A value as TOML: text, numbers, lists and inline tables."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            inner = ", ".join(f"{key} = {toml(one)}" for key, one in value.items())
            return f"{{ {inner} }}"
    raise CompanionError(f"{shown(value)} cannot be written")


def find_card(name: str) -> FigureCard | None:
    """The shipped card of that id or name."""
    cards = shipped_cards()
    if name in cards:
        return cards[name]
    return next((card for card in cards.values() if card.name == name), None)
