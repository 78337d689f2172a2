"""Players' own catalogue files: trays, terrain, units, attachments, NCUs, cards."""

from __future__ import annotations

import functools
import json
import random
import shutil
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

from companion.games.tmg.cards.army_catalogue import gather_army_cards
from models import army_card as card_index
from models.atomic_write import toml
from models.catalogue import DATA, gather, own_files, resized
from models.field import Field, load_toml
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import damaged

GAME = "tmg-2021"


@functools.lru_cache
def entries_of(name: str) -> list[tuple[str, Any]]:
    """The shipped entries of a file."""
    path = DATA / GAME / name if (DATA / GAME / name).exists() else DATA / name
    return list(tomllib.loads(path.read_text(encoding="utf-8")).items())


@functools.lru_cache
def shipped(path: Path) -> Field:
    """The shipped files are the same for every input: they are read once."""
    return load_toml(path)


def loaded(path: Path) -> Field:
    """A shipped file from memory, any other from the disk."""
    return shipped(path) if path.is_relative_to(DATA) else load_toml(path)


def written(plain: Any) -> str:
    """Entries as a TOML file."""
    if not isinstance(plain, dict):
        return toml(plain)
    lines = []
    for key, entry in plain.items():
        if isinstance(entry, dict):
            lines.append(f"[{json.dumps(key)}]")
            lines += [f"{name} = {toml(value)}" for name, value in entry.items()]
        else:
            lines.append(f"{json.dumps(key)} = {toml(entry)}")
    return "\n".join(lines) + "\n"


def make(dice: random.Random, folder: Path) -> tuple[str, bytes]:
    """A file of a player's own folder."""
    name = dice.choice(own_files())
    known = dice.sample(entries_of(name), min(3, len(entries_of(name))))
    plain = {key if dice.random() < 0.5 else f"own-{key}": entry for key, entry in known}
    return name, damaged(dice, plain, written)


def check(given: tuple[str, bytes], folder: Path) -> str:
    """Gather the catalogue with it, and look at every card."""
    name, data = given
    own = folder / "own"
    shutil.rmtree(own, ignore_errors=True)
    (own / GAME).mkdir(parents=True)
    (own / GAME / name).write_bytes(data)
    forget()
    with mock.patch.object(card_index, "load_toml", loaded):
        facts = gather_army_cards(GAME, own)
        for cards in (facts.units, facts.attachments, facts.ncus, facts.cards):
            assert all(card.id and card.label for card in cards.values())
            assert cards.factions
        assert all(tray.width > 0 for tray in facts.trays.values())
        if name == "trays.toml":
            changed = resized(data.decode(), "infantry", {"width": 5.0, "depth": 4.0}, name)
            assert tomllib.loads(changed)["infantry"]["width"] == 5.0
    forget()
    return "read"


def forget() -> None:
    gather.cache_clear()
    gather_army_cards.cache_clear()


FUZZER = Fuzzer("catalogues", make, check)
