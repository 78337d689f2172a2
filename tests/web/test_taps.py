"""Which taps count on a phone's page, in a real Chromium: what has only just come takes none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import served

pytest.importorskip("playwright")
from playwright.sync_api import Browser

from tests.web.browser import AWAKE_MS, CHROMIUM, Device, chromium

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium here; on Debian: apt install chromium"
)

LISTEN = """() => {
  window.sent = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    const { t, intent } = JSON.parse(text);
    if (t !== "do") return send.call(this, text);
    sent.push(intent);
    if (window.next) ask(window.next);
  };
  window.ask = (prompts) => import("/static/app.js").then(({ state, draw }) => {
    state.parts = { ...state.parts, prompts, offers: [] };
    draw();
  });
  window.frames = async (count) => { while (count--) await new Promise(requestAnimationFrame); };
}"""
"""What is tapped is kept instead of sent; the page then asks for what the test has named next."""

TWICE = """async ([selector, next, pause]) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const tap = () => document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click",
    { detail: 1, clientX: x, clientY: y, bubbles: true, cancelable: true }));
  window.next = next;
  tap();
  await frames(4);
  await new Promise((done) => setTimeout(done, pause));
  tap();
  await frames(2);
  return sent;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def phone(tmp_path: Path, browser: Browser) -> Iterator[Device]:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        device = Device(browser)
        device.join(server, "blue")
        device.page.evaluate(LISTEN)
        device.page.wait_for_timeout(AWAKE_MS)  # since the tap that has taken the seat
        yield device
        assert device.complaints == []


def asked(title: str, **more: Any) -> list[dict[str, Any]]:
    return [{"id": "asked", "title": title, **more}]


def gold(tap: str, text: str) -> dict[str, Any]:
    return {"choices": [{"tap": tap, "text": text, "look": "primary"}]}


def row(tap: str, text: str) -> dict[str, Any]:
    return {"pieces": [{"tap": tap, "piece": "b1", "text": text}]}


def keys(tap: str) -> dict[str, Any]:
    faces = [{"value": face, "text": str(face)} for face in range(1, 7)]
    count = [{"value": hits, "text": str(hits)} for hits in range(4)]
    dice = {"tap": tap, "text": "Hits", "count": 3, "sides": 6}
    ways = {"face_keys": faces, "count_keys": count, "by_faces": True, "by_count": True}
    return {"dice": [dice | ways]}


ATTACK, END = gold("c1", "Attack"), gold("c2", "End the turn")
SAME = gold("c1", "Go on"), gold("c2", "Go on")
ATTACKER, ATTACKED = row("p1", "Warden"), row("p2", "Captain")
HIT = row("p1", "Warden"), row("p2", "Warden")


@pytest.mark.parametrize(
    ("selector", "first", "then"),
    [
        ("button.gold", asked("Your turn", **ATTACK), asked("Your turn", **END)),
        ("button.gold", asked("Round 1", **SAME[0]), asked("Round 1", **SAME[1])),
        ("button.row", asked("Who attacks?", **ATTACKER), asked("Who is attacked?", **ATTACKED)),
        ("button.row", asked("Who takes a hit?", **HIT[0]), asked("Who takes a hit?", **HIT[1])),
        ("button.key", asked("Attack", **keys("d1")), asked("Attack", **keys("d2"))),
    ],
    ids=["gold", "gold of the same words", "row", "row of the same words", "last key of a roll"],
)
def test_a_double_tap_does_not_answer_two_questions(
    selector: str, first: list[Any], then: list[Any], phone: Device
) -> None:
    phone.page.evaluate("(prompts) => ask(prompts)", first)
    phone.page.wait_for_selector(f".prompt {selector}")
    sent = phone.page.evaluate(TWICE, [f".prompt {selector}", then, 0])
    assert len(sent) == 1
    phone.page.wait_for_timeout(AWAKE_MS)
    sent = phone.page.evaluate(TWICE, [f".prompt {selector}", then, 0])
    assert len(sent) == 2  # read by now: the tap counts


