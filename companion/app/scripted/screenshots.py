"""Screenshots of the main screens: `python -m companion.app.scripted.screenshots FOLDER`."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.play import make_app, prepare
from companion.engine.camera.camera_profile import fresh

if TYPE_CHECKING:
    from companion.app.scripted.driver import Driver

SIZE = (1280, 800)


def take(folder: Path) -> list[Path]:
    """Take every screenshot, in order."""
    with tempfile.TemporaryDirectory(prefix="companion-shots-") as scratch:
        prepare(SIZE, True, Path(scratch))
        from companion.app.scripted.driver import Driver

        app = make_app(Path(scratch))
        driver = Driver(app)
        driver.start()
        found = [driver.shot(folder / "home.png"), *new_game(driver, folder)]
        driver.press("practice")
        driver.until(lambda: app.service.live.sight == "live", 90)
        driver.until(lambda: app.service.snapshot.picture is not None, 60)
        driver.rest()
        found.append(driver.shot(folder / "picture.png"))
        driver.tap_unit("b2")
        found.append(driver.shot(folder / "unit.png"))
        app.screen.show_as("map")
        driver.rest()
        found.append(driver.shot(folder / "map.png"))
        driver.press("do-offer")
        found.append(driver.shot(folder / "attack.png"))
        driver.press_if("not-now")
        app.prefer(replace(app.service.preferences, language="de", colours="light"))
        driver.rest()
        found.append(driver.shot(folder / "german.png"))
        app.prefer(replace(app.service.preferences, language="ru", colours="dark"))
        for place in ("roster", "page:board", "page:cards", "score", "settings"):
            app.go(place)
            driver.rest()
            name = place.rpartition(":")[2]
            found.append(driver.shot(folder / f"{name}.png"))
        found += set_up(driver, folder)
        driver.stop()
    return found


def new_game(driver: Driver, folder: Path) -> list[Path]:
    """Build an army from the first faction's cards."""
    driver.press("new")
    driver.press("step:armies")
    driver.press(next(name for name in driver.names() if name.startswith("faction:")))
    for _count in range(3):
        driver.press(next(name for name in driver.names() if name.startswith("take:")))
    found = [driver.shot(folder / "army.png")]
    driver.press("back")
    return found


def set_up(driver: Driver, folder: Path) -> list[Path]:
    """The lens step and the table step of the set-up wizard, with the practice camera."""
    app = driver.app
    app.prefer(replace(app.service.preferences, language="en"))
    app.service.leave()
    app.choose_camera_profile(fresh(app.setups, "My table").saved(None, source="practice"))
    app.set_up("lens")
    lens = app.screen.step
    driver.until(lambda: len(lens.coverage.views) >= 8, 90)
    found = [driver.shot(folder / "lens.png")]
    app.screen.go("table")
    driver.until(lambda: app.screen.step.fitness is not None, 90)
    return [*found, driver.shot(folder / "setup.png")]


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="The main screens, as pictures.")
    words.add_argument("folder", nargs="?", type=Path, default=Path("docs/screens"))
    for path in take(words.parse_args().folder):
        print(path)
