"""One picture of a source with its time, or the reason why there is none; and photos read from
files: upright, eight bits, three colours.
"""

from __future__ import annotations

import importlib
import io
import math
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

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

    def turned_back(self, mirrored: bool = True) -> CameraFrame:
        """The frame as the eye sees the table, where the camera mirrors it."""
        if not mirrored:
            return self
        return replace(self, picture=np.ascontiguousarray(self.picture[:, ::-1]))


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
MAX_SIDE = 16_384
MAX_PIXELS = 50_000_000
"""What a telephone takes at most; a table is measured well with a quarter of it."""
VIDEO_PIXELS = 17_000_000
"""A frame of a video or a stream: 4K and a little more. 8K would take 400 MB to decode."""
FEWER_PIXELS = 25_000_000
COSTLY_FORMATS = frozenset({"WEBP", "AVIF", "HEIF", "GIF", "TIFF"})
"""Formats whose decoders need several times the memory of the picture."""
MAX_COSTLY_BYTES = 96 * 1024 * 1024
"""The largest file of such a format: some are read whole."""
FORMATS = ("JPEG", "PNG", "BMP", "WEBP", "TIFF", "PPM", "GIF", "AVIF")
"""Nothing else is opened but HEIC: Pillow hands some other formats to outside programs."""
STRIP_ROWS = 256
MIN_SIDE_PX = 64
ORIENTATION = 0x0112
"""The EXIF tag that says how the camera was held."""


def load_photo(path: Path | str, least_px: int = MIN_SIDE_PX) -> Picture:
    """The picture of a file, turned upright as its camera says, in blue, green, red; one with a
    side of less than `least_px` is refused."""
    place = str(path)
    check_photo_file(Path(path))
    try:
        with warnings.catch_warnings(), Path(path).open("rb") as file:
            warnings.simplefilter("ignore")
            head = file.read(26)
            heif, deep = is_heif(head), is_deep_png(head)
            if heif and not reads_heif():
                raise BadInput(place, "", NO_HEIF)
            file.seek(0)
            # Only the header is read here: the size is known before any memory is taken for it.
            image = Image.open(file, formats=(*FORMATS, "HEIF") if heif else FORMATS)
            if problem := size_problem(image, Path(path).stat().st_size, deep):
                raise BadInput(place, "", problem)
            with silenced(image.format == "TIFF"):
                image.load()
            turn = image.getexif().get(ORIENTATION, 1)
            picture = bgr(image)
            if deep:
                file.seek(0)
                picture = deep_colours(file.read(), picture)
            image.close()
            del image
            picture = upright(picture, turn)
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
    if min(picture.shape[:2]) < least_px:
        size = f"{picture.shape[1]} x {picture.shape[0]}"
        raise BadInput(place, "", f"is only {size} pixels: too small to see a table")
    return picture


@contextmanager
def silenced(needed: bool) -> Iterator[None]:
    """Keep a library that prints its own warnings from the terminal: the TIFF decoder does."""
    if not needed:
        yield
        return
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def size_problem(image: Image.Image, file_bytes: int, deep: bool = False) -> str:
    """Why a picture would take too much memory; empty if it does not."""
    if problem := side_problem(image.width, image.height):
        return problem
    if image.format not in COSTLY_FORMATS and image.mode != "CMYK" and not deep:
        return ""
    if image.width * image.height > FEWER_PIXELS:
        size = f"{image.width} x {image.height}"
        return f"has {size} pixels, more than {FEWER_PIXELS // 10**6} million of this kind"
    return f"is larger than {MAX_COSTLY_BYTES >> 20} MiB" if file_bytes > MAX_COSTLY_BYTES else ""


def side_problem(width: float, height: float, most: int = MAX_PIXELS) -> str:
    """Why frames of that size cannot be looked at; empty if they can."""
    size = f"{width:.0f} x {height:.0f}"
    if max(width, height) > MAX_SIDE:
        return f"has {size} pixels: a side is longer than {MAX_SIDE}"
    if width * height > most:
        return f"has {size} pixels, more than {most // 10**6} million"
    return ""


def is_heif(data: bytes) -> bool:
    """Whether these are the bytes of an HEIC or HEIF file."""
    return data[4:8] == b"ftyp" and data[8:12] in HEIF_BRANDS


