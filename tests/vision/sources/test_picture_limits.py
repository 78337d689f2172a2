"""Sides and pixels are checked before anything is decoded, and decoders get limited memory."""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
import zlib
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.cli.program import main
from companion.vision.sources.frame import MAX_SIDE, load_photo, size_problem, upright
from companion.vision.sources.frame_sources import VideoFile, open_source
from companion.vision.sources.memory_limit import memory_limit
from models.message import BadInput, CompanionError
from tests.fuzz.setups import SETUP

MOST_MIB = 600
MEASURE = """
import sys
from pathlib import Path
from companion.vision.sources.frame_sources import open_source
from models.message import CompanionError
for path in sys.argv[1:]:
    try:
        source = open_source(path)
        while source.read() is not None:
            pass
    except CompanionError as error:
        print(error)
status = Path("/proc/self/status").read_text(encoding="ascii")
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


def bare_png(path: Path, width: int, height: int) -> Path:
    """A PNG with a header and no picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        head = struct.pack(">I", len(data)) + kind + data
        return head + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    return path


def video(path: Path, width: int, height: int) -> Path:
    code = cv2.VideoWriter.fourcc(*("MJPG" if path.suffix == ".avi" else "mp4v"))
    writer = cv2.VideoWriter(str(path), code, 10, (width, height))
    for light in range(2):
        writer.write(np.full((height, width, 3), 40 * light, np.uint8))
    writer.release()
    return path


def measured(*paths: Path) -> tuple[str, int]:
    """What is said of files, and the memory of the whole process in MiB."""
    words = [sys.executable, "-c", MEASURE, *map(str, paths)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    *message, most = done.stdout.splitlines()
    return "\n".join(message), int(most)


def test_sides_and_pixels_are_refused_before_decoding(tmp_path: Path) -> None:
    names = [f"a.{kind}" for kind in ("png", "jpg", "mp4", "avi", "mkv", "webm")]
    for size in ((1, 64_000_000), (64_000_000, 1), (12_000, 12_000)):
        message, most = measured(*(bare_png(tmp_path / name, *size) for name in names))
        lines = message.splitlines()
        assert len(lines) == len(names)
        for name, line in zip(names, lines, strict=True):
            assert name in line
            assert f"{size[0]} x {size[1]} pixels" in line
        assert most < 120


@pytest.mark.slow
def test_a_video_of_huge_frames_is_refused_by_its_header(tmp_path: Path) -> None:
    message, most = measured(video(tmp_path / "a.avi", 7_680, 4_320))
    assert "7680 x 4320 pixels, more than 17 million: too large for a video" in message
    assert most < MOST_MIB / 2


@pytest.mark.long
def test_a_video_whose_frames_are_larger_than_its_header_takes_little(tmp_path: Path) -> None:
    film = video(tmp_path / "a.avi", 12_000, 12_000)
    message, most = measured(film)
    assert "12000 x 12000 pixels, more than 17 million: too large for a video" in message
    assert most < MOST_MIB / 2
    small = struct.pack("<II", 640, 480)
    film.write_bytes(film.read_bytes().replace(struct.pack("<II", 12_000, 12_000), small))
    message, most = measured(film)
    assert "12000 x 12000 pixels" in message
    assert most < MOST_MIB


def test_other_threads_have_room_while_a_frame_is_read() -> None:
    rows: list[int] = []

    def other() -> None:
        rows.append(len(np.ones(200 << 20, np.uint8)))

    done = threading.Event()
    waiting = threading.Thread(target=done.wait)
    waiting.start()
    with memory_limit(50 << 20):
        working = threading.Thread(target=other)
        working.start()
        working.join()
        with pytest.raises(MemoryError):
            np.ones(500 << 20, np.uint8)
    done.set()
    assert rows == [200 << 20]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["turned.jpg", "clear.png"])
def test_the_largest_pictures_stay_within_the_limit(tmp_path: Path, kind: str) -> None:
    path, size = tmp_path / kind, (8160, 6120)
    if kind == "clear.png":
        Image.new("RGBA", size).save(path, compress_level=1)
    else:
        exif = Image.Exif()
        exif[0x0112] = 6
        Image.new("RGB", size).save(path, progressive=True, subsampling=0, exif=exif)
    message, most = measured(path)
    assert (message, most < MOST_MIB) == ("", True), most


def test_costly_kinds_may_have_fewer_pixels() -> None:
    image = Image.new("CMYK", (6000, 5000))
    assert "25 million" in size_problem(image, 1000)
    assert size_problem(Image.new("RGB", (6000, 5000)), 1000) == ""
    assert "a side is longer" in size_problem(Image.new("1", (MAX_SIDE + 1, 1)), 1000)


def test_a_playlist_is_no_video(tmp_path: Path) -> None:
    film = video(tmp_path / "a.mp4", 320, 240)
    assert VideoFile(film).read() is not None
    for name in ("list.mp4", "list.avi"):
        text = f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://{film}\n#EXT-X-ENDLIST\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match="is not a video"):
            open_source(str(tmp_path / name))
    (tmp_path / "concat.mp4").write_text(f"ffconcat version 1.0\nfile {film}\n", encoding="utf-8")
    with pytest.raises(BadInput, match="is not a video"):
        open_source(str(tmp_path / "concat.mp4"))


