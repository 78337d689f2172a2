"""The titles of melee: whom each supports and rivals, and what it adds (AGOT-TTL-1, AGOT-OR-4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.shared.own_files import broken_own, own_by_id
from companion.games.thrones.cards.card import CHALLENGES
from models.field import Field, load_toml, shown
from models.message import CompanionError, joined, say

DATA = Path(__file__).parents[1] / "data" / "titles.toml"
OWN_FOLDER = "thrones-titles"
FORMAT = "table-companion/thrones-titles/1"
TITLE_NAMES = {
    "crown-regent": say("Crown Regent"),
    "hand-of-the-king": say("Hand of the King"),
    "master-of-coin": say("Master of Coin"),
    "master-of-laws": say("Master of Laws"),
    "master-of-ships": say("Master of Ships"),
    "master-of-whisperers": say("Master of Whisperers"),
}
STRENGTH_WORDS = {
    "military": say("+{n} in military challenges"),
    "intrigue": say("+{n} in intrigue challenges"),
    "power": say("+{n} in power challenges"),
}
SECOND_WORDS = {
    "military": say("a second military challenge"),
    "intrigue": say("a second intrigue challenge"),
    "power": say("a second power challenge"),
}
RIVAL_WORDS = {
    "military": say("+1 military claim against rivals"),
    "intrigue": say("+1 intrigue claim against rivals"),
    "power": say("+1 power claim against rivals"),
}
WIDE_WORDS = {
    "military": say("military claim on several players"),
    "intrigue": say("intrigue claim on several players"),
    "power": say("power claim on several players"),
}


@dataclass(frozen=True, slots=True)
class MeleeTitle:
    """A title: its relations and what it adds for its holder.

    `strength` counts in challenges of the type `challenge` (AGOT-TTL-13 to -15), `dominance` for
    dominance (AGOT-TTL-12); `gold`, `reserve` and `draw` are added every round. `extra_challenge`
    may be initiated once more against another opponent; `rival_claim` adds 1 claim against a rival;
    `wide_claim` may be applied to several opponents.
    """

    id: str
    name: str
    supports: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    challenge: str = ""
    strength: int = 0
    dominance: int = 0
    gold: int = 0
    reserve: int = 0
    draw: int = 0
    redirect: bool = False
    extra_challenge: str = ""
    rival_claim: str = ""
    wide_claim: str = ""

    @classmethod
    def read(cls, title: str, item: Field) -> MeleeTitle:
        raw = item.keys(KEYS)
        values: dict[str, Any] = {}
        for key in ("strength", "dominance", "gold", "reserve", "draw"):
            if key in raw:
                values[key] = item.member(key).whole(0, 9)
        for key in ("supports", "rivals"):
            if key in raw:
                values[key] = tuple(one.choice(TITLE_NAMES) for one in item.member(key).items(6))
        for key in ("challenge", "extra_challenge", "rival_claim", "wide_claim"):
            if key in raw:
                values[key] = item.member(key).choice(CHALLENGES)
        if "redirect" in raw:
            values["redirect"] = item.member("redirect").flag()
        return cls(title, TITLE_NAMES[title], **values)


KEYS = frozenset(
    ("name", "supports", "rivals", "challenge", "strength", "dominance", "gold", "reserve", "draw",
     "redirect", "extra_challenge", "rival_claim", "wide_claim")
)  # fmt: skip


def read_titles(root: Field) -> dict[str, MeleeTitle]:
    """The titles of a file by id."""
    root.keys({"format", *TITLE_NAMES}, {"format"})
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    return {one: MeleeTitle.read(one, root.member(one)) for one in TITLE_NAMES if one in root.raw}


@lru_cache(maxsize=1)
def shipped_titles() -> Mapping[str, MeleeTitle]:
    """The titles as AGOT-OR-4 reads them."""
    return read_titles(load_toml(DATA))


def every_title() -> dict[str, MeleeTitle]:
    """The shipped titles; those in the players' folder replace them where they can be read."""
    return {**shipped_titles(), **own_by_id(OWN_FOLDER, read_titles)}


def title_words(title: MeleeTitle) -> str:
    """Whom a title supports and rivals, and what it does, in our words (AGOT-OR-4)."""
    return told_title(title, named(title.supports), named(title.rivals))


def told_title(title: MeleeTitle, supported: str, rivals: str) -> str:
    """The same with others in the words of the caller: what counts in every challenge comes first,
    where a line is cut."""
    parts = [
        say("supports {titles}", titles=supported) if supported else "",
        say("rival of {titles}", titles=rivals) if rivals else "",
        say(STRENGTH_WORDS[title.challenge], n=title.strength) if title.strength else "",
        say("+{n} dominance", n=title.dominance) if title.dominance else "",
        say("+{n} gold", n=title.gold) if title.gold else "",
        say("+{n} reserve", n=title.reserve) if title.reserve else "",
        say("draws {n} more", n=title.draw) if title.draw else "",
        say("may redirect a challenge") if title.redirect else "",
        SECOND_WORDS.get(title.extra_challenge, ""),
        RIVAL_WORDS.get(title.rival_claim, ""),
        WIDE_WORDS.get(title.wide_claim, ""),
    ]
    return joined([part for part in parts if part])


def named(titles: Iterable[str]) -> str:
    return joined([TITLE_NAMES[one] for one in titles])


def broken_titles() -> dict[str, CompanionError]:
    """Why files with titles of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_titles)
