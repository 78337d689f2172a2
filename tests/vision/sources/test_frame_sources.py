from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageFile

from companion.vision.sources.frame import (
    CameraFrame,
    Gap,
    Picture,
    grey_of,
    load_photo,
    natural,
    photos_in,
)
from companion.vision.sources.frame_sources import (
    FROZEN_FRAMES,
    Camera,
    Photos,
    Source,
    VideoFile,
    open_source,
    streams,
)
from companion.vision.sources.stream_address import NoCamera
from models.message import BadInput


def picture(seed: int = 0, size: tuple[int, int] = (120, 80)) -> Picture:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)


def frames_of(source: Source) -> Iterator[CameraFrame]:
    """Every frame of a source that ends; gaps are passed over."""
    while (seen := source.read()) is not None:
        if isinstance(seen, CameraFrame):
            yield seen


# -- photos ------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tiff"])
def test_a_photo_is_what_was_saved(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bürste {suffix}{suffix}"
    Image.fromarray(picture()[..., ::-1]).save(path)
    assert np.array_equal(load_photo(path), picture())


@pytest.mark.parametrize(
    ("orientation", "turns"), [(1, 0), (3, 2), (6, 3), (8, 1)], ids=["up", "over", "right", "left"]
)
def test_photos_are_turned_upright(tmp_path: Path, orientation: int, turns: int) -> None:
    image = Image.fromarray(picture()[..., ::-1])
    exif = image.getexif()
    exif[0x0112] = orientation
    image.save(tmp_path / "a.png", exif=exif)
    assert np.array_equal(load_photo(tmp_path / "a.png"), np.rot90(picture(), turns))


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "I;16"])
def test_any_kind_of_picture_becomes_colours(tmp_path: Path, mode: str) -> None:
    grey = Image.fromarray(np.full((80, 100), 128, np.uint8))
    path = tmp_path / ("a.tiff" if mode in ("CMYK", "I;16") else "a.png")
    if mode == "I;16":
        Image.fromarray(np.full((80, 100), 128 * 257, np.uint16)).save(path)
    else:
        grey.convert(mode).save(path)
    found = load_photo(path)
    assert found.shape == (80, 100, 3)
    assert abs(int(np.median(found)) - 128) <= 3


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("no.jpg", None, "cannot be read"),
        ("text.jpg", b"hello", "is not a picture"),
        ("empty.png", b"", "is empty"),
        ("cut.jpg", "jpeg", "broken picture"),
        ("cut.png", "png", "broken picture"),
        ("tiny.png", "tiny", "too small"),
    ],
)
def test_broken_photos_are_refused_by_name(
    tmp_path: Path, name: str, data: bytes | str | None, says: str
) -> None:
    path = tmp_path / name
    if isinstance(data, bytes):
        path.write_bytes(data)
    elif data == "tiny":
        cv2.imwrite(str(path), picture(size=(20, 20)))
    elif data is not None:
        whole = cv2.imencode(path.suffix, picture(size=(300, 200)))[1].tobytes()
        path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match=says) as refusal:
        load_photo(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_folders_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("p10.png", "p9.png", "p1.png", "notes.txt", ".p2.png"):
        cv2.imwrite(str(tmp_path / "x.png"), picture())
        (tmp_path / "x.png").rename(tmp_path / name)
    assert [path.name for path in photos_in(tmp_path)] == ["p1.png", "p9.png", "p10.png"]
    frames = list(frames_of(open_source(str(tmp_path))))
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert [Path(frame.name).name for frame in frames] == ["p1.png", "p9.png", "p10.png"]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no pictures"):
        open_source(str(tmp_path))


def test_names_sort_by_their_numbers() -> None:
    names = ["b2", "a10", "a9", "a", "10", "9"]
    assert sorted(names, key=natural) == ["9", "10", "a", "a9", "a10", "b2"]


# -- videos ------------------------------------------------------------------------------------


def video(path: Path, frames: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    assert writer.isOpened()
    for number in range(frames):
        writer.write(np.full((120, 160, 3), 10 * number % 250, np.uint8))
    writer.release()


def test_a_video_gives_its_frames_with_times(tmp_path: Path) -> None:
    video(tmp_path / "a.avi", 6)
    source = open_source(str(tmp_path / "a.avi"))
    assert isinstance(source, VideoFile)
    frames = list(frames_of(source))
    assert len(frames) == 6
    assert [round(frame.time_s, 3) for frame in frames] == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert [abs(int(frame.grey()[0, 0]) - 10 * n) <= 2 for n, frame in enumerate(frames)]
    assert not source.problem


def test_a_video_that_breaks_off_ends_with_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    video(path, 40)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.6)])
    source = VideoFile(path)
    frames = list(frames_of(source))
    assert 3 < len(frames) < 40


@pytest.mark.parametrize("data", [None, b"no video at all"])
def test_what_is_no_video_is_refused(tmp_path: Path, data: bytes | None) -> None:
    path = tmp_path / "a.mp4"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadInput, match=r"a\.mp4"):
        open_source(str(path))


# -- cameras -----------------------------------------------------------------------------------


