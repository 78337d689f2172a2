"""The players' own files: cards, tiles and scenarios as TOML, in folders beside their games.

Two different cards never share a file, on any file system. A card in a file of its own name
replaces the same card in another file.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from companion.games.api.card_form import FormProblem
from models import atomic_write
from models.field import Field, file_size, files_named, load_toml
from models.message import BadInput, CompanionError, say

LONGEST_NAME = 60
PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
"""Ids that are file names as they are: no system folds two of them into one."""
READABLE_LETTERS = 40
"""How much of another id stands in its file's name, before the digest that tells it apart."""
MOST_BYTES = 4 * 1024 * 1024
"""What is read of one folder: about ten thousand cards."""
T = TypeVar("T")


def own_folder(name: str) -> Path:
    """The players' folder of that name."""
    told = os.environ.get("COMPANION_HOME")
    base = os.environ.get("XDG_DATA_HOME")
    home = Path(base) if base else Path.home() / ".local" / "share"
    return (Path(told) if told else home / "table-companion") / name


def own_paths(name: str) -> list[Path]:
    """Every TOML file of such a folder; those named after the one card they hold come last."""
    return sorted(files_named(own_folder(name), ".toml"), key=named_after_its_card)


def read_own(
    name: str, read: Callable[[Field], T]
) -> Iterator[tuple[Path, T | None, CompanionError | None]]:
    """What is read from each of these files, or the error that says why it cannot be read."""
    size = 0
    try:
        paths = own_paths(name)
    except CompanionError as error:
        yield own_folder(name), None, error
        return
    for path in paths:
        size += file_size(path)
        try:
            if size > MOST_BYTES:
                raise BadInput(str(path), "", f"the folder holds more than {MOST_BYTES >> 20} MiB")
            yield path, read(own_file(path)), None
        except CompanionError as error:
            yield path, None, error


def own_by_id(name: str, read: Callable[[Field], Mapping[str, T]]) -> dict[str, T]:
    """What the players' own files hold by id; a file that cannot be read is left out."""
    found: dict[str, T] = {}
    for _, members, _ in read_own(name, read):
        found |= members or {}
    return found


def broken_own(name: str, read: Callable[[Field], object]) -> dict[str, CompanionError]:
    """Why files of the players' own cannot be read, by the files' names."""
    return {path.stem: error for path, _, error in read_own(name, read) if error}


def refuse_broken(broken: Mapping[str, CompanionError], used: Iterable[str]) -> None:
    """Raise why a file that may hold one of these cards cannot be read: it may have other numbers
    than the shipped card. Any other broken file stops nothing.
    """
    wanted = set(used)
    names = {file_stem(card) for card in wanted}
    for stem, error in broken.items():
        named = stem in names or stem.partition("-")[2] in names
        if named or (isinstance(error, BadInput) and mentions(Path(error.source), wanted)):
            raise error