def is_deep_png(head: bytes) -> bool:
    """Whether a file begins like a coloured PNG of more than eight bits a colour."""
    return head[:8] == b"\x89PNG\r\n\x1a\n" and head[24:25] == b"\x10" and head[25:26] in b"\2\6"


def deep_colours(data: bytes, plain: Picture) -> Picture:
    """A picture of more than eight bits a colour; Pillow keeps the highest eight of sixteen, and
    of a camera's ten or twelve bits that is next to nothing."""
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if read is None or read.dtype != np.uint16 or read.ndim != 3 or read.shape[2] != 3:
        return plain
    full = brightest(float(read.max()))
    if full >= 2.0**16 - 1:
        return plain
    for top in range(0, len(read), STRIP_ROWS):
        part = read[top : top + STRIP_ROWS].astype(np.float32) * np.float32(255.0 / full)
        plain[top : top + STRIP_ROWS] = np.clip(part, 0, 255).astype(np.uint8)
    return plain


def reads_heif() -> bool:
    """Whether a library that reads HEIC photos is installed; it is then registered with Pillow."""
    try:
        pillow_heif = importlib.import_module("pillow_heif")
    except ImportError:
        return False
    pillow_heif.register_heif_opener()
    return True


def check_photo_file(path: Path) -> None:
    """Refuse what cannot be the file of a picture."""
    try:
        if path.is_dir():
            raise BadInput(str(path), "", "is a folder, not a picture")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise BadInput(str(path), "", f"is larger than {MAX_FILE_BYTES // 2**20} MiB")
        if size == 0:
            raise BadInput(str(path), "", "is empty")
        path.open("rb").close()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(str(path), "", f"cannot be read: {reason or error}") from None


def bgr(image: Image.Image) -> Picture:
    """Any kind of image as blue, green, red of eight bits, made strip by strip."""
    picture = np.empty((image.height, image.width, 3), np.uint8)
    if image.mode.startswith("I") or image.mode == "F":
        return fill_grey(image, picture)
    for top, part in strips(image):
        picture[top : top + part.height] = np.asarray(rgb(part), dtype=np.uint8)[..., ::-1]
    return picture


def strips(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    """Parts of a loaded image that cover its whole width, with their first rows."""
    for top in range(0, image.height, STRIP_ROWS):
        yield top, image.crop((0, top, image.width, min(top + STRIP_ROWS, image.height)))


def rgb(image: Image.Image) -> Image.Image:
    """The image in three colours; what is transparent is white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        covered = image if image.mode == "RGBA" else image.convert("RGBA")
        white = Image.new("RGB", covered.size, (255, 255, 255))
        white.paste(covered, mask=covered.getchannel("A"))
        return white
    return image if image.mode == "RGB" else image.convert("RGB")


def fill_grey(image: Image.Image, picture: Picture) -> Picture:
    """Brightness of more than eight bits as three equal colours."""

    def values(part: Image.Image) -> NDArray[np.float64]:
        return np.nan_to_num(np.asarray(part, dtype=np.float64))

    full = brightest(max(float(values(part).max(initial=0.0)) for _, part in strips(image)))
    for top, part in strips(image):
        light = np.clip(values(part) * (255.0 / full), 0, 255).astype(np.uint8)
        picture[top : top + part.height] = light[..., None]
    return picture


def upright(picture: Picture, turn: int) -> Picture:
    """A picture turned or mirrored as the EXIF orientation says."""
    if turn in (5, 6, 7, 8):
        picture = picture.swapaxes(0, 1)
    if turn in (3, 4, 7, 8):
        picture = picture[::-1]
    if turn in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    return np.ascontiguousarray(picture)


def brightest(top: float) -> float:
    """The value that means full light: 1, or as many whole bits as the picture uses."""
    return 1.0 if top <= 1.0 else 2.0 ** max(8, math.ceil(math.log2(top + 1))) - 1


def encoded(picture: Picture, quality: int = 92, longest_px: int = 0) -> bytes:
    """A picture as the bytes of a JPEG file, scaled down to this size if there is one."""
    data = io.BytesIO()
    image = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    if longest_px:
        image.thumbnail((longest_px, longest_px))
    image.save(data, "JPEG", quality=quality)
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
