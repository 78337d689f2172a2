"""What a tap on a cell of the board does: the offers and prompts that are aimed at cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.engine.moves.cell_ways import MOVES
from companion.engine.snapshot import Snapshot
from companion.engine.turn.selection import (
    OfferKey,
    akin,
    first_prompt,
    offer_key,
    own_cells,
    several_astray,
    waits_for_answer,
)
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.geometry.grid.placing import cell_at
from models.board import Board, Cell
from models.unit import Point


@dataclass(frozen=True, slots=True)
class AimedCells:
    """Cells that may be tapped; those of the offer that the players picked are `strong`."""

    board: Board
    cells: tuple[TargetCell, ...]
    strong: bool = True
    sizes: Mapping[str, int] = field(default_factory=dict)
    """How many cells each way the large pieces cover."""

    def size(self, target: TargetCell) -> int:
        """How many cells each way the piece covers that goes to a cell."""
        return target.size or self.sizes.get(target.piece, 1)

    def holds(self, target: TargetCell, point: Point | None, cell: Cell) -> bool:
        """Whether a tap means this cell; for a large piece the tap is near its middle there."""
        size = self.size(target)
        if size > 1 and point is not None:
            return cell_at(self.board, *point, size) == target.cell
        return target.cell == cell

    def covers(self, target: TargetCell, cell: Cell) -> bool:
        """Whether the piece that goes to a cell would cover another one, too."""
        across, up = cell[0] - target.cell[0], cell[1] - target.cell[1]
        return 0 <= across < self.size(target) and 0 <= up < self.size(target)


def aiming(
    snapshot: Snapshot, picked: OfferKey | None
) -> Iterator[tuple[ActionOffer | None, AimedCells]]:
    """The cells that may be tapped now, with their offer; None for those of a prompt.

    Three kinds of cells count only in an offer that the players have picked: those of an offer
    against another piece (a tap beside an enemy is a move, and not an attack that nobody has asked
    for), those on which the selected piece itself stands, and those of an offer that is picked by
    its row.
    """
    table = snapshot.gridded
    if table is None:
        return
    sizes = {one.id: one.size for one in table.pieces if one.size > 1}
    asked = first_prompt(snapshot)
    if snapshot.cell_moves and not waits_for_answer(snapshot, asked):  # the camera asks first
        if several_astray(snapshot):
            return
        yield None, AimedCells(table.board, snapshot.cell_moves[0].cells, sizes=sizes)
        return
    for prompt in (*snapshot.advice, *snapshot.prompts)[:1]:
        if prompt.cells and not prompt.secret:
            yield None, AimedCells(table.board, prompt.cells, sizes=sizes)
    if snapshot.chosen is None:
        return
    offers = [
        offer
        for offer in snapshot.offers
        if offer.possible and offer.cells and offer.piece in ("", snapshot.chosen)
    ]
    meant = next((offer for offer in offers if offer_key(offer) == picked), None)
    mine = [offer for offer in offers if akin(offer, meant)]
    told: set[tuple[str, Cell]] = set()
    for offer in mine:
        if cells := untold(offer, told):
            yield offer, AimedCells(table.board, cells, sizes=sizes)
    if any(offer.kind not in MOVES for offer in mine):
        return  # something was picked that is aimed at a cell: a move is not meant
    own = own_cells(snapshot)
    for offer in offers:
        if offer in mine or offer.target or offer.by_row:
            continue
        cells = tuple(target for target in untold(offer, told) if target.cell not in own)
        if cells:
            yield offer, AimedCells(table.board, cells, strong=not mine, sizes=sizes)


def untold(offer: ActionOffer, told: set[tuple[str, Cell]]) -> tuple[TargetCell, ...]:
    """The cells of an offer that no other one of its family has, which are noted now."""
    if not offer.family:
        return offer.cells
    cells = tuple(one for one in offer.cells if (offer.family, one.cell) not in told)
    told.update((offer.family, one.cell) for one in cells)
    return cells


def target_at(
    snapshot: Snapshot, picked: OfferKey | None, cell: Cell, point: Point | None = None
) -> tuple[ActionOffer | None, TargetCell] | None:
    """What a tap on a cell does, at this point of the table; of several offers the picked one, else
    the first. Where a large piece goes, any cell may be tapped that it would cover."""
    aims = [
        (offer, aimed, target)
        for offer, aimed in aiming(snapshot, picked)
        for target in aimed.cells
        if target.commands or snapshot.cell_moves
    ]
    meant = [one for one in aims if one[1].holds(one[2], point, cell)]
    meant += [one for one in aims if one[1].covers(one[2], cell)]
    return (meant[0][0], meant[0][2]) if meant else None


def offer_against(snapshot: Snapshot, picked: OfferKey | None, piece: str) -> ActionOffer | None:
    """The offer of the selected piece against another one: the picked one, else the best."""
    if snapshot.chosen in (None, piece):
        return None
    against = [offer for offer in snapshot.offers if offer.possible and offer.target == piece]
    mine = [offer for offer in against if offer_key(offer) == picked]
    return next(iter((*mine, *against)), None)
