"""Cards with clip-on tags as a practice table: where they lie, how they are turned, a camera.

>>> scene = card_scene([CardLying("c1", "blue", Pose(10, 10, 90))])
>>> scene.setup.trays[0].tags[0].size_mm, scene.table.units[0].models
(15.0, 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.camera.lens import Lens
from calibration.printing.clip_sheet import CLIP_MOUNT, CLIP_TAG_MM, card_tray
from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.practice.board_table import (
    LARGE,
    MANY_IDS,
    REFERENCE_INSET_IN,
    SMALL,
    CrowdedBoard,
    board_view,
)
from companion.practice.random_table import TRAY_IDS, PracticeTable, references, standard_lens
from models.catalogue import Catalogue
from models.pose import Pose
from models.table import Table
from models.unit import Unit

TABLE_IN = (36.0, 30.0)


@dataclass(frozen=True, slots=True)
class CardLying:
    """A card on the practice table; later ones lie on earlier ones."""

    id: str
    side: str
    pose: Pose


def card_scene(
    cards: Sequence[CardLying],
    size: tuple[float, float] = TABLE_IN,
    lens: Lens | None = None,
    tag_mm: float = CLIP_TAG_MM,
) -> PracticeTable:
    """The practice table of cards, each with its own tag, under a camera at player 1's edge."""
    lens = lens or standard_lens()
    few = len(cards) <= len(TRAY_IDS)
    ids = TRAY_IDS if few else MANY_IDS
    if len(cards) > len(ids):
        raise CrowdedBoard(f"{len(cards)} cards, but only {len(ids)} tags")
    tray = card_tray()
    trays = tuple(
        TaggedTray(card.id, tray, mount(CLIP_MOUNT, tray, (tag,), tag_mm))
        for card, tag in zip(cards, ids, strict=False)
    )
    width, depth = size
    around = references(width, depth, inset=REFERENCE_INSET_IN)
    setup = Setup(lens, width, depth, SMALL if few else LARGE, around, trays)
    units = tuple(Unit(one.id, one.side, one.id, tray, one.pose, models=0) for one in cards)
    table = Table(Catalogue.games()[-1], width, depth, units)
    return PracticeTable(table, setup, board_view(setup, lens))
