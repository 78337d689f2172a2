"""A commander card: command limit, capture value, unit type and keywords (BOW-CDR-7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.westeros.cards.keywords import plain_keywords, read_keywords
from models.field import Field

UNKNOWN_LIMIT = 2
"""The command limit of a commander whose card nobody has entered; core cards have 1 to 3."""
UNKNOWN_CAPTURE = 2
"""The capture value of a commander whose card nobody has entered."""


@dataclass(frozen=True, slots=True)
class CommanderCard:
    """A commander; `limit` and `capture` are None where no source prints them.

    `ability` says that the card has a special ability that is used once per battle (BOW-CDR-6).
    """

    id: str
    name: str
    title: str = ""
    house: str = ""
    unit: str = ""
    limit: int | None = None
    capture: int | None = None
    keywords: Mapping[str, int] = field(default_factory=dict)
    value: int = 2
    """The value for skirmishes (BOW-SKM-4)."""

    @property
    def most_tokens(self) -> int:
        return UNKNOWN_LIMIT if self.limit is None else self.limit

    @property
    def capture_value(self) -> int:
        return UNKNOWN_CAPTURE if self.capture is None else self.capture

    @classmethod
    def read(cls, item: Field) -> CommanderCard:
        """Read a card; every error names its place."""
        raw = item.keys(
            {"id", "name", "title", "house", "unit", "limit", "capture", "keywords", "value"},
            {"id", "name"},
        )
        texts = {key: item.member(key).text(80) for key in ("title", "house", "unit") if key in raw}
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            limit=item.member("limit").whole(1, 9) if "limit" in raw else None,
            capture=item.member("capture").whole(1, 9) if "capture" in raw else None,
            keywords=read_keywords(item.listed("keywords", 12)),
            value=item.member("value").whole(0, 20) if "value" in raw else 2,
            **texts,
        )

    def plain(self) -> dict[str, Any]:
        """The card as a JSON or TOML object; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name}
        for key in ("title", "house", "unit"):
            if value := getattr(self, key):
                text[key] = value
        for key in ("limit", "capture"):
            if (value := getattr(self, key)) is not None:
                text[key] = value
        return {**text, "keywords": plain_keywords(self.keywords), "value": self.value}
