"""What a language still lacks: `python -m tests.missing_words fr` lists it, file by file, as empty
entries of a catalogue, ready to be copied and filled.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from companion.text.translation import LANGUAGES, entries, read_po
from tests.arguments import arguments
from tests.sentences import ROOT, numbers

MODEL = "de"
"""A language that is complete, as the other tests check."""
TOLD = re.compile(r'^msgstr.*\n(?:".*\n?)*', re.MULTILINE)


def missing(language: str) -> dict[Path, list[str]]:
    """The entries without a translation, by file."""
    found = {}
    for model in sorted((ROOT / "companion").glob(f"**/locale/{MODEL}.po")):
        path = model.with_name(f"{language}.po")
        known = read_po(path) if path.exists() else {}
        found[path] = [
            emptied(block, numbers(language))
            for block in re.split(r"\n{2,}", model.read_text(encoding="utf-8"))
            if (sources := dict(entries(block)).keys() - {""}) and not sources & known.keys()
        ]
    return found


def emptied(block: str, count: int) -> str:
    """An entry without its translation, with room for so many plural forms."""
    head = TOLD.sub("", f"{block}\n").rstrip("\n")
    if "msgid_plural" not in block:
        return f'{head}\nmsgstr ""'
    return "\n".join([head, *(f'msgstr[{n}] ""' for n in range(count))])


def main() -> None:
    """Run as a command."""
    (language,) = arguments(language=MODEL)
    if language not in LANGUAGES:
        sys.exit(f"{language} is not in LANGUAGES: {', '.join(LANGUAGES)}")
    found = missing(language)
    print(f"# {sum(map(len, found.values()))} missing in all\n")
    for path, blocks in found.items():
        print(f"# {path.relative_to(ROOT)}: {len(blocks)} missing\n")
        for block in blocks:
            print(f"{block}\n")


if __name__ == "__main__":
    main()
