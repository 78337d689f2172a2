"""The practice table of a board as a source of rendered frames; the pieces follow the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.engine.camera.practice_source import SIZE, PracticeSource
from companion.practice.board_table import FIGURE_TAG_MM, BoardScene, board_scene
from companion.practice.camera import PracticeCamera
from companion.practice.picture_style import STANDARD
from companion.practice.random_table import standard_lens
from companion.session.game_lookup import find_screen
from models import Pose
from models.board_table import BoardTable


def board_source(table: BoardTable, tags: Mapping[str, int] | None = None) -> BoardSource:
    """A virtual camera over a board with all its pieces, which carry these tags."""
    tag_mm = find_screen(table.game).space(table.game).smallest_tag_mm
    scene = board_scene(table, standard_lens(SIZE), tag_mm or FIGURE_TAG_MM, tags=tags)
    return BoardSource(scene.table, scene.setup, scene=scene)


@dataclass(eq=False)
class BoardSource(PracticeSource):
    """Renders a board; pieces move when the game moves them, or when a hand does."""

    scene: BoardScene | None = None

    def __post_init__(self) -> None:
        assert self.scene is not None
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, self.scene.view, look, self.scene.board)

    def place_pieces(self, table: BoardTable) -> None:
        """Put every piece where the game has it; pieces that are gone are taken off."""
        assert self.scene is not None
        board = self.scene.board
        wanted = {
            one.id: board.middle(one.cell, one.size) for one in table.pieces if one.cell is not None
        }
        kept = tuple(one for one in self.scene.table.units if one.id in wanted)
        if {one.id for one in kept} != {one.id for one in self.table.units}:
            units = tuple(one.at(Pose(*wanted[one.id], one.pose.heading)) for one in kept)
            self.show(replace(self.scene.table, units=units))
            return
        for unit in self.table.units:
            x, y = wanted[unit.id]
            if abs(unit.pose.x - x) + abs(unit.pose.y - y) > 0.01:
                self.move(unit.id, Pose(x, y, unit.pose.heading))
