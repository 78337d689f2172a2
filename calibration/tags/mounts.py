"""Ways to fix tags to a tray: presets that players choose by name, all sizes from the tray itself.

>>> from models.unit import Tray
>>> round(mount("rear-tab", Tray("", 5.5, 4.8), (10,), 25.0)[0].forward, 3)
-3.207
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from calibration.setup import MM_PER_IN, TrayTag
from models.message import CompanionError, UnknownName
from models.unit import Tray

TAB_GAP_MM = 8.0
"""From the tray's edge to the black square: the white border and room to glue."""

PAIR_APART_MM = 90.0
"""Two tags this far apart tell the heading four times better than one."""

STANDARD_UP_MM = 45.0
"""Above the heads of most models on foot."""


LEAST_MM, LEAST_DEG = 0.1, 0.1
"""How a tag sits is never known better than this."""

STAND_MODULES = 6
"""Of the usual dictionary: a stand's plate is a tag with a white border of 1.25 modules."""


class BadMount(CompanionError):
    """A mount with the wrong number of tags, or a tray it does not fit."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A preset: how many tags it takes, what it is good for, and where it puts them."""

    name: str
    tags: int
    words: str
    place: Callable[[Tray, tuple[int, ...], float], tuple[TrayTag, ...]]


def surely(tags: Iterable[TrayTag]) -> tuple[TrayTag, ...]:
    """The same tags where nobody glued them: a rendered tray carries them as its set-up says."""
    return tuple(
        replace(tag, up_sigma_mm=LEAST_MM, glue_sigma_mm=LEAST_MM, turn_sigma_deg=LEAST_DEG)
        for tag in tags
    )


def rear_tab(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag flat on the table, on a tab behind the tray."""
    return (TrayTag(ids[0], size_mm, forward=-behind(tray, size_mm)),)


def corner_pair(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """Two tags flat on the table behind the rear corners, 90 mm apart where there is room."""
    side = apart(tray, size_mm) / 2
    back = -behind(tray, size_mm)
    return (
        TrayTag(ids[0], size_mm, forward=back, left=side),
        TrayTag(ids[1], size_mm, forward=back, left=-side),
    )


def side_pair(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag on a tab at each side: never both hidden by the tray's own models."""
    side = tray.width / 2 + (TAB_GAP_MM + size_mm / 2) / MM_PER_IN
    return (
        TrayTag(ids[0], size_mm, left=side),
        TrayTag(ids[1], size_mm, left=-side),
    )


def stand(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag on the folded paper stand of the printed sheets, close behind the tray."""
    back = -tray.depth / 2 - plate_mm(size_mm) / 2 / MM_PER_IN
    return (TrayTag(ids[0], size_mm, forward=back, up=STANDARD_UP_MM / MM_PER_IN),)


def figure_stand(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag on the folded paper stand of a figure: it rises at the rear of the base, over it."""
    back = min(0.0, plate_mm(size_mm) / 2 / MM_PER_IN - tray.depth / 2)
    return (TrayTag(ids[0], size_mm, forward=back, up=STANDARD_UP_MM / MM_PER_IN),)


def card_clip(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag before the top edge of a card: its strip is clipped to the card's front, so that it
    hides no text, and nothing shows on the back."""
    return (TrayTag(ids[0], size_mm, forward=tray.depth / 2 + plate_mm(size_mm) / 2 / MM_PER_IN),)


def stand_pair(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """Two such stands side by side, 90 mm apart where there is room."""
    back = -tray.depth / 2 - plate_mm(size_mm) / 2 / MM_PER_IN
    side = apart(tray, size_mm) / 2
    up = STANDARD_UP_MM / MM_PER_IN
    return (
        TrayTag(ids[0], size_mm, forward=back, left=side, up=up),
        TrayTag(ids[1], size_mm, forward=back, left=-side, up=up),
    )


def plate_mm(size_mm: float) -> float:
    """Edge of a stand's plate, on which the tag lies."""
    return size_mm * (1 + 2.5 / STAND_MODULES)


def standard(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """One tag on a little standard above the models, over the middle of the rear edge."""
    back = -tray.depth / 2 + size_mm / 2 / MM_PER_IN
    return (TrayTag(ids[0], size_mm, forward=back, up=STANDARD_UP_MM / MM_PER_IN),)


def standard_pair(tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """Two tags on one bar above the models, 90 mm apart where the tray is wide enough."""
    back = -tray.depth / 2 + size_mm / 2 / MM_PER_IN
    side = apart(tray, size_mm) / 2
    up = STANDARD_UP_MM / MM_PER_IN
    return (
        TrayTag(ids[0], size_mm, forward=back, left=side, up=up),
        TrayTag(ids[1], size_mm, forward=back, left=-side, up=up),
    )


def behind(tray: Tray, size_mm: float) -> float:
    """From the tray's centre back to the centre of a tag on a rear tab."""
    return tray.depth / 2 + (TAB_GAP_MM + size_mm / 2) / MM_PER_IN


def apart(tray: Tray, size_mm: float) -> float:
    """Between the centres of two tags side by side: 90 mm, or what the tray's width allows."""
    edge = size_mm / MM_PER_IN
    return max(min(PAIR_APART_MM / MM_PER_IN, tray.width - edge), 1.6 * edge)


MOUNTS = {
    one.name: one
    for one in (
        Mount("stand", 1, "folded paper, 45 mm up behind the tray; recommended", stand),
        Mount("stand-pair", 2, "two of them 90 mm apart; the surest of all", stand_pair),
        Mount("figure-stand", 1, "folded paper over the base of one figure", figure_stand),
        Mount("card-clip", 1, "clipped to the top edge of a card, on its front", card_clip),
        Mount("rear-tab", 1, "flat behind the tray; simplest", rear_tab),
        Mount("corner-pair", 2, "two behind the rear corners; best heading", corner_pair),
        Mount("side-pair", 2, "one at each side; seldom both hidden", side_pair),
        Mount("standard", 1, "above the models; measure its height to half a mm", standard),
        Mount("standard-pair", 2, "two above the models; best when seen low", standard_pair),
    )
}
"""The presets by name; any other place is written as a tag's own numbers."""


def mount(name: str, tray: Tray, ids: tuple[int, ...], size_mm: float) -> tuple[TrayTag, ...]:
    """The tags of a preset on that tray."""
    if name not in MOUNTS:
        raise UnknownName(f"no mount {name!r}; there are: {', '.join(MOUNTS)}")
    preset = MOUNTS[name]
    if len(ids) != preset.tags:
        raise BadMount(f"mount {name!r} takes {preset.tags} tags, not {len(ids)}")
    return preset.place(tray, ids, size_mm)
