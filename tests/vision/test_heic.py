"""Photos of phones that write HEIC: read where a library can, else one line says what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import IO, cast

import numpy as np
import pytest
from PIL import Image, ImageFile, features

from companion.cli.program import main
from companion.vision.sources.frame import load_photo, photos_in
from models.message import BadInput

HEADER = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(64)


def test_without_a_library_the_way_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(HEADER)
    with pytest.raises(BadInput, match=r"HEIC photo, and nothing here .* Most Compatible"):
        load_photo(path)
    assert photos_in(tmp_path) == (path,)
    setup = tmp_path / "a.setup.toml"
    assert main(["practice", "--out", str(tmp_path), "--trays", "1", "--size", "640x360"]) == 0
    capsys.readouterr()
    setup = tmp_path / "practice.setup.toml"
    assert main(["look", str(path), "--setup", str(setup)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "IMG_1.HEIC: is an HEIC photo" in told


def test_a_heic_photo_is_read_where_a_library_can(tmp_path: Path) -> None:
    heif = pytest.importorskip("pillow_heif")
    heif.register_heif_opener()
    ramp = np.tile(np.arange(0, 256, 2, dtype=np.uint8), (96, 1))
    picture = np.dstack([ramp, ramp[:, ::-1], np.full_like(ramp, 90)])
    path = tmp_path / "a.heic"
    Image.fromarray(picture).save(path, quality=95)
    found = load_photo(path)
    assert found.shape == (96, 128, 3)
    assert np.abs(found[..., ::-1].astype(int) - picture).mean() < 4


def test_whatever_the_library_opens_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without the library: what it registers with Pillow is asked for HEIC files only."""

    def register() -> None:
        def opened(fp: IO[bytes], name: str | bytes) -> ImageFile.ImageFile:
            return cast(ImageFile.ImageFile, Image.new("RGB", (128, 96), (10, 20, 30)))

        Image.register_open("HEIF", opened, lambda start: start[4:8] == b"ftyp")

    Image.init()
    monkeypatch.setattr(Image, "OPEN", dict(Image.OPEN))
    monkeypatch.setattr(Image, "ID", list(Image.ID))
    monkeypatch.setitem(sys.modules, "pillow_heif", SimpleNamespace(register_heif_opener=register))
    path = tmp_path / "a.heic"
    path.write_bytes(HEADER)
    found = load_photo(path)
    assert found.shape == (96, 128, 3)
    assert found[0, 0].tolist() == [30, 20, 10]


def test_an_avif_photo_is_read(tmp_path: Path) -> None:
    if not features.check("avif"):
        pytest.skip("this Pillow reads no AVIF")
    path = tmp_path / "a.avif"
    Image.new("RGB", (128, 96), (200, 90, 40)).save(path)
    assert load_photo(path).shape == (96, 128, 3)


def test_a_broken_heic_photo_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("pillow_heif")
    path = tmp_path / "a.heic"
    path.write_bytes(HEADER)
    with pytest.raises(BadInput, match=r"a\.heic"):
        load_photo(path)
