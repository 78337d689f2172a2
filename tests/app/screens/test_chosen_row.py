"""What the picture shows is what the card is about; high contrast keeps the models visible."""

from __future__ import annotations

from companion.app.render.table_view import DIM
from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver


def test_a_chosen_row_is_what_the_picture_shows(game: Driver) -> None:
    game.tap_unit("b3")
    offers = [one for one in game.app.service.snapshot.offers if one.possible and one.target]
    assert len({one.target for one in offers}) > 1
    panel = game.app.screen.panel
    for view in [one for one in panel.view.offers if one.target]:
        game.press(view.name)
        picked = panel.turn.aimed()
        assert picked is not None
        gold = game.find("do-offer")
        assert gold is not None
        assert gold.text == str(picked.text)
        for pane in game.app.screen.panes:
            assert pane.chips.aimed == picked, "the arrow of the row, not of the best offer"
    game.press("unchoose")


def test_high_contrast_does_not_darken_the_models(game: Driver) -> None:
    game.app.go("settings")
    game.press("choice:contrast")
    game.app.go("table")
    game.rest()
    try:
        assert THEME.palette == "contrast"
        pane = game.app.screen.panes[0]
        game.until(lambda: pane.live.picture is not None, 60)
        assert min(pane.compositor._state["tint"][:3]) >= DIM >= 0.8
    finally:
        game.app.go("settings")
        game.press("choice:dark")
        game.app.go("table")
