"""The choice of camera: one of this device, the practice camera, a video file, an address."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.app.context import AppContext
from companion.app.device.permissions import ask_for_network
from companion.app.widgets.controls import Text, TouchButton, heading
from companion.app.widgets.file_picker import FilePicker
from companion.app.widgets.layouts import TextEntry, row
from companion.engine.app_words import _
from companion.engine.camera.camera_profile import PRACTICE, CameraProfile
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.engine.threads import BackgroundTask, TaskStep
from companion.vision.sources.device_cameras import FoundCamera, TabletCamera, cameras, on_tablet
from companion.vision.sources.frame import SUFFIXES, CameraFrame
from companion.vision.sources.frame_sources import VIDEO_SUFFIXES, Source, open_source
from companion.vision.sources.stream_address import masked
from models.message import CompanionError, say


def source_of(word: str) -> Source:
    """The frame source that a profile's notes name."""
    if word == PRACTICE:
        return PracticeCalibrationSource()
    if word.isdecimal() and on_tablet():
        return TabletCamera(int(word))
    return open_source(word)


def source_title(word: str) -> str:
    """The name of a source for the screen."""
    if word == PRACTICE:
        return _("practice camera")
    if word.isdecimal():
        return _("camera {number}", number=word)
    return masked(word) if "://" in word else Path(word).name


BARE = re.compile(r"[\w-]+(\.[\w-]+)*(:\d+|\.[\w-]+)(/\S*)?")
"""A host, with a port or a path or both, as players copy it from their camera's app."""


def completed(address: str) -> str:
    """An address as a browser completes it.

    >>> completed("192.168.0.10:8080/video"), completed("phone:8080"), completed("rtsp://a/b")
    ('http://192.168.0.10:8080/video', 'http://phone:8080', 'rtsp://a/b')
    """
    return f"http://{address}" if BARE.fullmatch(address) else address


def silence(address: str) -> str:
    """Why no picture comes from an address; "" if one comes."""
    try:
        source = source_of(address)
    except CompanionError as error:
        return str(error)
    try:
        taken = source.read()
    finally:
        source.close()
    return "" if isinstance(taken, CameraFrame) else say("it sends no picture")


def change_camera(app: AppContext, profile: CameraProfile, change: Callable[[str], Any]) -> None:
    """Choose another camera; what has to be measured again for it is said first."""

    def chosen(source: str) -> None:
        if source == profile.notes.source or not profile.measured:
            change(source)
            return

        def sure() -> None:
            app.close_sheet()
            change(source)

        app.open_sheet(
            _("Another camera has another lens and another place"),
            [
                Text(
                    _(
                        "Lens, table and check are then to be done again for {camera}. Tags and "
                        "trays stay as they are.",
                        camera=source_title(source),
                    ),
                    colour="soft",
                ),
                TouchButton(_("Use this camera"), sure, "primary", name="camera-sure"),
                TouchButton(_("Keep the old one"), app.close_sheet, name="camera-keep"),
            ],
        )

    CameraChoice(app, profile.notes.source, chosen).open()


class CameraChoice:
    """A modal that lists the cameras and other sources."""

    def __init__(self, app: AppContext, now: str, chosen: Callable[[str], Any]) -> None:
        self.app, self.now, self.chosen = app, now, chosen
        self.address = now if "://" in now else ""

    def open(self) -> None:
        """Search for cameras in a background task first, since it can take seconds."""

        def work(step: TaskStep) -> tuple[FoundCamera, ...]:
            return cameras(step=lambda share: step(share, _("asking for cameras")))

        self.app.wait_for(BackgroundTask(_("Looking for cameras"), work, self.show))

    def show(self, found: tuple[FoundCamera, ...]) -> None:
        """List everything that can be used as a source."""
        saved, shown = self.address, masked(self.address)
        entry = TextEntry(shown, "http://192.168.0.10:8080/video")
        # What is shown as stars stays what it was until something else is typed.
        entry.bind(text=lambda _, text: setattr(self, "address", saved if text == shown else text))
        widgets: list[Widget] = [heading(_("CAMERAS OF THIS DEVICE"))]
        widgets += [
            self.button(_("camera {number}", number=one.number), str(one.number), one.title)
            for one in found
        ]
        if not found:
            widgets.append(Text(_("none found"), colour="faint"))
        widgets += [
            heading(_("WITHOUT A CAMERA")),
            self.button(
                _("practice camera"), PRACTICE, _("a table that is not there, to try everything")
            ),
            TouchButton(_("A film or photos …"), self.files, align="left", name="source:file"),
            heading(_("A PHONE OR CAMERA IN THE NETWORK")),
            row(entry, TouchButton(_("Use this address"), self.use_address, name="source:address")),
        ]
        self.app.open_sheet(_("Where do the pictures come from?"), widgets)

    def button(self, text: str, word: str, under: str = "") -> TouchButton:
        """The button of one source."""
        look = "ink" if word == self.now else "plain"
        sign = "✓ " if word == self.now else ""
        pick = partial(self.pick, word)
        return TouchButton(sign + text, pick, look, under, align="left", name=f"source:{word}")

    def files(self) -> None:
        """Pick a video file, or one photo of a folder."""
        kinds = sorted((*VIDEO_SUFFIXES, *SUFFIXES))
        files = FilePicker(Path.home(), [*kinds, *(kind.upper() for kind in kinds)], self.pick_file)
        self.app.open_sheet(_("A film or photos …"), [files])

    def pick_file(self, path: Path) -> None:
        """Use a video file; for a photo, its whole folder."""
        film = path.suffix.lower() in VIDEO_SUFFIXES
        self.pick(str(path if film else path.parent))

    def use_address(self) -> None:
        """Use a network stream."""
        self.address = address = completed(self.address.strip())
        if "://" not in address:
            self.app.toast(_("An address begins with http:// or rtsp://"))
            return
        ask_for_network()

        def work(step: TaskStep) -> str:
            step(0.1, _("waiting for a picture"))
            return silence(address)

        def done(why: str) -> None:
            if why:
                self.dead(address, why)
            else:
                self.pick(address)

        self.app.wait_for(BackgroundTask(_("Trying the address"), work, done))

    def dead(self, address: str, why: str) -> None:
        """No picture comes from an address: say so, and let the players decide."""
        advice = _("Is the phone awake, in the same network, and its camera app running?")
        self.app.open_sheet(
            _("No picture comes from {address}", address=masked(address)),
            [
                Text(f"{_(why)}\n{advice}", colour="warn"),
                TouchButton(_("Try again"), self.use_address, "primary", name="address-again"),
                TouchButton(_("Another address or camera"), self.open, name="address-other"),
                TouchButton(
                    _("Use it all the same"),
                    partial(self.pick, address),
                    "quiet",
                    name="address-use",
                ),
            ],
        )

    def pick(self, word: str) -> None:
        """Use this source."""
        if "://" in word:
            ask_for_network()
        self.app.close_sheet()
        self.chosen(word)
