"""Every sentence the code can say, found by reading the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from companion.text.translation import LANGUAGES

ROOT = Path(__file__).parents[1]
SAYING = {"word": 0, "say": 0, "_": 0, "translate": 0, "fill_title": 0, "no": 1, "kind": 1}
"""Functions that take an English template, and which of their arguments it is."""

WORDS = re.compile(r"[A-Za-z]{2}")
GAME = ROOT / "companion" / "games" / "tmg"
TRANSLATED = [one for one in LANGUAGES if one != "en"]
"""The languages besides English."""


def numbers(language: str) -> int:
    """How many plural forms a language has, as the head of its first catalogue says."""
    path = ROOT / "companion" / "locale" / f"{language}.po"
    head = path.read_text(encoding="utf-8") if path.exists() else ""
    found = re.search(r"nplurals=(\d)", head)
    return int(found[1]) if found else 2


def sources(*places: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Every module in these files and folders."""
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def constants(node: ast.expr) -> Iterator[str]:
    """The text an argument is, or either text it may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def templates(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Templates a module says: for one, and for many where it counts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = SAYING.get(node.func.id)
            if place is None or len(node.args) <= place:
                continue
            if node.func.id == "word" and len(node.args) < 2:
                continue
            if node.func.id == "word":
                context = "".join(constants(node.args[0]))
                yield from ((f"{context}\x04{one}", "") for one in constants(node.args[1]))
                continue
            many = node.args[place + 1 :] if node.func.id in ("say", "no") else []
            for one in constants(node.args[place]):
                yield one, next((text for rest in many for text in constants(rest)), "")


def prose(tree: ast.Module) -> Iterator[str]:
    """Texts of several words that stand in a module, documentation apart."""
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            silent.add(id(node.value))  # documentation
        elif isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in ast.walk(node))
        elif isinstance(node, ast.Attribute) and node.attr in ("split", "join"):
            silent.add(id(node.value))  # a row of words, a separator
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "word":
            silent.update(map(id, node.args))  # it is looked up with its context
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in silent:
            continue
        if isinstance(node.value, str) and " " in node.value and WORDS.search(node.value):
            yield node.value


def loose(tree: ast.Module) -> Iterator[str]:
    """Words in texts that are put together in place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                text = part.value if isinstance(part, ast.Constant) else ""
                if isinstance(text, str) and " " in text and WORDS.search(text):
                    yield text


def worded(template: str) -> bool:
    """Whether a template has words of its own besides its values."""
    return bool(WORDS.search(re.sub(r"{.*?}", "", template)))


def said(*places: Path, whole: bool = False) -> dict[str, str]:
    """Every template of these places by its singular; with `whole`, every other prose too."""
    found: dict[str, str] = {}
    for _, tree in sources(*places):
        for one, many in templates(tree):
            if worded(one):
                found[one] = found.get(one) or many
        if whole:
            for text in prose(tree):
                found.setdefault(text, "")
    for many in list(found.values()):
        if many != "" and many not in (one for one in found if found[one]):
            found.pop(many, None)
    return found
