"""Objectives: proposed for the mode, dragged by the players where they may place them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from kivy.uix.widget import Widget

from companion.app.new_game.wizard_step import FieldStep
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.engine.app_words import _, ruler
from companion.overlay.shapes import Point
from models import Objective

NEAR_IN = 1.6
CORNERS = 24


class TokensStep(FieldStep):
    """Every token with the verdict on its place."""

    only = "ground"

    @property
    def free(self) -> bool:
        """Whether the players choose the places."""
        draft = self.draft
        return draft.stage is not None and draft.stage.places_tokens(draft.game, draft.mode)

    def token(self, name: str) -> Objective | None:
        """The token of that name."""
        table = self.draft.table
        found = (one for one in table.objectives if one.id == name) if table is not None else ()
        return next(iter(found), None)

    def build(self) -> None:
        """List the tokens."""
        table = self.draft.table
        tokens = table.objectives if table is not None else ()
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
            sign, words, _colour = self.verdict("objectives", token.id)
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
            self.change_draft(table=replace(draft.table, objectives=fresh.objectives))
            self.app.service.stage(self.only)

    def tapped(self, point: Point) -> None:
        """Select a token."""
        self.choose(self.near(point))

    def near(self, point: Point) -> str:
        """The token at this point."""
        table = self.draft.table
        away = [
            (math.dist(point, (one.x, one.y)), one.id)
            for one in (table.objectives if table is not None else ())
        ]
        found = min(away, default=(math.inf, ""))
        return found[1] if found[0] <= NEAR_IN else ""

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
        tokens = tuple(moved if one.id == name else one for one in table.objectives)
        self.change_draft(table=replace(table, objectives=tokens))
        self.app.service.stage(self.only)
