"""A sheet over the screen: its question is read whole, however long it is."""

from __future__ import annotations

import pytest

from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text


@pytest.mark.parametrize("times", [1, 4])
def test_the_question_of_a_sheet_is_never_cut(driver: Driver, times: int) -> None:
    question = "House Umber Berserkers: the card says 6 points, the list 7. Which is right? "
    driver.app.open_sheet(question * times, [Text("6"), Text("7")])
    driver.rest()
    sheet = driver.app.sheet
    assert sheet is not None
    assert sheet.head.height >= sheet.title.texture_size[1]
    assert sheet.card.y <= sheet.rows.y
    assert sheet.title.top <= sheet.card.top
    assert sheet.rows.top <= sheet.title.y
