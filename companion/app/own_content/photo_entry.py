"""A photo in a form: taken by a camera, or from a file."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.camera_setup.camera_choice import CameraChoice, source_of
from companion.app.context import AppContext
from companion.app.render.picture_view import Viewer
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.layouts import grid
from companion.app.widgets.photo import PhotoView
from companion.engine.app_words import _
from companion.engine.camera.camera_worker import CalibrationFrame, CalibrationWorker
from companion.engine.files.card_drafts import photo_text
from companion.vision.sources.frame import SUFFIXES, load_photo
from models import CompanionError

LOOK_S = 0.1
PREVIEW_DP = 300


class PhotoEntry(BoxLayout):
    """Shows the photo; `store` gets another one as text, "" for none."""

    def __init__(self, app: AppContext, photo: str, path: str, store: Callable[[str], Any]) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.app, self.store = app, store
        try:
            data = base64.b64decode(photo, validate=True)
        except (binascii.Error, ValueError):
            data = b""
        if data:
            self.add_widget(PhotoView(data))
        buttons = [
            TouchButton(_("Take a photo"), self.choose_camera, name=f"{path}:camera"),
            TouchButton(_("From a file"), self.choose_file, name=f"{path}:file"),
        ]
        if photo:
            remove = partial(store, "")
            buttons.append(
                TouchButton(_("Without a photo"), remove, "quiet", name=f"{path}:remove")
            )
        self.add_widget(grid(buttons, len(buttons)))

    def choose_file(self) -> None:
        """Pick a picture."""
        endings = sorted(SUFFIXES)
        picker = FilePicker(
            Path.home(), [*endings, *(one.upper() for one in endings)], self.use_file
        )
        self.app.open_sheet(_("From a file"), [picker])

    def use_file(self, path: Path) -> None:
        """Use the picture of a file, or say why it cannot be used."""
        self.app.close_sheet()
        try:
            self.store(photo_text(load_photo(path)))
        except CompanionError as error:
            self.app.toast(_(str(error)))

    def choose_camera(self) -> None:
        """Look through the camera of the running game, else choose one."""
        if self.app.service.camera_worker is None:
            CameraChoice(self.app, "", self.look).open()
        else:
            self.preview(GameCamera(self.app))

    def look(self, source: str) -> None:
        """Look through this camera."""
        self.preview(CalibrationWorker(partial(source_of, source)))

    def preview(self, camera: PhotoSource) -> None:
        """Show what the camera sees until the photo is taken."""
        take = CameraPreview(camera, self.use_picture)
        self.app.open_sheet(_("Hold the card before the camera"), [take])

    def use_picture(self, photo: str) -> None:
        self.app.close_sheet()
        self.store(photo)


class PhotoSource(Protocol):
    """What pictures come from, from `start` to `close`."""

    @property
    def latest(self) -> CalibrationFrame:
        """The newest picture."""
        ...

    def start(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class GameCamera:
    """The camera of the running game, which stays open."""

    app: AppContext

    @property
    def latest(self) -> CalibrationFrame:
        live = self.app.service.live
        return CalibrationFrame(picture=live.picture, trouble=live.why)

    def start(self) -> None:
        """It is open."""

    def close(self) -> None:
        """It stays open for the game."""


class CameraPreview(BoxLayout):
    """What a camera sees now, and the button that takes the photo; closes the camera with it."""

    def __init__(self, camera: PhotoSource, done: Callable[[str], Any]) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), size_hint_y=None)
        self.bind(minimum_height=self.setter("height"))
        self.done = done
        self.camera = camera
        self.viewer = Viewer(size_hint_y=None, height=dp(PREVIEW_DP))
        self.trouble = Text(_("one moment …"), colour="soft")
        self.add_widget(self.viewer)
        self.add_widget(self.trouble)
        self.add_widget(TouchButton(_("Take it"), self.take, "primary", name="take-photo"))
        self._clock: Any = None

    def on_parent(self, _widget: Any, parent: Any) -> None:
        """Look through the camera while it is shown."""
        if parent is not None and self._clock is None:
            self.camera.start()
            self._clock = Clock.schedule_interval(self.show, LOOK_S)
        elif parent is None:
            self.stop()

    def show(self, *_: Any) -> None:
        """Show the newest picture; a sheet that was closed stops the camera."""
        if self.get_root_window() is None:
            self.stop()
            return
        latest = self.camera.latest
        self.viewer.show(latest.picture, (), "")
        self.trouble.set_text(latest.trouble)

    def take(self) -> None:
        """Use the newest picture."""
        picture = self.camera.latest.picture
        if picture is not None:
            self.stop()
            self.done(photo_text(picture))

    def stop(self) -> None:
        """Close the camera."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
            self.camera.close()
