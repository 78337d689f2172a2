"""Which tag is on which piece: figures of a game on a board, cards with clip-on tags, and trays,
whose unit is proposed only where its side is known.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration.printing.piece_sheets import (
    BASES_MM,
    CLIP_MOUNT,
    CLIP_TAG_MM,
    FIGURE_MOUNT,
    FIGURE_TAG_MM,
    card_tray,
)
from calibration.printing.sheets import TRAY_IDS
from calibration.references.rim_layout import ARMY_TABLES
from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.engine.files.draft import Draft, fielded, set_up, staged
from companion.engine.files.draft_editor import tray_name
from companion.games.api.play import Refusal
from companion.games.api.screen_views import PieceView
from companion.session.game_lookup import find_play, find_screen
from companion.vision.look import side_of
from models import CompanionError, Pose, Unit
from models.board import Board
from models.board_table import BoardTable
from models.unit import Tray


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


TAG_NAMES = {tray_name(number): number for number in TRAY_IDS}
"""The numbers of the tags that can be printed, by the names of their stands."""
MM_PER_IN = 25.4


def drafted_state(draft: Draft) -> Any:
    """The first state of the drafted game; None while its lists are not complete."""
    play = find_play(draft.game)
    try:
        setup = play.prepare(draft.game, {**set_up(draft), "seed": 0})
    except CompanionError:
        return None
    return None if isinstance(setup, Refusal) else play.start(draft.game, setup)


def drafted_pieces(draft: Draft) -> tuple[PieceView, ...]:
    """The figures of the drafted game."""
    state = drafted_state(draft)
    return () if state is None else tuple(find_screen(draft.game).pieces(state))


def on_board(draft: Draft) -> bool:
    """Whether the drafted game is played on the cells of a board."""
    return find_screen(draft.game).space(draft.game).kind in ("square", "hex")


def for_board(draft: Draft, setup: Setup, begins: bool) -> bool:
    """Whether a set-up without trays is for the board of the drafted game: that game `begins` now,
    or else armies do not play on a table of this size."""
    armies = (setup.table_width, setup.table_depth) in ARMY_TABLES
    return not setup.trays and on_board(draft) and (begins or not armies)


def drafted_board(draft: Draft) -> Board | None:
    """The board of the drafted game, if it is played on one."""
    state = drafted_state(draft)
    table = None if state is None else find_play(draft.game).moment(state).table
    return table.board if isinstance(table, BoardTable) else None


def figure_tags(chosen: Iterable[tuple[str, str]], pieces: Iterable[str]) -> dict[str, str]:
    """The figure of each tag: as chosen, the others in the order of the free numbers.

    >>> figure_tags([("#12", "b1")], ["b1", "b2", "b3"])
    {'#12': 'b1', '#10': 'b2', '#11': 'b3'}
    """
    known = list(pieces)
    kept = {piece: tag for tag, piece in chosen if piece in known and tag in TAG_NAMES}
    taken = set(kept.values())
    free = iter([tag for tag in TAG_NAMES if tag not in taken])
    found = {piece: kept.get(piece) or next(free, "") for piece in known}
    return {tag: piece for piece, tag in found.items() if tag}


def tag_numbers(tags: Mapping[str, str]) -> dict[str, int]:
    """The number of each figure's tag."""
    return {piece: TAG_NAMES[tag] for tag, piece in tags.items() if tag in TAG_NAMES}


def exchanged(tags: Mapping[str, str], piece: str, tag: str) -> tuple[tuple[str, str], ...]:
    """The tags after a figure got another one; whoever had it gets the figure's own.

    >>> exchanged({"#10": "b1", "#11": "b2"}, "b2", "#10")
    (('#11', 'b1'), ('#10', 'b2'))
    """
    now = {one: key for key, one in tags.items()}
    if tag in tags and piece in now:
        now[tags[tag]] = now[piece]
    now[piece] = tag
    return tuple((key, one) for one, key in now.items())


def piece_sizes(game: str, pieces: Iterable[PieceView]) -> dict[str, int]:
    """How many cells each figure covers along a side."""
    kinds = {one.id: one for one in find_screen(game).space(game).pieces}
    return {
        one.id: int(kinds[one.kind].size[0])
        for one in pieces
        if one.kind in kinds and kinds[one.kind].shape == "cells"
    }


