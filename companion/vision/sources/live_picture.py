"""The picture of the table's camera as screens beside the tablet get it."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.sources.frame import Picture

WIDTH, QUALITY = 960, 70


def small_jpeg(picture: Picture) -> bytes:
    """A picture no wider than a television's part of the page, as a JPEG."""
    height, width = picture.shape[:2]
    if width > WIDTH:
        size = (WIDTH, max(1, round(height * WIDTH / width)))
        return small_jpeg(
            np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        )
    _done, body = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return body.tobytes()
