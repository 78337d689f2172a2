"""Who speaks which language at a game: a small file beside the game's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from companion import whole_file

SUFFIX = ".seats.json"


def keep(game: Path, languages: Mapping[str, str]) -> None:
    """Keep each side's language; nothing is written where all speak the device's."""
    if any(languages.values()):
        with whole_file.replacing(game.with_suffix(SUFFIX)) as part:
            part.write_text(json.dumps(dict(languages)), encoding="utf-8")


def languages(game: Path) -> dict[str, str]:
    """Each side's language, as far as it was chosen."""
    try:
        raw = json.loads(game.with_suffix(SUFFIX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(side): str(one) for side, one in raw.items()} if isinstance(raw, dict) else {}
