"""The documentation as a site: `python -m release.site FOLDER` (`make docs`).

Pages are the Markdown files of docs/, the changelog, the way to contribute, the example game with
its source, and references made from the docstrings: of the public names, and of what games are
built on. Players' pages are there in English and German.
"""

from __future__ import annotations

import argparse
import ast
import html
import importlib
import inspect
import re
import shutil
import textwrap
import typing
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import markdown

import companion
from companion.games import api

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "fox_and_hounds"
GAME_API = ROOT / "tests" / "library" / "game_api.txt"
"""What games from elsewhere are built on: every name, kept from version to version."""
BESIDE = {
    "contributing": ROOT / "CONTRIBUTING.md",
    "changelog": ROOT / "CHANGELOG.md",
    "security": ROOT / "SECURITY.md",
    "licence": ROOT / "LICENSE",
    "example": EXAMPLE / "README.md",
}
"""Pages that do not lie in docs/."""
PLAYERS = {
    "en": {"index": "First evening", "games": "Games", "camera": "Camera", "phones": "Phones",
           "install": "Install"},
    "de": {"index": "Erster Abend", "games": "Spiele", "camera": "Kamera", "phones": "Telefone",
           "install": "Installieren"},
}  # fmt: skip
BUILDERS = {
    "library": "Library", "reference": "Reference", "contributing": "Contributing",
    "example": "A game", "interface": "Interface of games", "formats": "Formats",
    "playing": "Commands", "thrones": "Card game",
    "catalogues": "Catalogues", "setup": "Set-up", "judging": "Readings",
    "architecture": "Architecture", "security": "Security", "android": "Android",
    "changelog": "Changelog", "licences": "Licences",
}  # fmt: skip
HEAD = {"en": ("Players", "Builders", "Deutsch"), "de": ("Spielen", "Entwickeln", "English")}
STYLE = """
:root{--ink:#22262b;--paper:#fbfaf7;--soft:#6b6f76;--line:#dcd8cf;--gold:#8a6414}
@media(prefers-color-scheme:dark){:root{--ink:#e9e4d8;--paper:#14171c;--soft:#9a9da3;--line:#30343b;--gold:#d9b25f}}
body{margin:0;font:17px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{padding:.6rem 1rem;border-bottom:1px solid var(--line);font-size:.92rem;line-height:2}
nav b{color:var(--soft);font-weight:600;margin:0 .3rem 0 .8rem}nav a{margin-right:.8rem;white-space:nowrap}
main{max-width:48rem;margin:0 auto;padding:1rem}h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}
a{color:var(--gold)}img{max-width:100%;height:auto;border-radius:8px}code{font-size:.88em;overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.8rem;border:1px solid var(--line);border-radius:8px}pre code{overflow-wrap:normal}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid var(--line);padding:.3rem .6rem;vertical-align:top}
"""  # noqa: E501


def pages() -> Iterator[tuple[str, str, str]]:
    """Every page: its place on the site without the ending, its language and its Markdown."""
    for path in sorted(DOCS.glob("*.md")):
        yield path.stem, "en", path.read_text(encoding="utf-8")
    for path in sorted((DOCS / "de").glob("*.md")):
        yield f"de/{path.stem}", "de", path.read_text(encoding="utf-8")
    for name, path in BESIDE.items():
        more = example_source() if name == "example" else ""
        yield name, "en", path.read_text(encoding="utf-8") + more
    yield "reference", "en", reference()
    yield "interface", "en", interface()


def example_files() -> list[Path]:
    """The files of the example game, without what Python and its tools leave there."""
    endings = (".py", ".toml", ".po", ".md")
    return [path for path in sorted(EXAMPLE.rglob("*")) if path.name.endswith(endings)]


def example_source() -> str:
    """The source of the example game, file by file."""
    lines = ["", f"All files: [{EXAMPLE.name}.zip](files/{EXAMPLE.name}.zip)"]
    for path in example_files():
        if path.suffix != ".md":
            text = path.read_text(encoding="utf-8").strip()
            name = path.relative_to(EXAMPLE).as_posix()
            lines += ["", f"## `{name}`", "", f"```{path.suffix[1:]}\n{text}\n```"]
    return "\n".join(lines) + "\n"


