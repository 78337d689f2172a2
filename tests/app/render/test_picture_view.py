"""The picture on a page: all of it is shown wherever the page is scrolled to."""

from __future__ import annotations

import numpy as np
import pytest
from kivy.core.window import Window
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.app.render.picture_view import Viewer
from companion.app.scripted.driver import Driver, pixels

pytestmark = pytest.mark.slow


def white_rows(driver: Driver) -> int:
    """How many rows of the window are white in their middle."""
    driver.rest()
    (wide, high), data = pixels()
    shown = np.frombuffer(data, np.uint8).reshape(high, wide, 4)
    return int((shown[:, wide // 2, :3] > 250).all(axis=-1).sum())


def test_a_picture_on_a_scrolled_page_is_whole(driver: Driver) -> None:
    viewer = Viewer(size_hint_y=None, height=200)
    page = BoxLayout(orientation="vertical", size_hint_y=None, height=2000)
    above, below = (Widget(size_hint_y=None, height=high) for high in (300, 1500))
    for part in (above, viewer, below):
        page.add_widget(part)
    scroll = ScrollView(size=Window.size, size_hint=(None, None))
    scroll.add_widget(page)
    Window.add_widget(scroll)
    try:
        driver.rest()
        viewer.show(np.full((200, 300, 3), 255, np.uint8), ())
        assert white_rows(driver) == pytest.approx(200, abs=2)
        scroll.scroll_y = 1.0 - 250 / (2000 - Window.height)
        assert white_rows(driver) == pytest.approx(200, abs=2)
    finally:
        Window.remove_widget(scroll)
