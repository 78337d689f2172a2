"""Opens a written file in another program, or shares it: how depends on the device."""

from __future__ import annotations

import mimetypes
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from typing import Any, Protocol

Run = Callable[[Sequence[str]], Any]


class FileSharing(Protocol):
    """What a device can do with a file; each answers whether it could."""

    shares: bool
    """Whether it can send files to other programs or people."""

    def open(self, path: Path) -> bool:
        """Show the file in the program that belongs to it."""
        ...

    def share(self, path: Path) -> bool:
        """Let the players choose to whom the file goes; on a computer, show it in its folder."""
        ...


def start(command: Sequence[str]) -> None:
    """Start a program and do not wait for it."""
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


class ComputerSharing:
    """The programs of a computer; the file manager stands for sharing."""

    shares = False

    def __init__(self, system: str = sys.platform, run: Run = start, find: Any = which) -> None:
        self.system, self.run, self.find = system, run, find

    def open(self, path: Path) -> bool:
        return self._open(path)

    def share(self, path: Path) -> bool:
        return self._open(path.parent)

    def _open(self, path: Path) -> bool:
        try:
            if self.system == "win32":
                os.startfile(path)  # type: ignore[attr-defined, unused-ignore]
                return True
            program = "open" if self.system == "darwin" else "xdg-open"
            if self.find(program) is None:
                return False
            self.run((program, str(path)))
        except OSError:
            return False
        return True


class AndroidSharing:
    """Android's own dialogs; the file is copied to the tablet's downloads first.

    Other apps cannot read the private folder of this one, but they can read what the media store
    holds and this app lends them.
    """

    shares = True

    def __init__(self, java: Callable[[str], Any]) -> None:
        self.java = java

    def open(self, path: Path) -> bool:
        return self._send(path, "ACTION_VIEW")

    def share(self, path: Path) -> bool:
        return self._send(path, "ACTION_SEND")

    def _send(self, path: Path, action: str) -> bool:
        intents = self.java("android.content.Intent")
        activity = self.java("org.kivy.android.PythonActivity").mActivity
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        uri = self._lent(activity, path, kind)
        if uri is None:
            return False
        intent = intents(getattr(intents, action))
        if action == "ACTION_VIEW":
            intent.setDataAndType(uri, kind)
        else:
            intent.setType(kind)
            intent.putExtra(intents.EXTRA_STREAM, uri)
        intent.addFlags(intents.FLAG_GRANT_READ_URI_PERMISSION)
        title = self.java("java.lang.String")(path.name)
        activity.startActivity(intents.createChooser(intent, title))
        return True

    def _lent(self, activity: Any, path: Path, kind: str) -> Any:
        """The address of a copy in the downloads; None if there is no room or no permission."""
        values = self.java("android.content.ContentValues")()
        values.put("_display_name", path.name)
        values.put("mime_type", kind)
        downloads = self.java("android.provider.MediaStore$Downloads").EXTERNAL_CONTENT_URI
        resolver = activity.getContentResolver()
        uri = resolver.insert(downloads, values)
        stream = resolver.openOutputStream(uri) if uri is not None else None
        if stream is None:
            return None
        try:
            stream.write(path.read_bytes())
        finally:
            stream.close()
        return uri


def file_sharing() -> FileSharing:
    """What this device can do."""
    if "ANDROID_PRIVATE" in os.environ:
        try:
            from jnius import autoclass
        except ImportError:
            pass
        else:
            return AndroidSharing(autoclass)
    return ComputerSharing()
