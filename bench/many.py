"""The large counts: trays placed wrongly, and verdicts that contradict the truth.

Every frame is another one (`bench.varied`); what it counted is one line of JSON in the log. A run
that was broken off goes on where its log ends, unless the code has changed since.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.varied import Varied, varied
from calibration.references.table_pose import TablePose
from calibration.tags.tray_pose import TrayFit
from companion import games
from companion.vision.look import TableLook, look, seen_table
from companion.vision.sources.frame import CameraFrame
from models.pose import Pose

WRONG_IN, WRONG_DEG, WRONG_SIGMAS = 0.1, 2.0, 5.0
"""A tray farther from the truth than these, in inches or degrees and in sigmas, is wrong."""
QUESTIONS = ("sees", "zone", "charges", "shots")
MOST_UNSURE = 0.05


@dataclass(frozen=True, slots=True)
class Counted:
    """What one frame counted."""

    seed: int
    kind: str
    table: bool
    """Whether the camera's place was found at all."""
    clear: int
    found: int
    placed: int
    wrong: tuple[str, ...]
    sigmas: tuple[float, ...]
    """Errors of x, y and heading of every placed tray in units of their sigma."""
    pairs: int = 0
    unsure: int = 0
    against: tuple[str, ...] = ()


def counted(seed: int, verdicts: bool) -> Counted:
    """Look at the frame of a seed; with `verdicts` also ask the rules about what was seen."""
    scene = varied(seed)
    picture, truth = scene.shot()
    sight = look(
        CameraFrame(picture, name=f"frame {seed}"), scene.told, turn=seed, thorough=seed % 2 > 0
    )
    clear = [tag.id for tag in truth.tags if tag.clear and tag.unit not in truth.moving]
    wrong, sigmas = [], []
    for tray in sight.trays:
        said, off = compared(tray, scene.table.unit(tray.unit).pose)
        wrong += [said] if said else []
        if tray.unit not in truth.moving:
            sigmas += off
    result = Counted(
        seed,
        scene.kind,
        isinstance(sight.camera, TablePose),
        len(clear),
        sum(tag in sight.tags for tag in clear),
        len(sight.trays),
        tuple(wrong),
        tuple(round(value, 3) for value in sigmas),
    )
    return judged(result, sight, scene) if verdicts else result


def compared(tray: TrayFit, true: Pose) -> tuple[str, list[float]]:
    """What is wrong with a tray, empty if nothing is; and its errors in sigmas."""
    dx, dy = tray.pose.x - true.x, tray.pose.y - true.y
    turn = (tray.pose.heading - true.heading + 180.0) % 360.0 - 180.0
    sigma = tray.pose.sigma
    off = float(np.hypot(dx, dy))
    said = ""
    if off > max(WRONG_IN, WRONG_SIGMAS * sigma.xy_in):
        said = f'{tray.unit} off by {off:.2f}" (sigma {sigma.xy_in:.3f}", tags {tray.used})'
    elif abs(turn) > max(WRONG_DEG, WRONG_SIGMAS * sigma.heading_deg):
        said = f"{tray.unit} turned by {turn:.1f} (sigma {sigma.heading_deg:.2f}, {tray.used})"
    return said, [dx / sigma.xy_in, dy / sigma.xy_in, turn / sigma.heading_deg]


def judged(result: Counted, sight: TableLook, scene: Varied) -> Counted:
    """The same with the verdicts about what was seen beside those about the true table.

    What a hand is just moving is left out, as players leave it out.
    """
    busy = {unit for unit, _ in scene.motions}
    resting = [tray for tray in sight.trays if tray.unit not in busy]
    seen = seen_table(resting, scene.told, scene.table)
    true = replace(scene.table, units=tuple(scene.table.unit(unit.id) for unit in seen.units))
    game = games.find(seen.game)
    told, right = (game.report(table).to_json("bench")["units"] for table in (seen, true))
    pairs, unsure, against = 0, 0, []
    for unit, question, other in asked(told):
        said = told[unit][question][other]["answer"]
        truly = right[unit][question][other]["answer"]
        pairs += 1
        unsure += said == "unsure"
        if said != truly and "unsure" not in (said, truly):
            against.append(f"{unit} {question} {other}: {said}, truly {truly}")
    return replace(result, pairs=pairs, unsure=unsure, against=tuple(against))


def asked(report: dict[str, Any]) -> Iterable[tuple[str, str, str]]:
    """Every unit, question and other unit of a report."""
    for unit, answers in report.items():
        for question in QUESTIONS:
            for other in answers[question]:
                yield unit, question, other


def code() -> str:
    """A fingerprint of everything that could change a count."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256(cv2.__version__.encode())
    for room in ("bench", "calibration", "companion", "models", "tests/vision"):
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def logged(path: Path | None, version: str) -> dict[int, Counted]:
    """What an earlier run of the same code has counted already."""
    if path is None or not path.exists():
        return {}
    done = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        plain = json.loads(line)
        if plain.pop("code") != version:
            continue
        for name in ("wrong", "sigmas", "against"):
            plain[name] = tuple(plain[name])
        done[plain["seed"]] = Counted(**plain)
    return done


def count_many(
    frames: int, verdicts: int, log: Path | None = None, every: int = 50
) -> list[Counted]:
    """Count so many frames, the first of them with verdicts, and say how far it is."""
    version = code()
    done = logged(log, version)
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    results: list[Counted] = []
    for seed in range(max(frames, verdicts)):
        result = done.get(seed)
        if result is None or (seed < verdicts and not result.pairs and result.placed):
            result = counted(seed, seed < verdicts)
            if log is not None:
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"code": version, **asdict(result)}) + "\n")
        results.append(result)
        for problem in (*result.wrong, *result.against):
            print(f"   frame {seed} ({result.kind}): {problem}", flush=True)
        if (seed + 1) % every == 0:
            minutes = (time.monotonic() - start) / 60
            print(f"   {seed + 1} frames, {minutes:.0f} min: {summary(results)}", flush=True)
    return results


def summary(results: list[Counted]) -> str:
    """The counts so far in one line."""
    clear, found = sum(one.clear for one in results), sum(one.found for one in results)
    pairs, unsure = sum(one.pairs for one in results), sum(one.unsure for one in results)
    off = np.abs(np.concatenate([np.array(one.sigmas) for one in results]))
    within = " ".join(f"{100 * float((off <= k).mean()):.1f}" for k in (1, 2, 3))
    return (
        f"{sum(len(one.wrong) for one in results)} wrong of "
        f"{sum(one.placed for one in results)} trays, "
        f"{sum(len(one.against) for one in results)} against and "
        f"{100 * unsure / max(pairs, 1):.2f} % unsure of {pairs} answers, "
        f"{100 * found / max(clear, 1):.1f} % of clear tags found, "
        f"{sum(not one.table for one in results)} tables not seen, "
        f"within 1/2/3 sigma {within} %"
    )


def by_kind(results: list[Counted]) -> list[str]:
    """Coverage by every word of the kinds: where the sigmas are too small or too large."""
    words: Counter[str] = Counter(word for one in results for word in set(one.kind.split()))
    lines = []
    for word, count in sorted(words.items()):
        if count < max(5, len(results) // 50):
            continue
        chosen = [one for one in results if word in one.kind.split()]
        lines.append(f"   {word:<12} {summary(chosen)}")
    return lines
