"""What a stranger does, in fresh environments: `python -m release.install_check`.

Wheel and source archive are built and installed, each into an environment of its own; commands run,
a script that uses the library is held against its types, and the game of examples/ is built,
installed beside it, tested and played in the terminal.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.version import VERSION

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "fox_and_hounds"
SCRIPT = '''\
"""Which of my units can charge on a 3 or better?"""

import sys

import companion as tc


def good_charges(table: tc.Table, side: str) -> dict[str, list[str]]:
    report = tc.rules(table)
    found: dict[str, list[str]] = {}
    for unit in (unit for unit in table.units if unit.side == side):
        charges = report[unit.id].charges.items()
        found[unit.name] = [enemy for enemy, one in charges if one and one["needs"] <= 3]
    return found


print(good_charges(tc.Table.load(sys.argv[1]), "blue"))
'''


def run(*words: object, typed: str = "") -> str:
    """Run a command outside the project, and return what it printed."""
    done = subprocess.run(
        [str(word) for word in words],
        input=typed, capture_output=True, text=True, check=False, cwd=tempfile.gettempdir(),
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


def copied(target: Path) -> Path:
    """The tracked files of the project: building must not leave anything beside them."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def environment(folder: Path, *packages: object) -> Path:
    """A fresh environment with these packages; its folder of programs."""
    run(sys.executable, "-m", "venv", folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", *packages)
    return programs


def try_commands(programs: Path, folder: Path) -> None:
    """The commands of an installed companion."""
    companion = programs / "companion"
    assert run(companion, "--version") == f"companion {VERSION}\n"
    table = folder / "practice.table.json"
    shutil.copy(ROOT / "models" / "data" / "practice.table.json", table)
    answers = json.loads(run(companion, "rules", table, "--json"))
    assert answers["units"]["b3"]["charges"]["r1"]["needs"] == 3
    told = run(
        companion, "play", "--text", "--practice", "westeros", "--out", folder, typed="all\n"
    )
    assert "■" in told
    script = folder / "charges.py"
    script.write_text(SCRIPT, encoding="utf-8")
    assert "Stark Outriders" in run(programs / "python", script, table)


def try_example(programs: Path, folder: Path) -> None:
    """The game of examples/, built and installed beside the companion."""
    copy = folder / "example"
    shutil.copytree(EXAMPLE, copy)
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", copy)
    run(programs / "python", "-m", "pip", "install", "--quiet", "pytest", "mypy")
    run(programs / "python", "-m", "pytest", "-q", copy / "tests")
    words = ("play", "--text", "--practice", "foxhunt", "--out", folder, "--language", "de")
    told = run(programs / "companion", *words, typed="select fox\ns1\n")
    assert "Fuchs zieht nach 2,6" in told
    run(programs / "python", "-m", "mypy", "--strict", folder / "charges.py")


def main() -> None:
    """Build, install and try."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory(prefix="companion-install-") as scratch:
        folder = Path(scratch)
        builder = environment(folder / "builder", "build")
        source = copied(folder / "source")
        run(builder / "python", "-m", "build", "--quiet", "--outdir", folder / "dist", source)
        for archive in sorted((folder / "dist").iterdir()):
            place = folder / archive.suffix[1:]
            place.mkdir()
            programs = environment(place / "env", archive)
            try_commands(programs, place)
            if archive.suffix == ".whl":
                try_example(programs, place)
            print(f"{archive.name}: installed and tried", flush=True)


if __name__ == "__main__":
    main()
