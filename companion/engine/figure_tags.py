"""Which tag stands on which figure of a game on a board.

The tags are those of the printed figure sheet. They are proposed in the order of their numbers; two
figures exchange their tags when the players give one the other's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from calibration.printing.figure_sheet import BASES_MM, FIGURE_MOUNT, FIGURE_TAG_MM
from calibration.printing.sheets import TRAY_IDS
from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.engine.files.draft import Draft, set_up
from companion.engine.files.draft_editor import tray_name
from companion.games.api.piece_view import PieceView
from companion.games.api.play import Refusal
from companion.session.game_lookup import find_play, find_screen
from models import CompanionError
from models.tray import Tray

TAG_NAMES = {tray_name(number): number for number in TRAY_IDS}
"""The numbers of the tags that can be printed, by the names of their stands."""
MM_PER_IN = 25.4


def drafted_pieces(draft: Draft) -> tuple[PieceView, ...]:
    """The figures of the drafted game; none while its lists are not complete."""
    play = find_play(draft.game)
    try:
        setup = play.prepare(draft.game, {**set_up(draft), "seed": 0})
    except CompanionError:
        return ()
    if isinstance(setup, Refusal):
        return ()
    return tuple(find_screen(draft.game).pieces(play.start(draft.game, setup)))


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
