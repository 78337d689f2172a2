"""A camera in the network over a laid board, without the network: what it sends is rendered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.app.scripted.driver import Driver
from companion.cli.practice_stream import game_scene, pushed, source_of
from companion.engine.camera.camera_profile import CameraProfile
from companion.engine.camera.practice_source import PracticeSource
from companion.practice.game_table import BoardScene
from companion.practice.laid_table import known_setup
from companion.vision.sources.frame import CameraFrame, Gap

ADDRESS = "http://192.168.0.10:8080/video"
SIZE = (1280, 720)


class NetworkCamera:
    """The pictures of a laid table; not a practice camera, and the app cannot move its pieces."""

    name = "a phone"

    def __init__(self, game: str) -> None:
        self.scene = game_scene(game, SIZE)
        self.source: PracticeSource = source_of(self.scene)
        self.source.fps = 5.0

    def read(self) -> CameraFrame | Gap | None:
        return self.source.read()

    def still(self) -> None:
        return None

    def close(self) -> None: ...

    def push(self, dx: float, dy: float, dz: float) -> None:
        """Push the camera aside."""
        self.source.look_from(pushed(self.scene.view, [dx, dy, dz]))

    @property
    def board_scene(self) -> BoardScene:
        assert isinstance(self.scene, BoardScene)
        return self.scene

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the table is in the picture."""
        lens = self.scene.setup.lens
        assert lens is not None
        px, py = self.scene.view.project(np.array([[x, y, 0.0]]), lens)[0]
        return float(px), float(py)


def set_up(folder: Path, camera: NetworkCamera) -> None:
    """A device whose camera is set up over this table; nobody has shown the board."""
    setup = replace(known_setup(camera.scene), boards=(), trays=())
    path = folder / "setups" / "Kitchen.setup.toml"
    CameraProfile(path).saved(
        setup, source=ADDRESS, printed=("references",), table_px=0.1, lens_views=12
    )


def tap_picture(driver: Driver, camera: NetworkCamera, x: float, y: float) -> None:
    """Tap a point of the table on the picture."""
    viewer = driver.app.screen.viewer
    driver.touch(*viewer.to_window(*viewer.on_screen(camera.pixel(x, y))))