def reference() -> str:
    """The reference of the public names, from their docstrings."""
    lines = ["# Reference", "", "Every name of `import companion as tc`; the [tour](library.md)."]
    for name in companion.__all__:
        lines += described(name, getattr(companion, name))
    return "\n".join(lines) + "\n"


INTERFACE = """# Interface of games

What a game from elsewhere derives from and answers with; [how to begin](contributing.html#a-game),
and a [whole game](example.html). A test fails when one of these names goes or is called otherwise.
What is **needed** has no plain answer to inherit. A game is a [Play](#play), a
[GameScreen](#gamescreen) and, where it has a table, [GameRules](#gamerules).
Sentences, refusals and checked fields:

```python
from models.message import say                  # say("{name} cannot step there", name=piece.name)
from companion.games.api.play import Refusal    # Refusal("FOX-1", say("…"))
from companion.games.shared.commands import no  # no("FOX-1", "{name} …", name=…): both in one
from models.field import Field                  # Field(command, "step").member("piece").text(20)
```"""


def interface() -> str:
    """The reference of what games from elsewhere are built on."""
    lines = [INTERFACE]
    rows = [
        row.partition("(")[0].split(".")
        for row in GAME_API.read_text(encoding="utf-8").splitlines()
    ]
    first = ("play", "game_screen", "rules", "prompt", "screen_views", "new_game")
    rows.sort(key=lambda row: first.index(row[0]) if row[0] in first else len(first))
    for module, name, *member in rows:
        if not member:
            place = f"{api.__name__}.{module}"
            found = getattr(importlib.import_module(place), name)
            lines += described(name, found, f"from {place} import {name}")
    return "\n".join(lines) + "\n"


def described(name: str, found: Any, place: str = "") -> Iterator[str]:
    """The part of a reference about one name, with the members of a class."""
    yield from ("", f"## {name}", "")
    if place:
        yield from (f"`{place}`", "")
    if isinstance(found, typing.TypeVar) or not callable(found):
        kind = f'TypeVar("{name}")' if isinstance(found, typing.TypeVar) else repr(found)
        yield f"```python\n{name} = {kind}\n```"
        return
    yield told(name, found)
    if not inspect.isclass(found) or issubclass(found, Exception):
        return
    yield from (f"\n`{field}`: {note}" for field, note in field_notes(found))
    for member, value in vars(found).items():
        shown = inspect.unwrap(getattr(value, "fget", None) or getattr(found, member))
        if not member.startswith("_") and inspect.isroutine(shown):
            yield from ("", f"### {name}.{member}", "")
            yield told(member, shown, isinstance(value, property))
            if getattr(found, "_is_protocol", False) and has_no_answer(shown):
                yield "\n**Needed.**"


def has_no_answer(found: Any) -> bool:
    """Whether a method says nothing but what it is for: whoever derives from it answers."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    assert isinstance(body, ast.FunctionDef)
    return all(isinstance(one, ast.Expr) for one in body.body)


def field_notes(found: type) -> Iterator[tuple[str, str]]:
    """What stands below the fields of a class in its source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    assert isinstance(body, ast.ClassDef)
    for one, after in pairwise(body.body):
        if isinstance(one, ast.AnnAssign) and isinstance(after, ast.Expr):
            match after.value, one.target:
                case ast.Constant(value=str(note)), ast.Name(id=name):
                    yield name, " ".join(note.split())


def told(name: str, found: object, plain: bool = False) -> str:
    """A name with its parameters, or a property with its type, and what its docstring says."""
    doc = inspect.cleandoc(getattr(found, "__doc__", "") or "")
    doc = re.sub(r"(?m)^(>>> [\s\S]*)\Z", r"```python\n\1\n```", doc)
    call = "" if getattr(found, "_is_protocol", False) else called(found)
    if plain:
        call = f": {call.partition(' -> ')[2]}" if " -> " in call else ""
    return f"```python\n{name}{call}\n```\n\n{doc}"


def called(found: Any) -> str:
    """The parameters of a function or record, with plain types instead of the limits of files."""
    try:
        asked = inspect.signature(found)
    except ValueError:
        return ""
    with suppress(NameError):  # a type that only type checkers load
        plain = typing.get_type_hints(found.__init__ if inspect.isclass(found) else found)
        rows = [
            one.replace(annotation=plain.get(one.name, one.annotation))
            for one in asked.parameters.values()
        ]
        asked = asked.replace(
            parameters=rows, return_annotation=plain.get("return", asked.return_annotation)
        )
    text = re.sub(r"\b[a-z_]\w*(?:\.\w+)*\.(?=[A-Z])", "", str(asked))
    text = text.replace("(self, ", "(").replace("(self)", "()").replace("NoneType", "None")
    text = text.replace("~", "").replace("<factory>", "…")
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    return text.removesuffix(" -> None") if inspect.isclass(found) else text


