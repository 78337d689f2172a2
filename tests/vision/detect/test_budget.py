"""A hostile picture ends within the budget of processor and memory, and says what was left out."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.detect.budget import MOST_ALIKE, MOST_OUTLINES, MOST_QUADS, SearchBudget
from companion.vision.detect.pixels import Grey
from companion.vision.detect.quads import find_quads
from companion.vision.detect.tag_detector import find_tags
from tests.trials import trials

MOST_S, MOST_MIB = 5.0, 600
SETUP = 'format = "table-companion/setup/1"\n[table]\nwidth = 48\ndepth = 48\n' + "".join(
    f"[[reference]]\nid = {n}\nx = {4 + 9 * n}\ny = {4 + 30 * (n % 2)}\n"
    "heading = 90\nsize_mm = 50\n"
    for n in range(4)
)


def noise(width: int, height: int, grain: int) -> Grey:
    small = np.random.default_rng(1).integers(
        0, 256, (height // grain, width // grain), dtype=np.uint8
    )
    whole = cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(whole, dtype=np.uint8)


def squares(width: int, height: int, side: int) -> Grey:
    tile = np.full((side * 3 // 2, side * 3 // 2), 230, np.uint8)
    tile[2 : 2 + side, 2 : 2 + side] = 20
    return tiled(tile, width, height)


def one_tag(width: int, height: int, side: int, tag: int = 3) -> Grey:
    tile = np.full((side * 3 // 2, side * 3 // 2), 230, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    tile[2 : 2 + side, 2 : 2 + side] = cv2.aruco.generateImageMarker(dictionary, tag, side)
    return tiled(tile, width, height)


def tiled(tile: NDArray[np.uint8], width: int, height: int) -> Grey:
    times = (-(-height // len(tile)), -(-width // len(tile)))
    return np.ascontiguousarray(np.tile(tile, times)[:height, :width])


def stripes(width: int, height: int) -> Grey:
    return tiled(np.array([[0, 0, 0, 255, 255, 255]], dtype=np.uint8), width, height)


def test_a_table_is_looked_at_wholly_and_crowds_only_in_part() -> None:
    budget = SearchBudget()
    few = np.zeros((100, 4, 2))
    assert budget.largest(few) is few
    assert budget.problem == ""
    many = np.arange(4 * MOST_QUADS)[:, None, None] * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    kept = budget.largest(many.astype(np.float64))
    assert len(kept) == (MOST_QUADS - 100) // 2
    assert kept.max() == 4 * MOST_QUADS - 1, "the largest are kept"
    while budget.quads > 1:
        budget.largest(many)
    assert "dark outlines in it were not looked at" in budget.problem


def test_the_longest_outlines_are_followed() -> None:
    picture = squares(3000, 2300, 16)
    picture[1000:1200, 1000:1200] = 230
    picture[1050:1150, 1050:1150] = 20
    budget = SearchBudget()
    quads = find_quads(picture, budget=budget)
    assert budget.left_out
    assert len(quads) <= MOST_OUTLINES
    assert np.ptp(quads, axis=1).max() > 90


def test_a_large_tag_is_found_in_a_crowd() -> None:
    picture = squares(2400, 1800, 10)
    picture[600:1000, 600:1000] = one_tag(400, 400, 260, 21)
    found = find_tags(picture, expected={21})
    assert 21 in found.tags
    assert "too busy a picture" in found.problem


def test_an_id_everywhere_is_nobodys() -> None:
    found = find_tags(one_tag(1200, 900, 32), expected={3})
    assert found.twins == {3}
    assert MOST_ALIKE < 900


def kinds() -> list[str]:
    every = ["squares16", "noise4", "tags24", "stripes0", "noise1", "noise8", "squares44", "tags90"]
    return every[: trials(1, len(every))]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(5100, 3900), (8160, 6120)][: trials(1, 2)])
@pytest.mark.parametrize("kind", kinds())
def test_a_hostile_picture_ends_within_its_limits(
    tmp_path: Path, kind: str, size: tuple[int, int]
) -> None:
    name, number = kind.rstrip("0123456789"), int("".join(filter(str.isdigit, kind)))
    if name == "noise":
        picture = noise(*size, number)
    elif name == "squares":
        picture = squares(*size, number)
    elif name == "tags":
        picture = one_tag(*size, number)
    else:
        picture = stripes(*size)
    cv2.imwrite(str(tmp_path / "a.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    (tmp_path / "a.setup.toml").write_text(SETUP, encoding="utf-8")
    words = ["look", str(tmp_path / "a.png"), "--setup", str(tmp_path / "a.setup.toml")]
    code = (
        "import resource, sys\nfrom companion.cli.program import main\n"
        "began = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])\nmain(sys.argv[1:])\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "status = open('/proc/self/status').read()  # ru_maxrss counts the parent's memory, too\n"
        "print(sum(used[:2]) - began, status.split('VmHWM:')[1].split()[0])"
    )
    limit = 4 * int(MOST_S)
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    took_s, most_kib = map(float, done.stdout.splitlines()[-1].split())
    assert took_s < MOST_S * 1.5, "a shared processor counts up to half of it more"
    assert most_kib < MOST_MIB * 1024
