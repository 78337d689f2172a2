"""What lies on the table: terrain, and objectives as proposed for the mode, all dragged by the
players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FieldStep, NewGameWizard
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.layouts import grid
from companion.engine.app_words import _, ruler
from companion.engine.files import terrain_draft
from companion.engine.files.draft_editor import spoken
from companion.engine.files.terrain_draft import (
    exchanged,
    moved_by,
    moved_to,
    piece_named,
    piece_near,
    place_for,
    removed,
    turned,
)
from companion.games.api.rules import TerrainPiece
from companion.overlay.shapes import Point
from models import CompanionError, Table, TableToken
from models.terrain import Terrain


class TerrainStep(FieldStep):
    """Pieces are selected by a tap, moved by a drag, turned by buttons."""

    only = "ground"

    def __init__(self, wizard: NewGameWizard) -> None:
        self.corners: list[Point] = []
        self.drawing = False
        self.agreed: Table | None = None
        """The table of which the players say that its pieces stay where they are not allowed."""
        super().__init__(wizard)

    @property
    def table(self) -> Table | None:
        """The draft's table."""
        return self.draft.table

    def kinds(self) -> tuple[TerrainPiece, ...]:
        """Every kind of terrain."""
        stage = self.draft.stage
        return () if stage is None else tuple(stage.pieces(self.draft.game, self.draft.mode))

    def piece(self, name: str) -> Terrain | None:
        return piece_named(self.table, name)

    # -- panel ------------------------------------------------------------------------------

    def build(self) -> None:
        """Show the outline being tapped, the selected piece, or the list of pieces."""
        found: list[Widget] = list(self.views())
        chosen = self.piece(self.chosen)
        if self.drawing:
            found += self.outline()
        elif chosen is not None:
            found += self.about(chosen)
        else:
            found += self.everything()
        self.rows.fill(found)

    def outline(self) -> list[Widget]:
        """The panel while corners are being tapped."""
        told = Text(_("Tap the corners of the piece, one after the other."), "large", bold=True)
        count = Text(_("{count} corners", count=len(self.corners)), colour="soft")
        back = TouchButton(_("Take a corner back"), self.take_back, "quiet", name="corner-back")
        leave = TouchButton(_("Cancel"), self.stop_drawing, "quiet", name="outline-cancel")
        found: list[Widget] = [told, count, grid([back, leave], 2)]
        if len(self.corners) >= 3:
            found += [heading(_("WHICH PIECE IS IT?")), self.chooser(self.close)]
        return found

    def chooser(self, done: Any, now: str = "") -> Widget:
        """The kinds of terrain as buttons."""
        presses = []
        for kind in self.kinds():
            barred = _("not in this mode") if kind.barred else ""
            words = ", ".join(_(word) for word in kind.keywords)
            presses.append(
                TouchButton(
                    spoken(kind.name),
                    partial(done, kind),
                    "ink" if kind.name == now else "plain",
                    barred or words,
                    name=f"piece:{kind.name}",
                )
            )
        return grid(presses, 2)

    def about(self, chosen: Terrain) -> list[Widget]:
        """The selected piece: its verdict, and buttons to turn, change or remove it."""
        return [
            Text(self.called(chosen.id), "large", bold=True),
            self.verdict_line("terrain", chosen.id),
            Text(_("Drag it to move it."), colour="soft"),
            grid(self.turners(self.turn), 4),
            grid(
                [
                    TouchButton(_("Take it away"), self.remove, "quiet", name="remove-piece"),
                    TouchButton(_("Done"), lambda: self.choose(""), "primary", name="piece-done"),
                ],
                2,
            ),
            heading(_("WHICH PIECE IS IT?")),
            self.chooser(self.change, chosen.piece),
        ]

    def everything(self) -> list[Widget]:
        """The list of pieces, and buttons to add one."""
        table = self.table
        found: list[Widget] = [
            TouchButton(_("Tap an outline"), self.draw, "primary", name="draw-outline"),
            heading(_("PIECES ON THE TABLE · TAP ONE")),
        ]
        for piece in table.terrain if table is not None else ():
            sign, words, _colour = self.verdict("terrain", piece.id)
            found.append(
                TouchButton(
                    f"{sign}  {self.called(piece.id)}",
                    partial(self.choose, piece.id),
                    "plain",
                    "" if sign == "✓" else words,
                    align="left",
                    name=f"terrain:{piece.id}",
                )
            )
        if table is None or not table.terrain:
            found.append(Text(_("no terrain yet"), colour="soft"))
        if self.wizard.record.text:
            found.append(Text(_(self.wizard.record.text), colour="soft"))
        if self.problems_of("terrain") and self.agreed != table:
            text = _("We agree: they stay there")
            found.append(TouchButton(text, self.agree, name="agree-terrain"))
        found += [heading(_("PUT A PIECE DOWN")), self.chooser(self.add)]
        return found

    def missing(self) -> str:
        """A piece that is not allowed is moved, or the players agree to it (TMG-SET-8)."""
        wrong = self.problems_of("terrain")
        if not wrong or self.agreed == self.table:
            return ""
        self.choose("")
        return _("Not allowed there: {units}. Move it, or agree to it.", units=", ".join(wrong))

    def agree(self) -> None:
        """The players leave the pieces where they lie."""
        self.agreed = self.table
        self.build()

    # -- changing ---------------------------------------------------------------------------

    def draw(self) -> None:
        """Start tapping corners."""
        self.drawing, self.corners, self.chosen = True, [], ""
        self.mark()
        self.build()

    def stop_drawing(self) -> None:
        """Cancel the outline."""
        self.drawing, self.corners = False, []
        self.mark()
        self.build()

    def take_back(self) -> None:
        """Remove the last corner."""
        self.corners = self.corners[:-1]
        self.mark()
        self.build()

    def close(self, kind: TerrainPiece) -> None:
        """Make the outline a piece of this kind."""
        corners, self.corners, self.drawing = self.corners, [], False
        self.put_down(kind, corners)

    def add(self, kind: TerrainPiece) -> None:
        """Add a piece of the default size: as near to the middle as it is legal and free."""
        self.put_down(kind, place_for(self.draft, kind))

    def put_down(self, kind: TerrainPiece, corners: Sequence[Point]) -> None:
        """Add a piece; refuses an outline that crosses itself."""
        table = self.table
        if table is None:
            return
        try:
            table = terrain_draft.put_down(table, kind, corners, self.kinds())
        except CompanionError as error:
            self.app.toast(str(error))
            self.stop_drawing()
            return
        self.chosen = table.terrain[-1].id
        self.set_table(table)

    def set_table(self, table: Table) -> None:
        """Save, render and validate another table."""
        self.change_draft(table=table)
        self.app.service.stage(self.only)

    def swap(self, piece: Terrain) -> None:
        """Replace the selected piece."""
        if self.table is not None:
            self.set_table(exchanged(self.table, piece))

    def change(self, kind: TerrainPiece) -> None:
        """Change the kind of the selected piece."""
        piece = self.piece(self.chosen)
        if piece is not None:
            self.swap(replace(piece, piece=kind.name, keywords=frozenset(kind.keywords)))

    def turn(self, degrees: float) -> None:
        """Turn the selected piece around its centre."""
        piece = self.piece(self.chosen)
        if piece is not None:
            self.swap(turned(piece, degrees))

    def remove(self) -> None:
        """Remove the selected piece."""
        table, gone = self.table, self.chosen
        self.chosen = ""
        if table is not None:
            self.set_table(removed(table, gone))

    # -- gestures ---------------------------------------------------------------------------

    def tapped(self, point: Point) -> None:
        """Add a corner, select a piece, or put the selected one on free ground."""
        chosen, grasped = self.piece(self.chosen), self.grasp(point)
        if self.drawing:
            self.corners.append(point)
            self.mark()
            self.build()
        elif chosen is not None and not grasped:
            self.swap(moved_to(chosen, point))
        else:
            self.choose(grasped)

    def grasp(self, point: Point) -> str:
        """The piece at this point; of several that lie there, the selected one."""
        table = self.table
        if table is None or self.drawing:
            return ""
        return piece_near(table, point, self.chosen)

    def ring(self, name: str) -> tuple[Point, ...]:
        """A piece's outline."""
        piece = self.piece(name)
        return piece.outline if piece is not None else ()

    def mark(self, name: str = "", by: Point = (0.0, 0.0)) -> None:
        """Highlight the corners so far, or the selected piece."""
        super().mark(name, by)
        if self.drawing and self.corners:
            self.trace(self.corners)

    def carry(self, name: str, by: Point) -> None:
        """Move a piece."""
        piece = self.piece(name)
        if piece is not None:
            self.swap(moved_by(piece, *by))