def mentions(path: Path, ids: Iterable[str]) -> bool:
    """Whether a file that cannot be read as cards has one of these ids between quotation marks."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return False
    return any(f'"{one}"' in text or f"'{one}'" in text for one in ids)


def remove_broken(name: str, stem: str) -> None:
    """Delete a file that cannot be read, whatever it is called."""
    delete(own_folder(name) / f"{stem}.toml")


def own_file(path: Path) -> Field:
    """The content of one file."""
    try:
        found = path.stat()
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be read: {error.strerror or error}") from None
    return unchanged(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4096)
def unchanged(path: Path, changed_ns: int, size: int) -> Field:
    """A file that was read before and has not changed since."""
    return load_toml(path)


def save_own(name: str, kind: str, card: str, text: str) -> Path:
    """Write a card of the players' own, whole or not at all; no other card is overwritten."""
    folder = own_folder(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = next(path for path in places(folder, kind, card) if free_for(path, kind, card))
        atomic_write.write_text(path, text)
    except OSError as error:
        raise BadInput(str(folder), "", f"cannot be written: {error.strerror or error}") from None
    for old in files_of(folder, kind, card):
        if old != path:
            delete(old)
    return path


def remove_own(name: str, kind: str, card: str) -> bool:
    """Delete the files that hold this card alone; whether there were any."""
    files = files_of(own_folder(name), kind, card)
    for path in files:
        delete(path)
    return bool(files)


def places(folder: Path, kind: str, card: str) -> Iterator[Path]:
    """Where a card may be written, if other cards are in the first places."""
    yield folder / f"{kind}-{file_stem(card)}.toml"
    for number in itertools.count(1):
        yield folder / f"{kind}-{digest_name(card)}-{number}.toml"


def file_stem(card: str) -> str:
    """A file's name for an id: no other id has it, whatever the file system does with letters.

    >>> file_stem("my-1"), file_stem("My 1")
    ('my-1', 'my-1~8109baa3a70cee25')
    """
    plain = PLAIN_NAME.fullmatch(card) and len(card) <= LONGEST_NAME
    return card if plain else digest_name(card)


def digest_name(card: str) -> str:
    """A readable part of an id and its digest."""
    digest = hashlib.sha256(card.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{slug(card)[:READABLE_LETTERS]}~{digest}"


def free_for(path: Path, kind: str, card: str) -> bool:
    """Whether a card may be written to a file; one that cannot be read is put aside first."""
    if not os.path.lexists(path):
        return True
    try:
        return cards_in(path) == [(kind, card)]
    except CompanionError:
        if not os.path.isfile(path):
            return False
        asides = (path.with_name(f"{path.name}.damaged-{n}") for n in itertools.count(1))
        path.rename(next(aside for aside in asides if not aside.exists()))
        return True


def files_of(folder: Path, kind: str, card: str) -> list[Path]:
    """The files with this card alone, under the names of this version and of earlier ones."""
    stems = (slug(card), slug(f"{kind}-{card}"))
    paths = {next(places(folder, kind, card)), *(folder / f"{stem}.toml" for stem in stems)}
    paths |= set(folder.glob(f"{kind}-{digest_name(card)}*.toml"))
    return sorted(path for path in paths if os.path.isfile(path) and alone(path) == (kind, card))


def alone(path: Path) -> tuple[str, str] | None:
    """The kind and id of the only card in a file; None if there are others, or it is unreadable."""
    try:
        cards = cards_in(path)
    except CompanionError:
        return None
    return cards[0] if len(cards) == 1 else None


def cards_in(path: Path) -> list[tuple[str, str]]:
    """The kinds and ids of the cards in a file: lists of tables with ids, or tables by id."""
    members = own_file(path).raw
    return [
        (kind, card)
        for kind, table in members.items()
        for card in (table if isinstance(table, dict) else ids_in(table))
    ]


def ids_in(table: object) -> list[str]:
    """The ids of the cards in a list."""
    items = table if isinstance(table, list) else []
    return [str(item.get("id")) for item in items if isinstance(item, dict)]


def named_after_its_card(path: Path) -> bool:
    """Whether a file holds one card and is called after it."""
    card = alone(path)
    if card is None:
        return False
    plain = next(places(path.parent, *card)).stem
    digest = f"{card[0]}-{digest_name(card[1])}"
    return path.stem in (plain, card[1]) or path.stem.startswith(digest)


def delete(path: Path) -> None:
    """Delete a file; one that is gone already is no error."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be deleted: {error.strerror or error}") from None


def slug(text: str) -> str:
    """A name as an id or a file's name: small letters, digits and hyphens.

    >>> slug("Ser Lyn Corbray (mounted)")
    'ser-lyn-corbray-mounted'
    """
    plain = unicodedata.normalize("NFKD", text.strip().lower())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^\w]+", "-", plain).strip("-_")[:LONGEST_NAME] or "unnamed"


def new_id(
    name: str, taken: Mapping[str, str], prefix: str = "", longest: int = LONGEST_NAME
) -> str:
    """The id of a new card: from its name, with a number if a card of another name has it.

    >>> new_id("Ser Jón", {"ser-jon": "Ser Jon"})
    'ser-jon-2'
    """
    wanted = found = (prefix + slug(name))[:longest]
    number = 2
    while taken.get(found, name) != name:
        found = f"{wanted[: longest - 4]}-{number}"
        number += 1
    return found


def replaced_problem(name: str) -> FormProblem:
    """What is said before a new card takes the place of an own card of the same name."""
    text = say("{name} is there already and will be replaced", name=name)
    return FormProblem(text, "name", stops=False)