def test_a_row_that_has_become_gold_takes_no_second_tap_at_once(phone: Device) -> None:
    """Nobody has read so soon what gold would do."""
    plain = asked("Your turn", choices=[{"tap": "c1", "text": "Play Hear Me Roar!"}])
    phone.page.evaluate("(prompts) => ask(prompts)", plain)
    phone.page.wait_for_selector("text=Play Hear Me Roar!")
    assert phone.page.evaluate(TWICE, ["[data-shows=c1]", None, 420]) == []
    dimmed = phone.page.locator(".gold[data-asleep]:has-text('Play Hear Me Roar!')")
    assert dimmed.count() == 1
    phone.page.wait_for_timeout(AWAKE_MS)
    assert dimmed.count() == 0
    phone.page.tap(".gold:has-text('Play Hear Me Roar!')")
    assert phone.page.evaluate("sent") == [{"tap": "c1"}]


def test_a_double_tap_takes_back_one_step(phone: Device) -> None:
    phone.page.evaluate(
        "import('/static/app.js').then(({state, draw}) => {"
        " state.parts.view.undo = state.parts.view.redo = 'the move of Bowmen'; draw(); })"
    )
    phone.page.tap("[data-do=undo]")
    phone.page.wait_for_timeout(AWAKE_MS)
    assert phone.page.evaluate(TWICE, [".gold[data-do=undo]", None, 0]) == [{"undo": True}]


def test_quick_taps_on_the_keys_of_dice_all_count(phone: Device) -> None:
    """Also two on the same key."""
    phone.page.evaluate("(prompts) => ask(prompts)", asked("Attack", **keys("d1")))
    phone.page.tap("button:has-text('Enter the faces')")
    phone.page.wait_for_timeout(AWAKE_MS)
    phone.page.evaluate(
        "() => { for (const face of [2, 2, 5]) document.querySelector(`.key[data-value='${face}']`)"
        ".dispatchEvent(new MouseEvent('click', {detail: 1, bubbles: true})); }"
    )  # all within one frame, as on a slow phone
    assert phone.page.evaluate("sent") == [{"tap": "d1", "faces": [2, 2, 5]}]


def test_quick_taps_on_a_number_all_count(phone: Device) -> None:
    number = {"name": "wounds", "kind": "number", "text": "Wounds", "least": 0, "most": 9}
    form = {"tap": "f1", "text": "Book them", "fields": [number]}
    phone.page.evaluate("(prompts) => ask(prompts)", asked("How many?", forms=[form]))
    phone.page.wait_for_selector(".number")
    phone.page.evaluate(
        "() => { for (let n = 0; n < 4; n++) document.querySelector('.number [aria-label=\"+\"]')"
        ".dispatchEvent(new MouseEvent('click', {detail: 1, bubbles: true})); }"
    )  # all within one frame, as on a slow phone
    phone.page.evaluate("frames(2)")
    assert phone.page.inner_text(".number b") == "4"


def test_a_finger_that_has_moved_the_page_has_looked(phone: Device) -> None:
    """Who scrolls to a row may tap it at once."""
    rows = [{"tap": f"c{number}", "text": f"Choice {number}"} for number in range(30)]
    phone.page.evaluate("(prompts) => ask(prompts)", asked("Your turn", choices=rows))
    phone.page.tap("[data-shows=c1]")
    slide = "(y) => new Touch({identifier: 1, target: document.body, clientX: 99, clientY: y})"
    phone.page.evaluate(
        f"() => {{ for (const [type, y] of [['touchstart', 300], ['touchmove', 200]])"
        f" dispatchEvent(new TouchEvent(type, {{touches: [({slide})(y)]}})); }}"
    )
    phone.page.tap("button.gold")
    assert phone.page.evaluate("sent") == [{"tap": "c1"}]
