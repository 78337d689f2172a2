"""What a camera of the tablet adds to the pages: its picture, and the dice that it reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import cv2
import numpy as np
import pytest

from companion.engine.turn.proposed_dice import throw_json
from companion.practice.dice_film import DiceFilm
from companion.vision.dice.dice_reader import Doubt, ReadThrow, SeenDie
from companion.vision.dice.throw_watch import ThrowSight
from companion.vision.sources.frame import encoded
from companion.web.link import MessageRate
from companion.web.server import PhoneServer
from tests.web.served import Screen, open_url, paired, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneServer]:
    with served(tmp_path_factory.mktemp("web") / "practice-1.game", "tmg-2021") as running:
        yield running


def live(server: PhoneServer, cookie: str = "") -> tuple[int, bytes]:
    try:
        with open_url(Request(f"{server.url}live.jpg", headers={"Cookie": cookie})) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, b""


def test_the_picture_is_for_paired_screens_small_and_not_too_often(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = paired(server)
    assert live(server, cookie)[0] == 404  # no camera runs
    picture = np.full((1080, 1920, 3), 90, np.uint8)
    monkeypatch.setattr(server._host, "live_picture", lambda: encoded(picture, 70, 960))
    assert live(server)[0] == 403
    status, body = live(server, cookie)
    assert status == 200
    shown = cv2.imdecode(np.frombuffer(body, np.uint8), 1)
    assert shown is not None
    assert shown.shape[:2] == (540, 960)
    monkeypatch.setattr(server.requests, "frames", MessageRate(lambda: 0.0))  # no time passes
    assert [live(server, cookie)[0] for _ in range(17)] == [200] * 16 + [429]


def die(face: int) -> SeenDie:
    return SeenDie(50, 40, face, 0.9)


def test_a_screen_is_told_what_the_camera_reads(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(server, "blue")
    assert not screen.parts["throw"]
    sight = ThrowSight("read", ReadThrow((die(4), die(5)), (Doubt("unclear", 1),)), 3, 20.0)
    monkeypatch.setattr(server._host, "throw", throw_json(sight, 2, 6))
    server.renew()
    screen.until(lambda: screen.parts["throw"] is not None)
    read: dict[str, Any] = screen.parts["throw"]
    assert (read["faces"], read["doubtful"]) == ([4, 5], [1])


def photo_answer(server: PhoneServer, cookie: str, dice: str, body: bytes) -> tuple[int, Any]:
    headers = {"Cookie": cookie, "Origin": server.url.rstrip("/")}
    try:
        with open_url(Request(f"{server.url}throw/{dice}", body, headers)) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        return error.code, None


def test_a_phone_photographs_the_dice_on_their_mat(server: PhoneServer) -> None:
    film = DiceFilm(np.random.default_rng(2))
    faces = film.throw(3, 0.0)
    body = encoded(film.picture(1e6))
    red = Screen(server, "red")
    status, read = photo_answer(server, red.cookie, "3d6", body)
    assert (status, sorted(read["faces"]), read["doubtful"]) == (200, sorted(faces), [])
    plain = encoded(np.full((480, 640, 3), 90, np.uint8))
    assert photo_answer(server, red.cookie, "3d6", plain)[1]["phase"] == "no mat"
    assert photo_answer(server, red.cookie, "3d6", b"no picture")[0] == 415
    assert photo_answer(server, red.cookie, "3d8", body)[0] == 404
    assert photo_answer(server, red.cookie, "3d6", bytes(2_100_000))[0] == 413
    assert photo_answer(server, paired(server), "3d6", body)[0] == 403  # it has no seat
    assert {photo_answer(server, red.cookie, "3d6", b"")[0] for _ in range(12)} == {415, 429}