class FakeDevice:
    """A capture that gives prepared pictures and then nothing."""

    def __init__(self, pictures: list[Picture]) -> None:
        self.pictures = pictures

    def read(self) -> tuple[bool, Picture | None]:
        return (True, self.pictures.pop(0)) if self.pictures else (False, None)

    def set(self, _name: int, _value: float) -> bool:
        return True

    def release(self) -> None:
        pass


class Clock:
    """A clock that ticks a thirtieth of a second at every look."""

    def __init__(self) -> None:
        self.now, self.step = 0.0, 1 / 30

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def camera(*batches: list[Picture]) -> tuple[Camera, Clock]:
    waiting: list[list[Picture] | None] = [*batches]
    clock = Clock()

    def opening(_device: int | str) -> FakeDevice | None:
        batch = waiting.pop(0) if waiting else None
        return FakeDevice(batch) if batch is not None else None

    return Camera(0, clock=clock, open_device=opening), clock  # type: ignore[arg-type]


def test_a_camera_that_is_not_there() -> None:
    with pytest.raises(NoCamera, match="camera 63"):
        Camera(63, open_device=lambda _device: None)


def test_unplugged_and_back() -> None:
    source, clock = camera([picture(1), picture(2)], [picture(3), picture(4)])
    assert isinstance(source.read(), CameraFrame)
    assert isinstance(source.read(), CameraFrame)
    gap = source.read()
    assert isinstance(gap, Gap)
    assert "no more frames" in gap.why
    waiting = source.read()
    assert isinstance(waiting, Gap)
    assert "unplugged" in waiting.why
    clock.step = 1.2
    back = source.read()
    assert isinstance(back, CameraFrame)
    assert back.trouble.startswith("back after")
    assert np.array_equal(back.picture, picture(3))


def test_a_frozen_camera_is_named() -> None:
    source, _ = camera([picture(1)] * (FROZEN_FRAMES + 2))
    troubles = [
        frame.trouble
        for frame in (source.read() for _ in range(FROZEN_FRAMES + 2))
        if isinstance(frame, CameraFrame)
    ]
    assert not any(troubles[:FROZEN_FRAMES])
    assert "frozen" in troubles[-1]


def test_dropped_frames_and_new_sizes_are_named() -> None:
    source, clock = camera([*(picture(n) for n in range(5)), picture(9), picture(8, (100, 80))])
    for _ in range(5):
        source.read()
    clock.step = 0.5
    late = source.read()
    assert isinstance(late, CameraFrame)
    assert "frames dropped" in late.trouble
    clock.step = 1 / 30
    other = source.read()
    assert isinstance(other, CameraFrame)
    assert "size changed from 120 x 80 to 100 x 80" in other.trouble


def test_which_words_are_streams() -> None:
    assert all(streams(word) for word in ("0", "12", "rtsp://x/y", "http://x/a", "a.mp4", "A.MOV"))
    assert not any(streams(word) for word in ("a.jpg", "folder", "123.png", "1234"))


@pytest.mark.parametrize("kind", ["png", "bmp", "ppm", "gif"])
def test_a_picture_of_144_million_pixels_is_refused_by_its_header(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = io.BytesIO()
    Image.new("L", (64, 64)).save(small, kind)
    data = bytearray(small.getvalue())
    if kind == "png":
        data[16:24] = struct.pack(">II", 12_000, 12_000)
        data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    elif kind == "bmp":
        data[18:26] = struct.pack("<ii", 12_000, 12_000)
    elif kind == "gif":
        data[6:10] = struct.pack("<HH", 12_000, 12_000)
    else:
        data[:12] = b"P5 12000 12000 255\n"
    path = tmp_path / f"large.{kind}"
    path.write_bytes(data)

    def load(self: Image.Image) -> None:
        raise AssertionError("memory was taken")

    monkeypatch.setattr(ImageFile.ImageFile, "load", load)
    with pytest.raises(BadInput, match=r"large.*12000 x 12000 pixels, more than 50 million"):
        load_photo(path)


@pytest.mark.parametrize("head", [b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n", b"8BPS"])
def test_formats_that_need_other_programs_are_no_pictures(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(head + b"x" * 200)
    with pytest.raises(BadInput, match="is not a picture"):
        load_photo(path)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I", "F", "CMYK"])
def test_every_kind_of_picture_has_three_colours(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "a.tif"
    values = np.linspace(0, 255, 300 * 80).reshape(300, 80)
    Image.fromarray(values.astype(np.uint8)).convert(mode).save(path, "TIFF")
    found = load_photo(path)
    assert (found.shape, found.dtype.name) == ((300, 80, 3), "uint8")
    assert found[0].mean() < 40
    assert found[-1].mean() > 200


def test_photos_have_no_stills(tmp_path: Path) -> None:
    source = Photos((tmp_path / "a.png",))
    assert source.still() is None
    source.close()


@pytest.mark.parametrize("shape", [(4, 5), (4, 5, 1), (4, 5, 3), (4, 5, 4)])
def test_grey_of_any_picture(shape: tuple[int, ...]) -> None:
    assert grey_of(np.full(shape, 77, np.uint8)).shape == (4, 5)
    assert int(grey_of(np.full(shape, 77, np.uint8))[0, 0]) == 77
