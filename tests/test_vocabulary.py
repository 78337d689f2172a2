"""No file outside a game speaks its language: the words of the miniatures game, counted.

What still does is listed with its count, which may only go down: a word in another file, or one
more in a listed file, fails. `python -m tests.test_vocabulary` prints the list as it is now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.arguments import arguments

ROOT = Path(__file__).parents[1]
WORDS = re.compile(
    r"\b(panic\w*|ncus?|tactics_board|charges?|charging|commander\w*|objectives?)\b", re.IGNORECASE
)
SILENT = re.compile(r'"""[\s\S]*?"""|#.*')
"""Documentation and comments may give an example."""
LEFT = {
    "models/__init__.py": 3,
    "models/army_card.py": 7,
    "models/catalogue.py": 1,
    "models/table.py": 16,
    "companion/engine/camera/practice_source.py": 2,
    "companion/engine/files/draft.py": 2,
    "companion/engine/files/draft_editor.py": 2,
    "companion/app/new_game/terrain_step.py": 11,
    "companion/app/render/chip_layer.py": 3,
    "companion/app/widgets/score_chart.py": 1,
    "companion/overlay/table_shapes.py": 2,
    "companion/overlay/icons.py": 1,
    "companion/overlay/map_theme.py": 1,
    "companion/library/answers.py": 2,
    "companion/practice/camera.py": 2,
    "companion/practice/mat.py": 4,
    "companion/practice/random_table.py": 5,
}
"""The files that still speak of that game, and how often: `objectives` is a key of the table
format, so every file that reads a `Table` has it; `commander` is a key of card files; `charge` is
the icon of two games and `charges` a key of their reports."""


def sources() -> Iterator[Path]:
    """Every source file of the product outside the games."""
    for top in ("models", "calibration", "companion"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if "games" not in path.relative_to(ROOT).parts:
                yield path


def spoken(path: Path) -> list[str]:
    """The words of the game in a file's code."""
    return WORDS.findall(SILENT.sub("", path.read_text(encoding="utf-8")))


def test_no_file_outside_a_game_speaks_its_language() -> None:
    found = {path.relative_to(ROOT).as_posix(): spoken(path) for path in sources()}
    assert {name: words for name, words in found.items() if len(words) > LEFT.get(name, 0)} == {}


def test_the_words_are_found() -> None:
    assert WORDS.findall("panic_fails = charges[0]; ncu, Commander, discharged, objective") == [
        "panic_fails",
        "charges",
        "ncu",
        "Commander",
        "objective",
    ]


if __name__ == "__main__":
    arguments()
    for one in sources():
        if count := len(spoken(one)):
            print(f'    "{one.relative_to(ROOT).as_posix()}": {count},')
