"""The rows of cards that were begun and lack something: a tap goes on with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import _
from companion.engine.files.card_drafts import draft_line, drafts_of
from companion.session.game_lookup import find_screen
from companion.text.translation import translate
from models import CompanionError


def draft_rows(
    folder: Path, game: str, kind: str, enter: Callable[[str, str], Any]
) -> Iterator[Widget]:
    """A row for each draft of a kind of card; `enter` opens its form."""
    try:
        drafts = drafts_of(folder, game)
    except CompanionError as error:
        yield Text(translate(str(error)), "small", "warn")
        return
    forms = find_screen(game).card_forms(game)
    for one in drafts:
        if one.kind == kind and forms is not None:
            yield TouchButton(
                str(one.values.get("name") or "") or _("without a name"),
                partial(enter, kind, one.id),
                under=draft_line(forms, one, translate),
                name=f"draft:{one.id}",
            )
