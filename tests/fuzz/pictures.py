"""Pictures: damaged files of every kind, under their own names or others, loaded and looked at."""

from __future__ import annotations

import contextlib
import io
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from calibration.setup import Setup
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from companion.vision.sources.frame_sources import open_source
from models.message import CompanionError
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import raw

KINDS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *(("PNG", mode, {}) for mode in ("1", "L", "P", "RGB", "RGBA", "LA", "I;16")),
    *(("JPEG", mode, {}) for mode in ("L", "RGB", "CMYK")),
    ("JPEG", "RGB", {"progressive": True}),
    *(("TIFF", mode, {}) for mode in ("L", "RGB", "F", "CMYK", "I;16")),
    ("TIFF", "RGB", {"compression": "tiff_lzw"}),
    *(("GIF", "P", {"save_all": True}), ("WEBP", "RGB", {}), ("BMP", "RGB", {})),
    *(("PPM", "RGB", {}), ("ICO", "RGBA", {}), ("TGA", "RGB", {}), ("PDF", "RGB", {})),
)
NAMES = ("a.png", "a.jpg", "a.tif", "a.webp", "a.gif", "a.heic", "a.avif", "a.mp4", "a.avi", "a")
HEADS = (
    *(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n", b"v/1\x01\x02\0\0\0"),
    *(b"P6\n-5 -5\n255\n", b"P6\n99999999 99999999\n255\n", b"P5\n1e9 1\n255\n", b"P7\nWIDTH -1\n"),
    *(b"#EXTM3U\n#EXTINF:9,\n/etc/passwd\n", b"ffconcat version 1.0\nfile /etc/passwd\n"),
    *(
        b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
        b"\0\0\0\x1cftypavif",
        b"RIFF\xff\xff\xff\xffWEBPVP8L",
    ),
    *(b"GIF89a\xff\xff\xff\xff\xf7\0\0", b"BM" + b"\xff" * 52, b"II*\0\x08\0\0\0\xff\xff", b""),
    *(b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\x03", b"%!PS-Adobe\n/x{x}def x", b"<svg/>"),
)


@cache
def sample(number: int) -> bytes:
    """A small sound picture of one kind."""
    kind, mode, options = KINDS[number]
    pixels = np.random.default_rng(number).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    image = Image.fromarray(np.kron(pixels, np.ones((8, 8, 1), np.uint8)))
    image = image.convert("I").convert("I;16") if mode == "I;16" else image.convert(mode)
    if options.get("save_all"):
        options = {**options, "append_images": [image.rotate(turn) for turn in (90, 180)]}
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def make(dice: random.Random, folder: Path) -> tuple[str, bytes]:
    """A name and what stands in the file."""
    name = dice.choice(NAMES)
    if dice.random() < 0.2:
        return name, dice.choice(HEADS) + dice.randbytes(dice.choice((0, 40, 3000)))
    data = bytearray(sample(dice.randrange(len(KINDS))))
    if dice.random() < 0.5:  # sizes and offsets stand in the head
        for _ in range(dice.choice((1, 2, 6))):
            data[dice.randrange(min(len(data), 64))] = dice.choice((0, 1, 0x7F, 0x80, 0xFF))
        return name, bytes(data)
    return name, raw(dice, bytes(data))


def check(given: tuple[str, bytes], folder: Path) -> str:
    """Open it as `companion look` does; at most three frames."""
    name, data = given
    path = folder / name
    path.write_bytes(data)
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        source = open_source(str(path))
        try:
            frame = source.read()
        finally:
            source.close()
    assert not said.getvalue(), said.getvalue()
    if not isinstance(frame, CameraFrame):
        return "no frame"
    try:
        look(frame, Setup(), thorough=True)
    except CompanionError:
        return "refused"
    return "looked at"


FUZZER = Fuzzer("pictures", make, check)