def figure_setup(setup: Setup, tags: Mapping[str, str], sizes: Mapping[str, int]) -> Setup:
    """A camera's set-up with a stand for every figure, named as the figure.

    A round base that the set-up knows with that tag stays as it was measured.
    """
    round_ones = [one for one in setup.trays if one.tray.round]
    known = {tray_name(tag.id): one for one in round_ones for tag in one.tags}
    known |= {one.unit: one for one in setup.trays if one.unit in tags}
    trays = []
    for tag, piece in tags.items():
        if tag in known:
            trays.append(replace(known[tag], unit=piece))
        elif tag in TAG_NAMES:
            base = Tray.base(BASES_MM[min(sizes.get(piece, 1), len(BASES_MM)) - 1] / MM_PER_IN)
            stand = mount(FIGURE_MOUNT, base, (TAG_NAMES[tag],), FIGURE_TAG_MM)
            trays.append(TaggedTray(piece, base, stand))
    return replace(setup, trays=tuple(trays))


Trays = Sequence[tuple[str, str]]
"""Name and kind of each tray."""
NEARER_IN = 6.0
"""A tray stands on the side of an army if it is nearer to its zone than to the other by so much."""


def proposed_in_order(draft: Draft, trays: Trays) -> tuple[tuple[str, str], ...]:
    """Assign trays whose tags were given out in the order of the units, as on the practice table.

    Assignments made before stay.
    """
    return proposed(draft, fielded(draft), trays, {})


def proposed_by_side(
    draft: Draft, trays: Trays, poses: Mapping[str, Pose]
) -> tuple[tuple[str, str], ...]:
    """Assign trays that a camera sees at these poses to units of their own side and kind."""
    units = fielded(draft)
    named = {tray: side_of(tray) for tray, _kind in trays}
    stands = sides_deployed(draft, units, trays, poses)
    sides = {}
    for tray, _kind in trays:
        known = {named[tray], stands.get(tray, "")} & {seat.side for seat in draft.seats}
        sides[tray] = known.pop() if len(known) == 1 else ""
    return proposed(draft, units, trays, sides)


def proposed(
    draft: Draft, units: Sequence[Unit], trays: Trays, sides: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Trays with their units: the unit of the same name, else the next of their side and kind."""
    chosen = {tray: unit for tray, unit in draft.tags if unit in {one.id for one in units}}
    for by_name in (True, False):
        for tray, kind in trays:
            if tray in chosen:
                continue
            fits = (
                one.id
                for one in units
                if one.id not in chosen.values()
                and one.tray.name == kind
                and sides.get(tray, one.side) == one.side
                and (not by_name or one.id == tray)
            )
            unit = next(fits, None)
            if unit is not None:
                chosen[tray] = unit
    return tuple(chosen.items())


def sides_deployed(
    draft: Draft, units: Sequence[Unit], trays: Trays, poses: Mapping[str, Pose]
) -> dict[str, str]:
    """The side of each tray by its place; nothing unless both armies stand on their own sides.

    Before that trays lie anywhere: the red ones may be put before the camera in blue's zone.
    """
    kinds = {tray: kind for tray, kind in trays if tray in poses}
    if Counter(kinds.values()) != Counter(unit.tray.name for unit in units):
        return {}
    table = staged(replace(draft, table=None)).table
    if table is None:
        return {}
    zones = {
        side: [unit.pose for unit in table.units if unit.side == side] for side in table.sides()
    }
    found: dict[str, str] = {}
    for tray in kinds:
        nearest = sorted((away(poses[tray], zone), side) for side, zone in zones.items() if zone)
        if len(nearest) == 2 and nearest[1][0] - nearest[0][0] >= NEARER_IN:
            found[tray] = nearest[0][1]
    stand = Counter((side, kinds[tray]) for tray, side in found.items())
    wanted = Counter((unit.side, unit.tray.name) for unit in units)
    return found if stand == wanted else {}


def away(pose: Pose, zone: Sequence[Pose]) -> float:
    """How far a tray stands from the middle of a zone."""
    x = sum(one.x for one in zone) / len(zone)
    y = sum(one.y for one in zone) / len(zone)
    return math.dist((pose.x, pose.y), (x, y))
