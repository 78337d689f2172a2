"""What a language still lacks: `python -m tests.missing_words ru` lists it, file by file."""

from __future__ import annotations

from companion.text.translation import read_po
from tests.arguments import arguments
from tests.sentences import ROOT

MODEL = "de"
"""A language that is complete, as the other tests check."""


def missing(language: str) -> dict[str, list[str]]:
    """The texts without a translation, by file."""
    found = {}
    for model in sorted((ROOT / "companion").glob(f"**/locale/{MODEL}.po")):
        path = model.with_name(f"{language}.po")
        known = read_po(path) if path.exists() else {}
        found[str(path.relative_to(ROOT))] = [one for one in read_po(model) if one not in known]
    return found


def main() -> None:
    """Run as a command."""
    (language,) = arguments(language="de")
    for path, texts in missing(language).items():
        print(f"{path}: {len(texts)} missing")
        for text in texts:
            print(f"  {text}")


if __name__ == "__main__":
    main()
