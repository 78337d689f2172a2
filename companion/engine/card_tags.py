"""The clip-on tags of a card game under a real camera: every printed number may be on a card."""

from __future__ import annotations

from dataclasses import replace

from calibration.printing.clip_sheet import CLIP_MOUNT, CLIP_TAG_MM, card_tray
from calibration.printing.sheets import TRAY_IDS
from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount


def clip_name(tag: int) -> str:
    """The name of a card tag that the game does not know yet."""
    return f"card-{tag}"


def clip_setup(setup: Setup) -> Setup:
    """A camera's set-up that looks for the printed card tags instead of trays.

    Card tags that the set-up has measured itself stay as they are.
    """
    kept = tuple(one for one in setup.trays if one.unit.startswith("card-"))
    known = replace(setup, trays=kept).ids()
    tray = card_tray()
    clips = tuple(
        TaggedTray(clip_name(tag), tray, mount(CLIP_MOUNT, tray, (tag,), CLIP_TAG_MM))
        for tag in TRAY_IDS
        if tag not in known
    )
    return replace(setup, trays=(*kept, *clips))
