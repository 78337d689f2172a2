"""A photo of the players' own, shown as large as its place allows."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from kivy.core.image import Image as CoreImage
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

HIGH_DP = 190


class PhotoView(Widget):
    """Shows the bytes of a JPEG file, or a file, as high as told; one that cannot be read takes no
    place.
    """

    def __init__(self, photo: Path | bytes, high_dp: float = HIGH_DP) -> None:
        super().__init__(size_hint=(None, None), size=(0, dp(high_dp)))
        try:
            data = photo if isinstance(photo, bytes) else photo.read_bytes()
            texture = CoreImage(BytesIO(data), ext="jpg").texture
        except Exception:  # each decoder of kivy has its own errors
            self.height = 0
            return
        wide, high = texture.size
        self.width = self.height * wide / high
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle(texture=texture)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._drawn.pos, self._drawn.size = self.pos, self.size
