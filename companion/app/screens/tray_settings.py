"""The players' own sizes of trays, measured with a ruler and saved in their data folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from kivy.uix.widget import Widget

from calibration.setup import known_trays
from companion.app.context import AppContext
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.app.widgets.layouts import grid, stepper
from companion.engine.app_words import _, ruler
from companion.text.lengths import CM_PER_IN
from models import CompanionError
from models.own_trays import own_place, reset_size, set_size, shipped_trays
from models.tray import Tray

STEP_IN = {"in": 0.05, "cm": 0.1 / CM_PER_IN}
LEAST_IN, MOST_IN = 1.0, 12.0

Side = Literal["width", "depth"]


class TraySettings:
    """One kind is open at a time; the others are a row each."""

    def __init__(self, app: AppContext, rebuild: Callable[[], Any]) -> None:
        self.app, self.rebuild = app, rebuild
        self.open = ""

    def widgets(self) -> Sequence[Widget]:
        """Every kind with its size."""
        if own_place() is None:
            return (Text(_("Own sizes are switched off on this device."), colour="soft"),)
        try:
            known, shipped = known_trays(), shipped_trays()
        except CompanionError as error:
            card = CardBox(rim="bad")
            card.add_widget(Text(str(error), colour="bad"))
            return (card,)
        what = _("Measure your own trays and set them here; new games use the new sizes.")
        kinds = [self.kind(tray, shipped.get(name)) for name, tray in known.items()]
        return (Text(what, "small", "soft"), *kinds)

    def kind(self, tray: Tray, shipped: Tray | None) -> Widget:
        """The row of a kind, or its card if it is open."""
        length = ruler().length
        own = shipped is not None and (tray.width, tray.depth) != (shipped.width, shipped.depth)
        size = f"{length(tray.width)} × {length(tray.depth)}"
        if own:
            size += " · " + _("own size")
        if self.open != tray.name:
            return TouchButton(
                _(tray.name), partial(self.unfold, tray.name), "plain", size, align="left",
                name=f"tray-size:{tray.name}",
            )  # fmt: skip
        card = CardBox(rim="accent")
        card.add_widget(Text(_(tray.name), bold=True))
        sides: tuple[tuple[Side, str, float], ...] = (
            ("width", _("across the front"), tray.width),
            ("depth", _("front to back"), tray.depth),
        )
        for side, words, value in sides:
            card.add_widget(Text(words, "small", "soft"))
            card.add_widget(
                stepper(
                    length(value), partial(self.step, tray, side), f"{tray.name}-{side}",
                    value <= LEAST_IN, value >= MOST_IN,
                )
            )  # fmt: skip
        buttons = [
            TouchButton(_("Done"), partial(self.unfold, ""), "primary", name="tray-size-done")
        ]
        if own:
            reset = partial(self.reset, tray.name)
            buttons.append(TouchButton(_("Shipped size"), reset, "quiet", name="tray-size-reset"))
        card.add_widget(grid(buttons, 2))
        return card

    def unfold(self, name: str) -> None:
        """Open a kind, or close all."""
        self.open = name
        self.rebuild()

    def step(self, tray: Tray, side: Side, by: int) -> None:
        """Change a size by a step and save it."""
        sizes = {"width": tray.width, "depth": tray.depth}
        wanted = sizes[side] + by * STEP_IN[self.app.service.preferences.units]
        sizes[side] = round(min(max(wanted, LEAST_IN), MOST_IN), 3)
        try:
            set_size(tray.name, sizes["width"], sizes["depth"])
        except (CompanionError, OSError) as error:
            self.app.toast(str(error))
        self.rebuild()

    def reset(self, name: str) -> None:
        """Reset to the default size."""
        try:
            reset_size(name)
        except (CompanionError, OSError) as error:
            self.app.toast(str(error))
        self.rebuild()
