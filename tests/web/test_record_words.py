"""The screen's record on a phone: whatever a player is to read stands on one of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.turn_records import TurnView, record_json
from companion.games.api.card_table import CardTable, Contest, SeatCards, TableCard, TrackRow
from companion.web.viewer import SEPARATE, compact, drawn
from tests.filled_records import SIGNS, filled, flagged, unsaid
from tests.web.served import served

pytest.importorskip("playwright")
from tests.web.browser import CHROMIUM, Device, chromium

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium here; on Debian: apt install chromium"
)

UNSAID = SIGNS | {*"edge ground cell tap variant symbol verdict value cards single_text".split()}
"""Fields that hold no words, or words that are said while a form holds two of them."""
TEXT = """async (parts) => {
  const app = await import("/static/app.js");
  const frame = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)));
  const held = {
    piece: parts.pieces[0].id, x: 5, y: 5, heading: 0, first: 0, tried: true,
    outline: [[0, 0], [0, 2], [2, 2], [2, 0]], seen: parts.view.placing,
  };
  const said = [];
  Object.assign(app.state.parts, parts);
  for (const tab of ["now", "table", "mine", "score"])
    for (const picked of ["", parts.offers[0].tap]) {
      app.show({ tab, picked, ghost: tab === "table" && picked ? held : null });
      await frame();
      const inputs = [...document.querySelectorAll("input")].map((one) => one.value);
      said.push(document.body.textContent, ...inputs);
    }
  return said.join("\\n");
}"""


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Device]:
    path: Path = tmp_path_factory.mktemp("served") / "practice-1.game"
    with chromium() as opened, served(path, "tactics") as server:
        phone = Device(opened)
        phone.join(
            server, next(iter(server._host.call(lambda g: g.view(None).seats).result(20))).id
        )
        yield phone


def dictionaries(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Those with this key, however deep they lie."""
    if isinstance(value, dict):
        if key in value:
            yield value
        value = [*value.values()]
    if isinstance(value, list):
        for one in value:
            yield from dictionaries(one, key)


def parts_of(view: TurnView, on: bool) -> dict[str, Any]:
    """What a phone is sent of a view."""
    whole = record_json(flagged(view, on))
    parts = {name: compact(whole.pop(name)) for name in SEPARATE}
    for section in (one for page in parts["pages"] for one in page.get("sections", ())):
        section["boxes"] = [drawn(box) for box in section.get("boxes", ())]
    for field in dictionaries(parts, "only_for"):
        for name in ("only_for", "worth", "value"):  # of what was chosen before, and nothing is
            field.pop(name, None)
    for offer in parts["offers"]:
        offer["verdict"] = "unsure"  # else there is no reason to tell
    whole["selected"] = parts["pieces"][0]["id"]
    for end in dictionaries(parts, "outline"):
        end["outline"] = [[0, 0], [0, 2], [2, 2], [2, 0]]
    points = [
        {name: value for name, value in one.items() if name != "form"}
        for one in whole["score_page"]["seats"]
    ]
    score = {"seats": points, "how": whole["score_page"]["how"]}
    return parts | {"view": whole, "score": score, "log": [{"text": one} for one in whole["log"]]}


def said(device: Device, view: TurnView) -> str:
    """All that a phone says of a view, on all its pages: while it asks, and while it does not."""
    before = device.state()["parts"]["view"]
    kept = {key: before[key] for key in ("seats", "me", "acts", "turn")}
    pages = []
    for on, asks in product((True, False), repeat=2):
        parts = parts_of(view, on)
        if not asks:
            parts["prompts"] = []
        parts["view"] = {**before, **compact(parts["view"]), **kept, "secrets": []}
        parts["view"].pop("winner", None)
        pages.append(device.page.evaluate(TEXT, parts))
    return "\n".join(pages)


def card_table() -> CardTable:
    """A table of cards with a card in each place, and one attached to it."""
    card = filled(TableCard, attached=(filled(TableCard, attached=()),))
    seat = filled(SeatCards, cards=(card,), places=(card,))
    return CardTable((seat,), filled(Contest), "‹CardTable.heading›", (filled(TrackRow),))


def test_every_text_of_the_record_is_said(device: Device) -> None:
    """A new field of words is drawn on phones too, or declared to be none."""
    view = filled(TurnView, cards=record_json(card_table()))
    text = said(device, view)
    assert unsaid(view, text, UNSAID) == []
    assert unsaid(view, text.replace("‹PieceLine.note›", ""), UNSAID) == ["PieceLine.note"]
    assert device.complaints == []