def target(link: str, place: str) -> str:
    """A link between Markdown files as one between pages."""
    if re.match(r"[a-z]+:|#", link):
        return link
    path, mark, anchor = link.partition("#")
    up = "../" if place.startswith("de/") else ""
    for name, file in BESIDE.items():
        tail = file.relative_to(ROOT).as_posix()
        if path.endswith(tail) or (path == "README.md" and file.name == path and place == name):
            return f"{up}{name}.html{mark}{anchor}"
    if path.startswith("../") and not up and (ROOT / path[3:]).is_file():
        return f"files/{Path(path).name}"  # a file of the project that is no page
    path = path.removeprefix("docs/").removesuffix("/")
    return f"{path.removesuffix('.md')}.html{mark}{anchor}" if path.endswith(".md") else link


def menu(place: str, language: str) -> str:
    """The links at the top of a page, and the way to its twin in the other language."""
    up, own = ("../", "") if language == "de" else ("", "")
    players, builders, other = HEAD[language]
    here = " ".join(f'<a href="{own}{k}.html">{v}</a>' for k, v in PLAYERS[language].items())
    there = " ".join(f'<a href="{up}{k}.html">{v}</a>' for k, v in BUILDERS.items())
    name = place.removeprefix("de/")
    twin = name if name in PLAYERS["de"] else "index"
    switch = f"../{twin}.html" if language == "de" else f"de/{twin}.html"
    first = f'<b>{players}</b>{here} <a href="{switch}">{other}</a>'
    return f"<nav>{first}<br><b>{builders}</b>{there}</nav>"


def page(place: str, language: str, text: str) -> str:
    """One page as HTML."""
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    body = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"])
    body = re.sub(
        r'(href|src)="([^"]+)"',
        lambda one: f'{one[1]}="{html.escape(target(html.unescape(one[2]), place))}"',
        body,
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{html.escape(title[1] if title else place)} · Table Companion</title>"
        f"<style>{STYLE}</style></head>"
        f"<body>{menu(place, language)}<main>{body}</main></body></html>"
    )


def build(folder: Path) -> list[Path]:
    """Write the site; the pages that were written."""
    written = []
    (folder / "files").mkdir(parents=True, exist_ok=True)
    for place, language, text in pages():
        path = folder / f"{place}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(place, language, text), encoding="utf-8")
        written.append(path)
        for file in re.findall(r"\]\(\.\./([^)#]+)\)", text):
            if target(f"../{file}", place).startswith("files/"):
                shutil.copy(ROOT / file, folder / "files")
    with zipfile.ZipFile(folder / "files" / f"{EXAMPLE.name}.zip", "w") as packed:
        for file in example_files():
            packed.write(file, file.relative_to(EXAMPLE.parent))
    for pictures in ("screens", "phones"):
        shutil.copytree(DOCS / pictures, folder / pictures, dirs_exist_ok=True)
    return written


def broken_links(folder: Path) -> list[str]:
    """Links and pictures of a site that lead nowhere, by page; anchors too."""
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    marks = {path: set(re.findall(r'id="([^"]+)"', text)) for path, text in texts.items()}
    wrong = []
    for path, text in texts.items():
        for link in re.findall(r"(?:href|src)=[\"']([^\"']+)", text):
            if not re.match(r"[a-z]+:", link):
                file, _, mark = html.unescape(link).partition("#")
                goal = (path.parent / file).resolve() if file else path
                if not goal.exists() or (mark and mark not in marks.get(goal, {mark})):
                    wrong.append(f"{path.relative_to(folder)}: {link}")
    return wrong


def main() -> None:
    """Build the site, and say what leads nowhere."""
    words = argparse.ArgumentParser(description="The documentation as a site.")
    words.add_argument("folder", nargs="?", type=Path, default=Path("out/site"))
    folder = words.parse_args().folder.resolve()
    count = len(build(folder))
    wrong = broken_links(folder)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{count} pages in {folder}, {len(wrong)} links that lead nowhere")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
