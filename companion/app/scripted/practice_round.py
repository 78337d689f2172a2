"""A short scripted game on the practice table, played by simulated touches, with screenshots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.scripted.driver import Driver
from companion.engine.app_words import _

if TYPE_CHECKING:
    from companion.app.app import CompanionApp


def scripted(app: CompanionApp, out: Path) -> str:
    """Play it and return a summary line."""
    began = time.monotonic()
    driver = Driver(app)
    driver.start()
    shots = [driver.shot(out / "home.png")]
    try:
        driver.press("practice")
        driver.until(lambda: app.service.live.sight == "live", 60)
        driver.until(lambda: app.service.snapshot.picture is not None, 30)
        driver.rest()
        shots.append(driver.shot(out / "table.png"))
        driver.tap_unit("b6")
        shots.append(driver.shot(out / "unit.png"))
        driver.press("do-offer")
        shots.append(driver.shot(out / "attack.png"))
        driver.press("die:6")
        finish_attack(driver, shots, out)
        driver.press("dock:page:cards")
        shots.append(driver.shot(out / "cards.png"))
        driver.press("back")
        driver.press("dock:score")
        shots.append(driver.shot(out / "score.png"))
        seq = app.service.snapshot.state["seq"]
    finally:
        driver.stop()
    return _(
        "played {seq} steps in {seconds:.0f} s; {count} screenshots in {folder}",
        seq=seq,
        seconds=time.monotonic() - began,
        count=len(shots),
        folder=out,
    )


def finish_attack(driver: Driver, shots: list[Path], out: Path) -> None:
    """Let the app roll all pending dice until the turn is over."""
    for _turn in range(14):
        snapshot = driver.app.service.snapshot
        prompt = next(iter(snapshot.prompts), None)
        if driver.press_if("accept"):
            continue
        if prompt is None or prompt.id == "turn-start":
            return
        if prompt.id == "test" and (out / "test.png") not in shots:
            shots.append(driver.shot(out / "test.png"))
        for name in ("app-rolls", "choice:continue", "choice:end-turn", "choice:surge:False"):
            if driver.press_if(name):
                break
        else:
            return
