"""The section "About" of the settings: versions, licences, and games that were installed."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kivy.uix.widget import Widget

from companion import games
from companion.app.widgets.controls import CardBox, Text
from companion.engine.app_words import _
from companion.version import VERSION

if TYPE_CHECKING:
    from importlib.metadata import Distribution

OURS = "table-companion"
LONGEST_LICENCE = 40


def about_widgets() -> Sequence[Widget]:
    """The cards with our version, what it is made of, and installed games."""
    own = CardBox()
    own.add_widget(Text(_("Table Companion {version}", version=VERSION), bold=True))
    told = _(
        "Free software under the MIT licence. "
        "The games belong to their publishers, who have no part in it."
    )
    own.add_widget(Text(told, "small", "soft"))
    parts = CardBox()
    parts.add_widget(Text(_("Made with"), bold=True))
    for line in (f"Python {platform.python_version()} · PSF-2.0", *components()):
        parts.add_widget(Text(line, "small", "soft"))
    return [own, *installed_games(), parts]


def installed_games() -> list[Widget]:
    """The games from elsewhere; one that does not work says why."""
    if not games.installed():
        return []
    card = CardBox()
    card.add_widget(Text(_("Installed games"), bold=True))
    for package in games.installed():
        reason = games.BROKEN.get(package)
        card.add_widget(left_out(package, reason) if reason else Text(package, "small", "soft"))
    return [card]


def broken_games() -> list[Widget]:
    """A line about each installed game that does not work."""
    return [left_out(game, reason) for game, reason in games.BROKEN.items()]


def left_out(game: str, reason: str) -> Text:
    """A line about an installed game that does not work."""
    told = _("{game} does not work and is left out: {reason}", game=game, reason=reason)
    return Text(told, "small", "warn")


def components() -> Iterator[str]:
    """Name, version and licence of every package that the companion needs."""
    from importlib.metadata import PackageNotFoundError, distribution, requires

    try:
        needed = requires(OURS) or []
    except PackageNotFoundError:  # a tablet has no such records
        needed = []
    for name in [re.split(r"[<>=!~; \[]", one)[0] for one in needed if "extra ==" not in one]:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue
        yield f"{found.metadata['Name']} {found.version} · {licence(found)}"


def licence(found: Distribution) -> str:
    """The licence of a package in a few words, as its own records give it."""
    told = found.metadata
    known = next((told[key] for key in ("License-Expression", "License") if key in told), "")
    if known and len(known) <= LONGEST_LICENCE:
        return known
    listed = told.get_all("Classifier") or []
    licences = [one.rpartition(" :: ")[2] for one in listed if one.startswith("License")]
    return ", ".join(licences) or known.splitlines()[0][:LONGEST_LICENCE]
