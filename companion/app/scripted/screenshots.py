"""Screenshots of the main screens: `python -m companion.app.scripted.screenshots FOLDER`."""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.play import make_app, prepare
from companion.engine.app_words import LANGUAGES
from companion.engine.camera.camera_profile import fresh
from models import atomic_write

if TYPE_CHECKING:
    from companion.app.scripted.driver import Driver

SIZE = (1280, 800)
FILM_PX, PAGE_PX = (720, 450), (1024, 640)


def take(folder: Path, languages: tuple[str, ...] = ("en", "de")) -> list[Path]:
    """Take every screenshot in every language, English in the folder itself; and a short film."""
    found: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="companion-shots-") as scratch:
        prepare(SIZE, True, Path(scratch))
        from companion.app.scripted.driver import Driver

        app = make_app(Path(scratch))
        driver = Driver(app)
        driver.start()
        for language in languages:
            app.prefer(replace(app.service.preferences, language=language))
            leave(driver)
            found += evening(driver, folder if language == "en" else folder / language)
        driver.stop()
    return found


def evening(driver: Driver, folder: Path) -> list[Path]:
    """The home screen, an army, an attack, the other games, and the set-up of a camera."""
    app = driver.app
    found = [driver.shot(folder / "home.png"), *new_game(driver, folder)]
    driver.press("practice")
    driver.until(lambda: app.service.live.sight == "live", 90)
    app.screen.show_as("picture")
    driver.until(lambda: app.service.snapshot.picture is not None, 60)
    driver.rest()
    story = [driver.shot(folder / "picture.png")]
    driver.tap_unit("b2")
    story.append(driver.shot(folder / "unit.png"))
    driver.press("do-offer")
    story.append(driver.shot(folder / "attack.png"))
    for _throw in range(4):
        if not driver.press_if("app-rolls"):
            break
        story.append(driver.shot(folder / f"film-{len(story)}.png"))
    app.screen.show_as("map")
    driver.rest()
    story.append(driver.shot(folder / "map.png"))
    found += [*story, film(story, folder / "film.gif")]
    for path in folder.glob("film-*.png"):
        path.unlink()
    app.go("score")
    driver.rest()
    found.append(driver.shot(folder / "score.png"))
    leave(driver)
    for name in [name for name in driver.names() if name.startswith("practice:")]:
        driver.press(name)
        driver.rest()
        if app.service.snapshot.table is not None:
            app.screen.show_as("map")
            driver.rest()
        found.append(driver.shot(folder / f"{name.partition(':')[2]}.png"))
        leave(driver)
    found = [path for path in (*found, *set_up(driver, folder)) if path.exists()]
    for path in found:
        shrink(path)
    return found


def leave(driver: Driver) -> None:
    """Back to the home screen."""
    driver.app.service.leave()
    driver.rest()
    driver.app.go("home")
    driver.rest()


def shrink(path: Path) -> None:
    """A picture for a page: smaller, and of few colours."""
    from PIL import Image

    if path.suffix == ".png":
        small = Image.open(path).convert("RGB").resize(PAGE_PX, Image.Resampling.LANCZOS)
        with atomic_write.replacing(path) as part:
            small.quantize(200, dither=Image.Dither.NONE).save(part, "PNG", optimize=True)


def film(pictures: list[Path], target: Path) -> Path:
    """Some pictures one after the other, small enough for a page."""
    from PIL import Image

    frames = [Image.open(one).convert("RGB").resize(FILM_PX) for one in pictures]
    every = Image.new("RGB", (FILM_PX[0], FILM_PX[1] * len(frames)))
    for number, one in enumerate(frames):
        every.paste(one, (0, number * FILM_PX[1]))
    shared = every.quantize(200)
    first, *rest = (one.quantize(palette=shared, dither=Image.Dither.NONE) for one in frames)
    with atomic_write.replacing(target) as part:
        first.save(part, "GIF", save_all=True, append_images=rest, duration=1600, loop=0)
    return target


def new_game(driver: Driver, folder: Path) -> list[Path]:
    """Build an army from the first faction's cards."""
    driver.press("new")
    driver.press("step:armies")
    for kind in ("faction:", "take:", "take:", "take:"):  # a draft of before has its faction
        for name in [name for name in driver.names() if name.startswith(kind)][:1]:
            driver.press(name)
    found = [driver.shot(folder / "army.png")]
    driver.press("back")
    return found


def set_up(driver: Driver, folder: Path) -> list[Path]:
    """The lens step and the table step of the set-up wizard, with the practice camera."""
    app = driver.app
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
    words.add_argument("--language", action="append", choices=LANGUAGES)
    given = words.parse_args()
    for path in take(given.folder, tuple(given.language or ("en", "de"))):
        print(path)