TOKEN_NEAR_IN = 1.6
CORNERS = 24


class TokensStep(FieldStep):
    """Every token with the verdict on its place."""

    only = "ground"

    @property
    def free(self) -> bool:
        """Whether the players choose the places."""
        draft = self.draft
        return draft.stage is not None and draft.stage.places_tokens(draft.game, draft.mode)

    def token(self, name: str) -> TableToken | None:
        table = self.draft.table
        found = (one for one in table.tokens if one.id == name) if table is not None else ()
        return next(iter(found), None)

    def build(self) -> None:
        """List the tokens."""
        table = self.draft.table
        tokens = table.tokens if table is not None else ()
        told = (
            _("The players place the tokens of this mode: drag each to its place.")
            if self.free
            else _("The mode fixes their places: put the tokens where they are drawn.")
        )
        if not tokens:
            told = _("This mode has no tokens before the first round.")
        found: list[Widget] = [
            *self.views(),
            Text(told, colour="soft"),
            heading(_("OBJECTIVES")),
        ]
        length = ruler().length
        for token in tokens:
            sign, words, _colour = self.verdict("tokens", token.id)
            place = f"{length(token.x)} · {length(token.y)}"
            found.append(
                TouchButton(
                    f"{sign}  {self.called(token.id)} · {place}",
                    partial(self.choose, token.id),
                    "ink" if token.id == self.chosen else "plain",
                    "" if sign == "✓" else words,
                    align="left",
                    name=f"token:{token.id}",
                )
            )
        if tokens:
            found.append(
                TouchButton(_("Propose the places anew"), self.reset, "quiet", name="reset")
            )
        self.rows.fill(found)

    def reset(self) -> None:
        """Reset the tokens to the mode's places, or to a legal proposal."""
        draft, stage = self.draft, self.draft.stage
        if stage is not None and draft.table is not None:
            fresh = stage.battlefield(draft.game, draft.mode, draft.width, draft.depth)
            self.change_draft(table=replace(draft.table, tokens=fresh.tokens))
            self.app.service.stage(self.only)

    def tapped(self, point: Point) -> None:
        """Select a token."""
        self.choose(self.near(point))

    def near(self, point: Point) -> str:
        table = self.draft.table
        away = [
            (math.dist(point, (one.x, one.y)), one.id)
            for one in (table.tokens if table is not None else ())
        ]
        found = min(away, default=(math.inf, ""))
        return found[1] if found[0] <= TOKEN_NEAR_IN else ""

    def grasp(self, point: Point) -> str:
        """The token to drag: only if the players place them."""
        return self.near(point) if self.free else ""

    def ring(self, name: str) -> tuple[Point, ...]:
        """A circle around the token."""
        token = self.token(name)
        if token is None:
            return ()
        turns = [2 * math.pi * part / CORNERS for part in range(CORNERS)]
        radius = token.radius * 1.25
        return tuple(
            (token.x + radius * math.cos(turn), token.y + radius * math.sin(turn)) for turn in turns
        )

    def carry(self, name: str, by: Point) -> None:
        """Move a token."""
        token, table = self.token(name), self.draft.table
        if token is None or table is None:
            return
        moved = replace(token, x=token.x + by[0], y=token.y + by[1])
        tokens = tuple(moved if one.id == name else one for one in table.tokens)
        self.change_draft(table=replace(table, tokens=tokens))
        self.app.service.stage(self.only)
