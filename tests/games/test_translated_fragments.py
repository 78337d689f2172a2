"""Parts of a view that are told once: their JSON is what the plain JSON would be."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from companion.games.api.json_fragment import FragmentView, JsonFragment, JsonRow, encode
from companion.text.translation import set_language, translate_all
from models.frozen_records import RowIdentityCache
from models.message import say


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")


def seen() -> FragmentView:
    b1 = JsonFragment({"models": 12, "icons": {"wounds": say("{wounds} per model", wounds=3)}})
    return FragmentView(
        (
            JsonFragment({"round": 2, "how": say("{unit} is not engaged", unit="b1")}),
            JsonFragment(
                {
                    "units": JsonFragment({"b1": b1, "r\u00fc": JsonFragment({})}),
                    "none": JsonFragment({}),
                }
            ),
        ),
        {"log": JsonRow([b1, b1]), "steps": JsonRow(["a", "b"]), "empty": JsonRow(), "seq": 3}
        | {"undo": say("{unit} is not engaged", unit="r1"), "pending": [{"say": None}]},
    )


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_its_text_is_its_json_in_every_language(language: str) -> None:
    view = seen()
    for again in ("ru", language):  # what was told in another language is not told again
        set_language(again)
        whole = {
            "ok": True,
            "say": say("{unit} is not engaged", unit="b1"),
            "state": view.to_json(),
        }
        text = view.within({"ok": True, "say": whole["say"]})
        assert json.loads(text) == translate_all(whole)
        assert json.loads(FragmentView((), {}).within({"ok": True})) == {"ok": True, "state": {}}
    assert dict(view) == view.to_json()
    assert (len(view), view["round"], view["seq"]) == (len(view.to_json()), 2, 3)
    with pytest.raises(KeyError):
        view["nothing"]


def test_nothing_that_is_no_json_is_written() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        encode({"x": float("nan")})
    with pytest.raises(TypeError):
        encode({"x": object()})
    with pytest.raises(AttributeError):
        JsonFragment().nothing  # noqa: B018


def test_a_row_is_told_again_only_where_it_changed() -> None:
    asked: list[tuple[int, ...]] = []

    def answer(one: tuple[int, ...]) -> int:
        asked.append(one)
        return sum(one)

    row = RowIdentityCache(answer)
    a, b, c = (1, 2), (3, 4), (5, 6)
    assert row((a, b)) == [3, 7]
    assert row((a, c)) == [3, 11]
    assert row((c, a, b)) == [11, 3, 7]
    assert row(()) == []
    assert asked == [a, b, c, c, a, b]
