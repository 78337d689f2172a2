"""One picture of a source with its time, or the reason why there is none; and photos read from
files: upright, eight bits, three colours.
"""

from __future__ import annotations

import importlib
import io
import math
import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from models.message import BadInput

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class CameraFrame:
    """A picture (rows x columns, or rows x columns x blue, green, red) taken at a time.

    `trouble` names what is odd about it: dropped frames before it, a frozen camera, a new size.
    """

    picture: Picture
    time_s: float = 0.0
    number: int = 0
    name: str = ""
    trouble: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.shape[1], self.picture.shape[0]

    def grey(self) -> Picture:
        """The picture without its colours."""
        return grey_of(self.picture)


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing came from the source at that time, and why."""

    time_s: float
    why: str


def grey_of(picture: Picture) -> Picture:
    """Brightness of a picture that may be grey, coloured, or coloured with transparency."""
    if picture.ndim == 2:
        return picture
    if picture.shape[2] == 1:
        return picture[..., 0]
    code = cv2.COLOR_BGRA2GRAY if picture.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(picture, code), dtype=np.uint8)


def rgba_of(picture: Picture) -> Picture:
    """A picture as every graphics card takes it: red, green, blue and full cover."""
    codes = {1: cv2.COLOR_GRAY2RGBA, 3: cv2.COLOR_BGR2RGBA, 4: cv2.COLOR_BGRA2RGBA}
    code = codes[1 if picture.ndim == 2 else picture.shape[2]]
    return np.asarray(cv2.cvtColor(picture, code), dtype=np.uint8)


SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"}
    | {".heic", ".heif", ".avif"}
)
HEIF_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"}
)
NO_HEIF = (
    "is an HEIC photo, and nothing here can read it: install pillow-heif, or save it as JPEG "
    "(iPhone: Settings, Camera, Formats, Most Compatible)"
)
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_PIXELS = 64_000_000
"""More would take over 1 GB to look at; a table is measured well with a quarter of it."""
FORMATS = ("JPEG", "PNG", "BMP", "WEBP", "TIFF", "PPM", "GIF", "AVIF")
"""Nothing else is opened but HEIC: Pillow hands some other formats to outside programs."""
STRIP_ROWS = 256
MIN_SIDE_PX = 64


def load_photo(path: Path | str) -> Picture:
    """The picture of a file, turned upright as its camera says, in blue, green, red."""
    place = str(path)
    data = photo_bytes(Path(path))
    if is_heif(data) and not reads_heif():
        raise BadInput(place, "", NO_HEIF)
    formats = (*FORMATS, "HEIF") if is_heif(data) else FORMATS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Only the header is read here: the size is known before any memory is taken for it.
            image: Image.Image = Image.open(io.BytesIO(data), formats=formats)
            if image.width * image.height > MAX_PIXELS:
                size = f"{image.width} x {image.height}"
                raise BadInput(
                    place, "", f"has {size} pixels, more than {MAX_PIXELS // 10**6} million"
                )
            image.load()
            del data
            ImageOps.exif_transpose(image, in_place=True)
            picture = bgr(image)
    except BadInput:
        raise
    except UnidentifiedImageError:
        raise BadInput(place, "", "is not a picture") from None
    # Decoders of damaged files raise nearly anything.
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        LookupError,
        TypeError,
        MemoryError,
        AttributeError,
        ArithmeticError,
        RuntimeError,
        struct.error,
        zlib.error,
        Image.DecompressionBombError,
    ) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadInput(place, "", f"is a broken picture: {reason[:120]}") from None
    if min(picture.shape[:2]) < MIN_SIDE_PX:
        size = f"{picture.shape[1]} x {picture.shape[0]}"
        raise BadInput(place, "", f"is only {size} pixels: too small to see a table")
    return picture


def is_heif(data: bytes) -> bool:
    """Whether these are the bytes of an HEIC or HEIF file."""
    return data[4:8] == b"ftyp" and data[8:12] in HEIF_BRANDS


def reads_heif() -> bool:
    """Whether a library that reads HEIC photos is installed; it is then registered with Pillow."""
    try:
        pillow_heif = importlib.import_module("pillow_heif")
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def photo_bytes(path: Path) -> bytes:
    """The bytes of a picture file."""
    try:
        if path.is_dir():
            raise BadInput(str(path), "", "is a folder, not a picture")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise BadInput(str(path), "", f"is larger than {MAX_FILE_BYTES // 2**20} MiB")
        if size == 0:
            raise BadInput(str(path), "", "is empty")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(str(path), "", f"cannot be read: {reason or error}") from None


def bgr(image: Image.Image) -> Picture:
    """Any kind of image as blue, green, red of eight bits; of large ones few copies are made."""
    if image.mode.startswith("I") or image.mode == "F":
        return grey(np.asarray(image))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        covered = image if image.mode == "RGBA" else image.convert("RGBA")
        image = Image.new("RGB", covered.size, (255, 255, 255))
        image.paste(covered, mask=covered.getchannel("A"))
        del covered
    elif image.mode != "RGB":
        image = image.convert("RGB")
    return np.ascontiguousarray(np.asarray(image, dtype=np.uint8)[..., ::-1])


def grey(values: NDArray[Any]) -> Picture:
    """Brightness of more than eight bits as three equal colours, worked out strip by strip."""
    high, wide = values.shape
    strips = [slice(row, row + STRIP_ROWS) for row in range(0, high, STRIP_ROWS)]

    def strip(rows: slice) -> NDArray[np.float64]:
        return np.nan_to_num(np.asarray(values[rows], dtype=np.float64))

    full = brightest(max((float(strip(rows).max(initial=0.0)) for rows in strips), default=0.0))
    picture = np.empty((high, wide, 3), np.uint8)
    for rows in strips:
        picture[rows] = np.clip(strip(rows) * (255.0 / full), 0, 255).astype(np.uint8)[..., None]
    return picture


def brightest(top: float) -> float:
    """The value that means full light: 1, or as many whole bits as the picture uses."""
    return 1.0 if top <= 1.0 else 2.0 ** max(8, math.ceil(math.log2(top + 1))) - 1


def encoded(picture: Picture, quality: int = 92) -> bytes:
    """A picture as the bytes of a JPEG file."""
    data = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture[..., ::-1])).save(data, "JPEG", quality=quality)
    return data.getvalue()


def photos_in(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in the order people number them (2 before 10)."""
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
    except OSError as error:
        raise BadInput(str(folder), "", f"cannot be read: {error.strerror or error}") from None
    found = [path for path in found if not path.name.startswith(".")]
    if not found:
        raise BadInput(str(folder), "", "holds no pictures")
    return tuple(sorted(found, key=lambda path: natural(path.name)))


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts the numbers in names by their value."""
    parts: list[tuple[int, int, str]] = []
    run = ""
    for letter in name.casefold() + "\0":
        if run and run[-1].isdecimal() != letter.isdecimal() or letter == "\0":
            if run:
                number = run.isdecimal()
                parts.append((0, int(run), "") if number else (1, 0, run))
            run = ""
        run += letter
    return tuple(parts)
