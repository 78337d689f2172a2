"""Who may look: the pairing code that is shown now, and the paired screens with their seats.

They are kept beside the game's file, their secrets only as hashes, so that a screen that was
paired stays so when the game is opened again.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.engine.files.game_library import phones_path
from companion.text.translation import LANGUAGES
from models import CompanionError, atomic_write
from models.field import load_kept_json

MOST_SCREENS = 16
LONGEST_NAME = 24
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look alike."""
CODE_LENGTH = 6
WRONG_CODES, WRONG_CODES_OF_ALL = 10, 60
"""How many wrong codes one address, and all of them together, may try in a minute."""
MINUTE_S = 60.0
KEY = re.compile("[0-9a-f]{64}")


@dataclass(slots=True)
class PairedScreen:
    """A screen that has used a code: its seat, its name, and the hash of its secret."""

    id: str
    key: str
    name: str = ""
    seat: str = ""
    """The seat it plays; none: it watches."""
    language: str = "en"
    joined_s: int = 0


class AttemptLimit:
    """Counts events of the last minute."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._now = most, now
        self._times: deque[float] = deque(maxlen=most)

    def full(self) -> bool:
        """Whether there were as many as there may be."""
        return len(self._times) == self._most and self._now() - self._times[0] < MINUTE_S

    def count(self) -> None:
        self._times.append(self._now())


@dataclass(slots=True)
class Lobby:
    """The paired screens of one game."""

    path: Path | None = None
    """The file beside the game; None: nothing is kept."""
    screens: list[PairedScreen] = field(default_factory=list)
    port: int = 0
    """The port of the last time, so that screens find the game again."""
    code: str = ""
    _wrong: dict[str, AttemptLimit] = field(default_factory=dict)
    _wrong_of_all: AttemptLimit = field(default_factory=lambda: AttemptLimit(WRONG_CODES_OF_ALL))

    @classmethod
    def beside(cls, game: Path) -> Lobby:
        """The screens that were paired with a game before, as far as the file can be read."""
        lobby = cls(phones_path(game))
        assert lobby.path is not None
        lobby.new_code()
        try:
            raw = load_kept_json(lobby.path).raw
        except (OSError, CompanionError):
            return lobby
        if isinstance(raw, dict):
            kept = raw.get("screens")
            found = map(read_screen, kept[:MOST_SCREENS] if isinstance(kept, list) else ())
            lobby.screens = list({one.id: one for one in found if one is not None}.values())
            port = raw.get("port")
            lobby.port = port if type(port) is int and 1024 <= port <= 65535 else 0
        return lobby

    def save(self) -> None:
        """Keep the screens for the next time."""
        if self.path is not None:
            kept = {"port": self.port, "screens": [asdict(screen) for screen in self.screens]}
            atomic_write.write_text(self.path, json.dumps(kept, ensure_ascii=False))

    # -- pairing -------------------------------------------------------------------------------

    def new_code(self) -> None:
        """Show another code; the one before it is worth nothing."""
        self.code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))

    def pair(self, code: object, address: str) -> str | None:
        """The secret of a new screen that gave the code; None for a wrong code or no room."""
        wrong = self._wrong.setdefault(address, AttemptLimit(WRONG_CODES))
        if len(self._wrong) > 4 * MOST_SCREENS:
            self._wrong = {address: wrong}
        if wrong.full() or self._wrong_of_all.full() or len(self.screens) >= MOST_SCREENS:
            return None
        given = code.strip().upper() if isinstance(code, str) and code.isascii() else ""
        if not secrets.compare_digest(given, self.code):
            wrong.count()
            self._wrong_of_all.count()
            return None
        self.new_code()
        secret = secrets.token_urlsafe(32)
        self.screens.append(
            PairedScreen(secrets.token_hex(4), hashed(secret), joined_s=int(time.time()))
        )
        self.save()
        return secret

    def find(self, secret: str | None) -> PairedScreen | None:
        """The screen with a secret."""
        key = hashed(secret) if secret else ""
        return next((s for s in self.screens if secrets.compare_digest(s.key, key)), None)

    def screen(self, number: str) -> PairedScreen | None:
        """A screen by its public id."""
        return next((screen for screen in self.screens if screen.id == number), None)

    def remove(self, number: str) -> None:
        """Throw a screen out; its secret is worth nothing from now on."""
        self.screens = [screen for screen in self.screens if screen.id != number]
        self.save()

    # -- seats ---------------------------------------------------------------------------------

    def holder(self, seat: str) -> PairedScreen | None:
        """The screen that plays a seat."""
        return next((screen for screen in self.screens if seat and screen.seat == seat), None)

    def sit(self, screen: PairedScreen, seat: str) -> bool:
        """Take a seat, or none to watch; False if another screen has it."""
        if self.holder(seat) not in (None, screen):
            return False
        screen.seat = seat
        self.save()
        return True


def hashed(secret: str) -> str:
    """What is kept of a secret; it has 256 random bits, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def read_screen(raw: Any) -> PairedScreen | None:
    """A screen from the file; None for anything else."""
    texts = ("id", "key", "name", "seat", "language")
    if not isinstance(raw, dict) or not all(isinstance(raw.get(name), str) for name in texts):
        return None
    if not KEY.fullmatch(raw["key"]) or any(len(raw[name]) > 60 for name in texts if name != "key"):
        return None
    joined = raw.get("joined_s")
    return PairedScreen(
        raw["id"],
        raw["key"],
        screen_name(raw["name"]),
        raw["seat"],
        raw["language"] if raw["language"] in LANGUAGES else "en",
        joined if type(joined) is int else 0,
    )


def screen_name(name: object) -> str:
    """A name that a player gave a screen, as short as it may be, without odd characters."""
    if not isinstance(name, str):
        return ""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:LONGEST_NAME]
