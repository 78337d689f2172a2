"""Announces what just happened: a banner for a round or a great event, and a sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import Color, Line, Quad, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.device.sound import SoundPlayer
from companion.app.render.theme import FONTS, THEME, middle
from companion.app.widgets.controls import Text
from companion.app.widgets.icon import icon_texture
from companion.engine.app_words import _
from companion.engine.snapshot import CameraView, Snapshot
from companion.overlay.icons import MARK_NAMES
from companion.text.translation import capital

STAYS_S, DROPS_S = 1.6, 0.3
HIGH_DP = 150
WHITE = (1.0, 1.0, 1.0, 1.0)


class BigBanner(Widget):
    """A banner across the screen; a tap closes it and still reaches what lies below."""

    def __init__(self, place: int, mark: str, title: str, under: str, close: Any) -> None:
        super().__init__(size_hint=(1, None), height=dp(HIGH_DP))
        self.close = close
        with self.canvas.before:
            Color(*THEME.colour(f"fill-{place}"))
            self._cloth = Rectangle()
            self._tails = (Quad(), Quad())
            Color(1, 1, 1, 0.4)
            self._seams = (Line(width=dp(1)), Line(width=dp(1)))
            Color(1, 1, 1, 1)
            self._mark = Rectangle(texture=icon_texture(mark, round(dp(64))))
        self.title = Text(title, "page", WHITE, bold=True, align="center")
        self.title.font_name = FONTS["title"]
        self.under = Text(under, "large", WHITE, align="center")
        for one in (self.title, self.under):
            self.add_widget(one)
            one.bind(height=self._arrange)
        self.bind(pos=self._arrange, size=self._arrange)

    def _arrange(self, *_: Any) -> None:
        tail, side, inset = dp(26), dp(64), dp(7)
        block = self.title.height + (self.under.height if self.under.text else 0)
        self.height = max(dp(HIGH_DP), block + tail + 4 * inset)
        x, y, right, top = self.x, self.y, self.x + self.width, self.y + self.height
        self._cloth.pos, self._cloth.size = (x, y + tail), (self.width, self.height - tail)
        half = middle(self)[0]
        self._tails[0].points = (x, y + tail, half, y + tail, half, y + tail, x, y)
        self._tails[1].points = (right, y + tail, half, y + tail, half, y + tail, right, y)
        self._seams[0].points = (x, top - inset, right, top - inset)
        self._seams[1].points = (x, y + tail + inset, right, y + tail + inset)
        centre = (y + tail + top) / 2
        for one in (self.title, self.under):
            one.width = max(1.0, self.width - 2 * side - dp(40))
            one.x = half - one.width / 2
        self.title.y = centre + block / 2 - self.title.height
        self.under.y = self.title.y - self.under.height
        wide = min(self.title.texture_size[0], self.title.width)
        self._mark.size = (side, side)
        self._mark.pos = (half - wide / 2 - side - dp(16), centre - side / 2)

    def on_touch_down(self, touch: Any) -> bool:
        """Close the banner; the touch goes on."""
        self.close()
        return False


class Announcer:
    """Compares every snapshot with the one before and announces what changed."""

    def __init__(self, sounds: SoundPlayer, layer: Callable[[], Any]) -> None:
        self.sounds, self._layer = sounds, layer
        self.motion = True
        """Whether banners are shown; without them the result line tells everything."""
        self.banner: BigBanner | None = None
        self._before = Snapshot()
        self._sight = "off"
        self._due: Any = None

    def announce(self, snapshot: Snapshot) -> None:
        """Announce what happened since the snapshot before."""
        before, self._before = self._before, snapshot
        if not snapshot.playing or before.path != snapshot.path:
            return
        now, then = snapshot.view, before.view
        result = now.outcome if now is not None else None
        fresh = result is not None and (then is None or result != then.outcome)
        rounds = (before.state.get("round"), snapshot.state.get("round"))
        if fresh and result is not None and result.big:
            self.sounds.play("round")
            self.show_banner(snapshot, _(result.text), _(result.follows), result.seat)
        elif rounds[0] is not None and rounds[1] is not None and rounds[0] < rounds[1]:
            self.sounds.play("round")
            first = str(snapshot.state.get("first") or "")
            text = _("{side} goes first", side=self.name(snapshot, first)) if first else ""
            self.show_banner(snapshot, _("Round {round}", round=rounds[1]), text, first)
        elif fresh and result is not None:
            if result.tone in ("good", "bad"):
                self.sounds.play("done" if result.tone == "good" else "refused")
            elif result.dice:
                self.sounds.play("dice")
        elif now is not None and then is not None and now.active != then.active:
            self.sounds.play("turn")

    def watch_camera(self, live: CameraView) -> None:
        """Sound an alarm when the camera is lost."""
        if live.sight == "lost" and self._sight not in ("lost", "off", "starting"):
            self.sounds.play("lost")
        self._sight = live.sight

    @staticmethod
    def name(snapshot: Snapshot, seat: str) -> str:
        """The name of a player."""
        view = snapshot.view
        seats = view.seats if view is not None else ()
        return _(next((one.name for one in seats if one.id == seat), seat))

    def show_banner(self, snapshot: Snapshot, title: str, under: str, seat: str) -> None:
        """Show a banner over everything for a moment."""
        self.close()
        layer = self._layer()
        if layer is None or not self.motion:
            return
        view = snapshot.view
        own = next((one for one in view.seats if one.id == seat), None) if view else None
        place = (own.colour - 1) % 6 if own is not None else THEME.place(seat) if seat else 0
        mark = own.mark if own is not None and own.mark in MARK_NAMES else MARK_NAMES[place]
        self.banner = banner = BigBanner(place, mark, capital(title), capital(under), self.close)
        layer.add_widget(banner)
        end = layer.y + layer.height * 0.52
        banner.x, banner.y, banner.width = layer.x, end + dp(60), layer.width
        banner.opacity = 0
        Animation(y=end, opacity=1, d=DROPS_S, t="out_quad").start(banner)
        self._due = Clock.schedule_once(lambda _: self.close(), STAYS_S)

    def close(self) -> None:
        """Take the banner away."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self.banner is not None:
            Animation.cancel_all(self.banner)
            if self.banner.parent is not None:
                self.banner.parent.remove_widget(self.banner)
            self.banner = None