def test_memory_beyond_the_limit_is_refused_and_the_limit_lifted() -> None:
    with memory_limit(50 << 20), memory_limit(60 << 20), pytest.raises(MemoryError):
        np.ones(500 << 20, np.uint8)  # more than other threads may take besides
    assert np.ones(200 << 20, np.uint8).size == 200 << 20


@pytest.mark.parametrize("turn", range(10))
def test_pictures_are_turned_as_their_camera_says(tmp_path: Path, turn: int) -> None:
    from PIL import ImageOps

    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    image = Image.fromarray(pixels)
    image.getexif()[0x0112] = turn
    assert np.array_equal(upright(pixels, turn), np.asarray(ImageOps.exif_transpose(image)))


def test_every_mode_is_read_as_three_colours(tmp_path: Path) -> None:
    for mode in ("1", "L", "P", "RGB", "RGBA", "LA", "I;16"):
        Image.new(mode, (64, 600)).save(tmp_path / f"{mode[0]}.png")
        assert load_photo(tmp_path / f"{mode[0]}.png").shape == (600, 64, 3), mode


@pytest.mark.parametrize("side", [16, 20, 48])
def test_a_tiny_video_is_one_line_each(
    tmp_path: Path, side: int, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = tmp_path / "a.setup.toml"
    references = "".join(
        f"[[reference]]\nid = {n}\nx = {4 + 9 * n}\ny = {4 + 30 * (n % 2)}\nheading = 90\n"
        "size_mm = 50\n"
        for n in range(4)
    )
    head = 'format = "table-companion/setup/1"\n[table]\nwidth = 48\ndepth = 48\n'
    setup.write_text(head + references, encoding="utf-8")
    film = video(tmp_path / "a.avi", side, side)
    assert main(["look", str(film), "--setup", str(setup)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("companion: ") for line in lines), lines
    assert "too small to see" in lines[0]


def test_a_password_is_never_in_a_message() -> None:
    address = "rtsp://me:secret@127.0.0.1:1/live?user=me&password=secret"
    with pytest.raises(CompanionError) as error:
        open_source(address)
    assert "secret" not in str(error.value)
    assert "rtsp://***@127.0.0.1:1/live" in str(error.value)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/video.cgi?loginuse=me&loginpas=secret",
        "http://127.0.0.1:1/video?u=me&p=secret",
        "rtsp://me:se\ncret@127.0.0.1:1/live",
        "me:secret@127.0.0.1:1/live",
        "me:secret@camera",
    ],
)
def test_passwords_in_other_places_are_stars_as_well(address: str) -> None:
    with pytest.raises(CompanionError) as error:
        open_source(address)
    assert "cret" not in str(error.value)
    assert "***" in str(error.value)


@pytest.mark.parametrize(
    "words",
    [
        ["dice", "rtsp://me:secret@127.0.0.1:1/x"],
        ["look", "me:secret@127.0.0.1", "--setup", "{setup}"],
        ["calibrate", "table", "rtsp://me:secret@127.0.0.1:1/x", "--setup", "{setup}"],
        ["look", "a.png", "--setup", "{setup}", "--from", "http://127.0.0.1/?user=me&pwd=secret"],
        ["rules", "rtsp://me:secret@127.0.0.1:1/x"],
    ],
)
def test_no_command_repeats_the_password_of_a_mistyped_address(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = tmp_path / "a.setup.toml"
    setup.write_text(SETUP.text(), encoding="utf-8")
    with suppress(SystemExit):
        main([one.replace("{setup}", str(setup)) for one in words])
    told = capsys.readouterr().err
    assert "127.0.0.1" in told
    assert "secret" not in told


def test_an_address_from_a_backup_asks_for_its_password() -> None:
    with pytest.raises(CompanionError) as error:
        open_source("rtsp://***@127.0.0.1:1/live")
    assert "enter the address again with its password" in str(error.value)


def test_a_broken_tiff_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.tif"
    pixels = np.random.default_rng(1).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path, compression="tiff_lzw")
    data = bytearray(path.read_bytes())
    for place in range(400, len(data) - 400, 97):
        data[place] = 0xFF
    path.write_bytes(data)
    with pytest.raises(BadInput, match="is a broken picture"):
        load_photo(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("bits", [10, 12, 16])
def test_colours_of_more_than_eight_bits_keep_their_light(tmp_path: Path, bits: int) -> None:
    """Cameras write ten bits into the sixteen of a PNG."""
    light = np.random.default_rng(1).integers(0, 256, (80, 90, 3))
    light[0, 0] = 255
    deep = (light * (2**bits - 1) / 255).round().astype(np.uint16)
    cv2.imwrite(str(tmp_path / "deep.png"), deep)
    seen = load_photo(tmp_path / "deep.png").astype(int)
    assert np.abs(seen - light).max() <= 1
