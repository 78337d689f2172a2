"""Before anything imports kivy: no window on anybody's desk, no reading of pytest's arguments."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

HOME = Path(tempfile.mkdtemp(prefix="companion-kivy-"))
CONFIG = """[graphics]
multisamples = 0
width = 1024
height = 600
[kivy]
exit_on_escape = 0
"""

if "KIVY_HOME" not in os.environ:
    os.environ["KIVY_HOME"] = str(HOME)
    (HOME / "config.ini").write_text(CONFIG)
os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
logging.getLogger("kivy").addHandler(logging.NullHandler())
logging.getLogger("kivy").propagate = False
