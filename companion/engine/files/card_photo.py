"""A photo that players keep with a card: small enough to be shared, as text."""

from __future__ import annotations

import base64

from companion.vision.sources.frame import Picture, encoded

LONGEST_PX = 640
QUALITY = 82


def photo_text(picture: Picture) -> str:
    """The picture, scaled down, as a JPEG file in base 64."""
    return base64.b64encode(encoded(picture, QUALITY, LONGEST_PX)).decode()
