"""A camera in the network leads nowhere but to its own machine, and only by plain ways."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.sources.frame_sources import Camera, open_source
from companion.vision.sources.stream_address import NoCamera, ffmpeg_options, redirected

ASKED: list[str] = []


class Web(BaseHTTPRequestHandler):
    film = b""
    other = ""

    def do_GET(self) -> None:
        ASKED.append(f"{self.headers['Host']}{self.path}")
        places = {
            "/own": "/film.avi?n=1",
            "/away": f"{self.other}/film.avi",
            "/file": "file:///etc/passwd",
            "/tls": f"{self.other.replace('http', 'https')}/film.avi",
            "/round": "/round",
            "/odd": "http://[::1",
        }
        if self.path in places:
            self.send_response(302)
            self.send_header("Location", places[self.path])
            self.end_headers()
            return
        if not self.path.startswith("/film.avi"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.film)))
        self.end_headers()
        self.wfile.write(self.film)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    writer = cv2.VideoWriter(
        str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240)
    )
    for light in range(3):
        writer.write(np.full((240, 320, 3), 40 * light, np.uint8))
    writer.release()
    Web.film = (tmp_path / "a.avi").read_bytes()
    ASKED.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    Web.other = f"http://localhost:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/film.avi", "/own"])
def test_a_page_of_the_same_machine_is_followed(web: str, path: str) -> None:
    camera = open_source(web + path)
    assert isinstance(camera, Camera)
    assert camera.read() is not None
    camera.close()


@pytest.mark.parametrize("path", ["/away", "/file", "/tls"])
def test_another_machine_is_refused_by_name(web: str, path: str) -> None:
    with pytest.raises(NoCamera, match="another address; enter that one if you trust it"):
        open_source(web.replace("//", "//me:secret@") + path)
    assert not [one for one in ASKED if one.startswith("localhost")]


@pytest.mark.parametrize("path", ["/round", "/odd", "/none"])
def test_a_redirection_without_an_end_is_no_camera(web: str, path: str) -> None:
    with pytest.raises(NoCamera):
        open_source(web + path)


def test_the_login_goes_on_to_the_same_machine_only(web: str) -> None:
    login = web.replace("//", "//me:secret@")
    assert redirected(f"{login}/own") == f"{login}/film.avi?n=1"


@pytest.mark.parametrize("place", ["a.mp4", "http://x/", "rtsp://x/", "rtmp://x/", "udp://x:1"])
def test_openssl_is_reached_by_encrypted_addresses_alone(place: str) -> None:
    ways = ffmpeg_options(place).split("protocol_whitelist;")[1].split(",")
    assert not {"https", "tls", "rtsps", "crypto", "hls", "concat", "data"} & set(ways)
    assert ("file" in ways) == ("://" not in place)
    assert "tls" in ffmpeg_options("https://x/")
