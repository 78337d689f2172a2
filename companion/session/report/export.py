"""The whole game as one JSON object: every step of the log, including undone ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from companion.session.fold import fold, steps_played
from companion.session.report.story import Story, build_story
from companion.session.session import view
from companion.session.step import LogStep
from models.field import visible

FORMAT = "table-companion/game/1"


def export(steps: list[LogStep]) -> dict[str, Any]:
    """The exported game; it includes information that was hidden during play."""
    history = fold(steps)
    story = build_story(steps)
    counting = {position.seq for position in steps_played(history)}
    return {
        "format": FORMAT,
        "game": story.game or None,
        "began": when(steps[0].at_ms) if steps else None,
        "ended": when(steps[-1].at_ms) if steps else None,
        "winner": story.end.winner if story.end else None,
        "rounds": [{"round": number, "score": dict(score)} for number, score in story.scores()],
        "dice": counted(story, 6),
        "d3": counted(story, 3),
        "state": view(history, None, history.at_ms).plain(),
        "steps": [{**step.plain(), "counts": step.seq in counting} for step in steps],
    }


def counted(story: Story, die: int) -> dict[str, dict[str, int]]:
    """How often each side rolled each face of dice with that many faces."""
    return {
        side: {str(face): count for face, count in sorted(faces.items())}
        for side, faces in story.faces(die).items()
    }


def text(steps: list[LogStep]) -> str:
    """The export as the content of a file."""
    return json.dumps(export(steps), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def hidden_as_json(told: str) -> str:
    """JSON with control characters, which a terminal would interpret, written as escapes."""
    return "\n".join(
        line
        if line.isprintable()
        else "".join(
            letter if visible(letter) == letter else json.dumps(letter)[1:-1] for letter in line
        )
        for line in told.split("\n")
    )


def when(at_ms: int) -> str:
    """A time in ISO 8601 notation."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")
