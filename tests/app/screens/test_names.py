"""Players read names: no id and no rule number on any screen, except where they ask why; and
nothing that no catalogue has: the walk is made in the pseudo-language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.own_content import own_screen
from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text
from companion.engine.files import game_library
from companion.text import translation
from companion.text.translation import catalogue
from tests.app.conftest import opened
from tests.play.pseudo_language import brackets
from tests.play.test_pseudo_language import foreign

pytestmark = pytest.mark.long
RULE = re.compile(r"\b[A-Z]{2,5}(?:-[A-Z]+)*-\d+\b")
ID = re.compile(r"\b[a-z]{1,2}\d{1,2}\b")
"""Ids of pieces, objectives and terrain: b1, o3, r6, t2."""
MARKUP = re.compile(r"\[/?(?:font|b|i|size|color)[^\]]*\]")
NAMES = [name for game in ("tactics", "westeros") for name in catalogue("de", game=game).names]
NAMED = re.compile(
    r"\bv\d|(?<!\w)(?:"
    + "|".join(map(re.escape, sorted(NAMES, key=len, reverse=True)))
    + r")(?!\w)"
)
"""Restricted lists, and names that a game translates on purpose."""


def odd(driver: Driver) -> list[str]:
    """The texts on the screen, toasts apart, with an id, a rule number or an English word."""
    said = set(driver.widgets(driver.app.toasts))
    texts = [
        NAMED.sub("", MARKUP.sub("", one.text))
        for one in driver.widgets()
        if isinstance(one, Text) and one not in said
    ]
    return [
        text
        for text in texts
        if (RULE.search(text) or ID.search(text) or foreign(text))
        and not text.startswith("/")  # a folder's path
    ]


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The practice table at its first turn, wide enough for everything, all words in brackets."""
    with pytest.MonkeyPatch.context() as patched:
        for module in (translation, own_screen, game_library):
            patched.setattr(module, "catalogue", lambda _, units="in", game="": brackets(game))
        driver = opened(tmp_path_factory.mktemp("names"), (1280, 800))
        driver.app.prefer(replace(driver.app.service.preferences, language="de"))
        driver.rest()
        yield driver
        driver.stop()


def test_screens_beside_a_game(walk: Driver) -> None:
    assert odd(walk) == []
    for name in ("settings", "camera-setup", "print"):
        walk.press(name)
        assert odd(walk) == [], name
        for part in [one for one in walk.names() if one.startswith("section:")]:
            walk.press(part)
            assert odd(walk) == [] or part == "section:about", part  # names of licences
        walk.press("back")
    walk.press("own-content")
    assert odd(walk) == []
    walk.press("choice:westeros")
    assert odd(walk) == []
    walk.press("back")


def test_other_games_are_begun(walk: Driver) -> None:
    """A game's words are those of its own catalogue, beside another game's too."""
    for game in ("tactics", "thrones", "westeros"):
        walk.press(f"new:{game}")
        assert odd(walk) == [], game
        walk.press("next")
        assert odd(walk) == [], game
        walk.press("back")


def test_new_game(walk: Driver) -> None:
    walk.press("new")
    walk.press("next")
    walk.press("next")
    walk.press("faction:stark")
    walk.press("take:10201")
    walk.press("take:10201")
    assert odd(walk) == []
    walk.press("why:TMG-ARM-5")  # the number stands where players ask why
    assert "TMG-ARM-5" in " ".join(
        one.text for one in walk.widgets(walk.app.toasts) if isinstance(one, Text)
    )
    walk.press("choice:attachment")
    walk.press("take:20201")
    walk.press("join:0")
    walk.press("choice:red")
    walk.press("faction:lannister")
    walk.press("take:10101")
    walk.press("choice:attachment")
    walk.press("take:20104")
    walk.press("next")
    draft = walk.app.service.drafting
    while draft.draft.step < 7:
        assert odd(walk) == [], draft.draft.step
        walk.press("next")
        walk.rest()
    assert odd(walk) == []
    walk.press("previous")
    # Two units of one name are numbered, and a wrong place has a reason behind a button.
    walk.press("deployed:b1")
    assert "Stark Sworn Swords 2" in " ".join(
        one.text for one in walk.widgets() if isinstance(one, Text)
    )
    screen = walk.app.screen.inner
    screen.stand("b1", screen.draft.table.unit("b1").pose.__class__(20.0, 24.0, 90.0))
    walk.rest()
    assert odd(walk) == []
    walk.press("why")
    assert "TMG-DEP-4" in " ".join(
        one.text for one in walk.widgets(walk.app.toasts) if isinstance(one, Text)
    )
    walk.press("next")
    assert odd(walk) == []
    walk.press("back")


def test_a_game(walk: Driver, tmp_path: Path) -> None:
    walk.press("practice")
    walk.until(lambda: walk.app.service.snapshot.picture is not None, 90)
    walk.rest()
    service = walk.app.service
    assert odd(walk) == []
    for unit in ("b6", "b4"):
        walk.tap_unit(unit)
        assert odd(walk) == []
        walk.press("why-not")
        assert odd(walk) == []
    # A tray that is moved too far, and one out of turn.
    table = service.snapshot.trays
    assert table is not None
    for unit in ("b2", "r6"):
        pose = table.unit(unit).pose
        service.place(unit, pose.__class__(pose.x, 24.0, pose.heading))
        walk.rest()
    assert odd(walk) == []
    while service.snapshot.notices:
        walk.press("correct")
    ends = [(table.unit(one).pose.x, table.unit(one).pose.y) for one in ("b2", "r6")]
    assert not ID.search(walk.app.service.measured(*ends))
    assert odd(walk) == []
    service.do({"do": "activate", "unit": "b99"}, {"do": "score", "token": "o3", "side": "none"})
    walk.rest()
    for place in ("dock:roster", "dock:score"):
        walk.press(place)
        assert odd(walk) == [], place
        walk.press("back")
    for page in service.snapshot.pages:
        walk.press(f"dock:page:{page.id}")
        assert odd(walk) == [], page.id
        walk.press("back")
    walk.press("log")
    assert odd(walk) == []
    walk.press("close")
    walk.press("menu")
    assert odd(walk) == []
    walk.press("close")
    walk.app.leave()
    walk.rest()
    assert odd(walk) == []
