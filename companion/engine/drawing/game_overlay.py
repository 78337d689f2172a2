"""What is drawn over the table of the open game, and what the selected piece may do.

Everything here runs on the worker thread.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine.camera.camera_session import CameraSession
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize, badged_board_of
from companion.engine.drawing.vertex_batches import Triangulate, VertexBatches
from companion.engine.moves.tray_move import asked_moves
from companion.engine.open_game import OpenGame
from companion.engine.turn.selection import first_prompt
from companion.games.api.prompt import ActionOffer
from companion.overlay.footprints import fitted, table_size
from companion.session.game_view import piece_offers
from companion.session.report.story import build_story
from models.board_table import BoardTable

LITTLE_PX = 317.0
"""The longer side of the small map beside the score."""

PAINT_S = 0.08
"""How long the whole overlay waits at most for the screen to draw the quick version of it."""


WITHIN_REACH = frozenset(("maneuver", "march"))
"""Moves that are due and go as far as those that a piece chooses itself."""


class GameOverlay:
    """Draws the table that the snapshot shows, and publishes the drawing and the offers."""

    def __init__(
        self,
        game: OpenGame,
        cameras: CameraSession,
        triangulate: Triangulate,
    ) -> None:
        self._game, self._cameras = game, cameras
        self.cache = OverlayCache(triangulate)
        self._score_map = OverlayCache(triangulate, badged_board_of)
        self._score_map.resize(ScreenSize(unit_px=0.62))
        self.painted: threading.Event | None = None
        """Set by the screen when it has drawn the newest overlay; None if there is no screen."""
        self._report: object = None
        self._answers: Mapping[str, Any] = {}

    def idle(self) -> None:
        """Draw anew if the camera or a tray stands elsewhere, or if there was no camera."""
        camera, snapshot = self._cameras.live.camera, self._game.snapshot
        shown = "picture" in self.cache.screen.shows and snapshot.table is not None
        undrawn = shown and snapshot.picture is None and camera is not None
        moved = shown and self.displaced() != self.cache.displaced
        if undrawn or moved or self.cache.shifted(camera):
            self.show()

    def displaced(self) -> frozenset[str]:
        """The trays on their way: seen elsewhere, and not yet a move to decide."""
        snapshot = self._game.snapshot
        asked = {one.unit for one in snapshot.notices}
        return self._cameras.displaced(snapshot.trays) - asked

    def clear(self) -> None:
        """Forget the table, after the game was left."""
        self.cache.forget()
        self.cache.set_table(None, None)

    def wear(self, colours: Mapping[str, int]) -> None:
        """Draw the seats in these colours."""
        self.cache.wear(colours)
        self._score_map.wear(colours)

    def resize(self, screen: ScreenSize) -> None:
        """Render for a screen of another size."""
        turned = self.cache.screen.map_px != screen.map_px
        self.cache.resize(screen)
        board = self._game.snapshot.gridded
        blind = self._cameras.camera_worker is None or self._game.snapshot.unplaced
        if turned and board is not None and blind:
            table = fitted(board, screen.map_px)
            self._game.publish(table=table)
        self.show()

    def show(self) -> None:
        """Draw the overlay and compute the offers of the selected unit."""
        game = self._game
        table, chosen = game.snapshot.table, game.snapshot.chosen
        if table is None or game.session is None:
            self.offer(None)
            return
        cache, readings = self.cache, game.readings()
        if isinstance(table, BoardTable):
            self.show_board(table, readings)
            return
        if chosen not in table or not self.may_act(chosen):
            chosen = None  # it may have offers, but there is nothing to draw
        cache.set_table(table, readings)
        cache.displace(self.displaced())
        cache.let(self.decided_moves(chosen))
        # The player waits for the overlay, so it comes first, and before it a quick version of it.
        # The offers' buttons follow.
        if not cache.knows(chosen):
            quick = cache.sketch(chosen, self._cameras.live.camera)
            if self.painted is not None:
                self.painted.clear()
            self.publish(*quick)
            if self.painted is not None:  # the rest would only delay the frame that shows it
                self.painted.wait(PAINT_S)
        self.publish(*cache.drawn(chosen, self._cameras.live.camera))
        report = game.report()
        if self._report is not report:
            self._report, self._answers = report, report.to_json("", whole=False)["units"]
        game.publish(answers=self._answers)
        self.offer(report)

    def may_act(self, piece: str | None) -> bool:
        """Whether a piece may still move or attack: of one that has acted no reach is drawn."""
        snapshot = self._game.snapshot
        view, prompt = snapshot.piece(piece), next(iter(snapshot.prompts), None)
        reaches = bool(self.decided_moves(piece) & WITHIN_REACH)
        if snapshot.due or reaches:
            return reaches
        if view is None or view.state == "ready":
            return True
        choosing = prompt is not None and not prompt.dice and not prompt.rolled
        return view.state == "acting" and choosing

    def decided_moves(self, piece: str | None) -> frozenset[str]:
        """The kinds of moves that are left to a piece, where an effect or its dice name them."""
        snapshot = self._game.snapshot
        if piece is None:
            return frozenset()
        due = snapshot.due_move(piece)
        moves = (due,) if due is not None else asked_moves(snapshot, piece)
        return frozenset(one.kind for one in moves if one.kind)

    def show_board(self, table: BoardTable, readings: Any) -> None:
        """Compute the offers, then draw the board."""
        self.offer(self._game.report())
        asked = first_prompt(self._game.snapshot)
        ranged = asked.ranged if asked is not None and asked.ranged in table else ""
        self.cache.set_table(table, readings)
        camera, shown = self._cameras.live.camera, ranged or self.looked_at(table)
        self.publish(*self.cache.drawn(shown, camera, not ranged), thinking=False)

    def looked_at(self, table: BoardTable) -> str | None:
        """The piece on a board that shows what the report says of it.

        The cells of offers are drawn by the view; a piece that acts has no other moves than those,
        so that what it is asked stands alone.
        """
        snapshot = self._game.snapshot
        chosen, view = snapshot.chosen, snapshot.piece(snapshot.chosen)
        acts = view is not None and view.state == "acting"
        aimed = any(one.cells and not one.by_row for one in snapshot.offers)
        return chosen if chosen in table and not aimed and not acts else None

    def offer(self, report: Any) -> None:
        """Publish what the selected piece may do, or the best offers of all."""
        game = self._game
        here, screen = game.here, game.screen
        found: tuple[ActionOffer, ...] = ()
        view = game.snapshot.view
        if here is not None and screen is not None and view is not None and not view.rival:
            found = piece_offers(screen, here, report, game.snapshot.chosen)
        game.publish(offers=found, thinking=False)

    def publish(
        self, above: VertexBatches | None, seen: VertexBatches | None, thinking: bool = True
    ) -> None:
        """Publish this overlay; the offers follow later, unless they are there already."""
        away = self.cache.displaced
        self._game.publish(thinking=thinking, map=above, picture=seen, displaced=away)

    def recount(self) -> None:
        """Compute the score by round and a small map to go with it."""
        game = self._game
        session, table = game.session, game.snapshot.table
        if session is None:
            return
        scores = tuple(build_story(session.log.steps()).scores())
        board = None
        if table is not None:
            dark, size = game.preferences.colours != "light", max(table_size(table))
            little = self._score_map
            little.resize(replace(little.screen, map_scale=LITTLE_PX / size, dark=dark))
            little.set_table(table, None)
            board = little.map(None)
        game.publish(scores=scores, board=board)
