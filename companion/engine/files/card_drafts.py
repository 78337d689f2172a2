"""Cards that players began to enter and that lack something: kept as files until they are whole;
and the photos on them.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> draft = CardDraft("a-game", "unit", {"name": "Riders", "rows": [{"a": None}]})
>>> kept = keep_draft(folder, draft)
>>> [one.values for one in drafts_of(folder, "a-game")]
[{'name': 'Riders', 'rows': [{}]}]
>>> drop_draft(folder, kept.id); drafts_of(folder, "a-game")
()
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.engine.app_words import _
from companion.games.api.card_form import CardForms
from companion.games.shared.own_files import delete
from companion.vision.sources.frame import Picture, encoded
from models import CompanionError, atomic_write
from models.atomic_write import members
from models.field import files_named, load_toml
from models.record_reader import check_format

FOLDER = "card-drafts"
FORMAT = "table-companion/card-draft/1"
MOST_DRAFTS = 200


@dataclass(frozen=True, slots=True)
class CardDraft:
    """The values of a form so far; `id` names its file, "" before it is kept."""

    game: str
    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    id: str = ""

    @property
    def card(self) -> str:
        """The id of the card that it changes; of a new one ""."""
        return str(self.values.get("id") or "")


def draft_line(forms: CardForms, draft: CardDraft, translate: Callable[[str], str]) -> str:
    """That it is a draft, and what keeps it from being a card."""
    problems = forms.form_problems(draft.kind, draft.values)
    why = [translate(one.text) for one in problems if one.stops]
    return " · ".join((_("draft"), *why[:1]))


def drafts_of(folder: Path, game: str) -> tuple[CardDraft, ...]:
    """The drafts of a game's cards, the oldest first; files that cannot be read are left alone."""
    found = []
    for path in files_named(folder / FOLDER, ".toml")[:MOST_DRAFTS]:
        try:
            root = load_toml(path)
            root.keys({"format", "game", "kind", "values"}, {"format", "game", "kind", "values"})
            check_format(root, FORMAT)
            name, kind = root.member("game").text(), root.member("kind").text()
            values = root.member("values").raw
        except (CompanionError, OSError):
            continue
        if name == game and isinstance(values, dict):
            found.append(CardDraft(name, kind, values, path.stem))
    return tuple(found)


def keep_draft(folder: Path, draft: CardDraft) -> CardDraft:
    """Write a draft, under its name or a new one."""
    place = folder / FOLDER
    atomic_write.make_folder(place)
    name, number = draft.id, 1
    while not name or (not draft.id and os.path.lexists(place / f"{name}.toml")):
        name, number = f"{draft.game}-{draft.kind}-{number:03d}", number + 1
    plain = {"format": FORMAT, "game": draft.game, "kind": draft.kind}
    text = "\n".join(members({**plain, "values": without_nothing(draft.values)})) + "\n"
    atomic_write.write_text(place / f"{name}.toml", text)
    return replace(draft, id=name)


def drop_draft(folder: Path, name: str) -> None:
    """Delete a draft: its card is whole, or nobody wants it."""
    if name:
        delete(folder / FOLDER / f"{name}.toml")


def draft_of(folder: Path, game: str, kind: str, card: str) -> CardDraft | None:
    """The draft in which a card that is kept already was changed last."""
    found = drafts_of(folder, game)
    return next((one for one in found if one.kind == kind and one.card == card), None)


def drop_drafts(folder: Path, kept: CardDraft) -> None:
    """Delete the drafts whose card is kept now: the one that it was entered in, `id`, and those of
    the same card of which it holds every value."""
    drop_draft(folder, kept.id)
    for one in drafts_of(folder, kept.game):
        same = one.card in ("", kept.card) and one.values.get("name") == kept.values.get("name")
        held = {**one.values, "id": kept.card}.items() <= without_nothing(kept.values).items()
        if one.kind == kept.kind and same and held:
            drop_draft(folder, one.id)


def without_nothing(value: Any) -> Any:
    """A value without its empty members, which a file cannot hold."""
    if isinstance(value, dict):
        return {key: without_nothing(one) for key, one in value.items() if one is not None}
    return [without_nothing(one) for one in value] if isinstance(value, list) else value


LONGEST_PX = 640
QUALITY = 82


def photo_text(picture: Picture) -> str:
    """The picture, scaled down, as a JPEG file in base 64."""
    return base64.b64encode(encoded(picture, QUALITY, LONGEST_PX)).decode()
