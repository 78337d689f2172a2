"""The players' own notes on cards: words, a photo, and the moment at which they are reminded."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.games.shared.own_files import (
    broken_own,
    delete,
    files_of,
    own_folder,
    read_own,
    remove_own,
    save_own,
)
from models import atomic_write
from models.atomic_write import key, toml
from models.field import Field, shown
from models.message import CompanionError, say

FORMAT = "table-companion/thrones-notes/1"
OWN_FOLDER = "thrones-notes"
"""The name of the players' folder, beside their games."""
NOTE = "note"
LONGEST_TEXT = 300
MOST_NOTES = 4000
MOST_PHOTO_BYTES = 400_000
JPEG = b"\xff\xd8\xff"
MOMENTS = {
    "": say("never"),
    "plots": say("plots are revealed"),
    "drawn": say("cards are drawn"),
    "marshals": say("its player marshals"),
    "initiated": say("a challenge is initiated"),
    "fights": say("it takes part in a challenge"),
    "won": say("its player wins a challenge"),
    "won-with": say("its player wins a challenge with it"),
    "lost": say("its player loses a challenge"),
    "dominance": say("dominance is counted"),
    "standing": say("cards stand"),
    "taxation": say("the round ends"),
}
"""The moments of which a note can remind."""


@dataclass(frozen=True, slots=True)
class CardNote:
    """What players wrote about one version of a card.

    `photo` is the text of a JPEG file in base 64 where it is shared, `photo_path` the file where it
    is kept.
    """

    code: str
    name: str
    text: str = ""
    moment: str = ""
    photo: str = ""
    photo_path: Path | None = None


def read_notes(root: Field) -> dict[str, CardNote]:
    """The notes of a file, by the codes of their cards."""
    root.keys({"format", NOTE}, {"format", NOTE})
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    table = root.member(NOTE)
    if len(table.members()) > MOST_NOTES:
        table.fail(f"has more than {MOST_NOTES} notes")
    return {code: read_note(code, table.member(code)) for code in table.members()}


def read_note(code: str, item: Field) -> CardNote:
    """One note; every value is checked and named in an error."""
    raw = item.keys({"name", "text", "moment", "photo"}, {"name"})
    text = item.member("text").text(LONGEST_TEXT) if raw.get("text") else ""
    moment = item.member("moment").choice(MOMENTS) if raw.get("moment") else ""
    photo = item.member("photo").text(MOST_PHOTO_BYTES * 2) if raw.get("photo") else ""
    if photo:
        jpeg_bytes(item.member("photo"))
    return CardNote(code, item.member("name").text(80), text, moment, photo)


def jpeg_bytes(item: Field) -> bytes:
    """The bytes of a photo."""
    try:
        data = base64.b64decode(item.text(MOST_PHOTO_BYTES * 2), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data.startswith(JPEG) or len(data) > MOST_PHOTO_BYTES:
        item.fail(f"is not a JPEG picture of at most {MOST_PHOTO_BYTES // 1000} kB")
    return data


def card_notes() -> dict[str, CardNote]:
    """Every note on this device by code; a file that cannot be read is left out."""
    found: dict[str, CardNote] = {}
    for path, notes, _ in read_own(OWN_FOLDER, read_notes):
        for code, note in (notes or {}).items():
            picture = path.with_suffix(".jpg")
            kept = picture if picture.is_file() else None
            found[code] = CardNote(code, note.name, note.text, note.moment, note.photo, kept)
    return found


def broken_notes() -> dict[str, CompanionError]:
    """Why files with notes cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_notes)


def save_note(note: CardNote) -> None:
    """Write a note into a file of its own, its photo beside it."""
    text = document({note.code: CardNote(note.code, note.name, note.text, note.moment)})
    path = save_own(OWN_FOLDER, NOTE, note.code, text).with_suffix(".jpg")
    if note.photo:
        data = jpeg_bytes(Field(note.photo, note.name, "photo"))
        atomic_write.write_bytes(path, data)
    else:
        delete(path)


def remove_note(code: str) -> bool:
    """Delete a note and its photo; whether there was one."""
    for path in files_of(own_folder(OWN_FOLDER), NOTE, code):
        delete(path.with_suffix(".jpg"))
    return remove_own(OWN_FOLDER, NOTE, code)


def photo_text(note: CardNote) -> str:
    """The photo of a note as text, "" if there is none or it cannot be read."""
    if note.photo or note.photo_path is None:
        return note.photo
    try:
        data = note.photo_path.read_bytes()
    except OSError:
        return ""
    return base64.b64encode(data).decode() if len(data) <= MOST_PHOTO_BYTES else ""


def document(notes: Mapping[str, CardNote]) -> str:
    """Notes as the text of a file, photos included."""
    lines = [f"format = {toml(FORMAT)}"]
    for code, note in notes.items():
        values = {"name": note.name, "text": note.text, "moment": note.moment}
        values["photo"] = photo_text(note)
        lines += ["", f"[{NOTE}.{key(code)}]"]
        lines += [f"{name} = {toml(value)}" for name, value in values.items() if value]
    return "\n".join(lines) + "\n"
