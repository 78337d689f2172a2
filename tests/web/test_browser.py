"""Two phones and a television in a real Chromium play each game by taps."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trials import trials
from tests.web.served import GAMES, served

pytest.importorskip("playwright")
from playwright.sync_api import Browser, FloatRect, Page

from tests.web.browser import AWAKE_MS, CHROMIUM, PHONE, TELEVISION, Device, chromium, play

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium here; on Debian: apt install chromium"
)
TAPS = trials(20, 200)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_two_phones_and_a_television_play(game: str, tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "practice-1.game", game) as server:
        seats = [seat.id for seat in server._host.call(lambda g: g.view(None).seats).result(20)]
        phones = [Device(browser), Device(browser, language="de-DE")]
        for phone, seat in zip(phones, seats, strict=False):
            phone.join(server, seat)
        wide = Device(browser, TELEVISION, "ru-RU")
        wide.join(server, "")
        assert any(play(phones, TAPS, seed) > 0 for seed in range(35, 40))
        newest = server._host.call(lambda game: game.session.history.seq).result(20)
        for number, device in enumerate((*phones, wide)):
            device.until(lambda device=device: device.seq == newest)  # type: ignore[misc]
            device.picture(f"{game}-{number}")
            assert device.complaints == []
            parts = device.state()["parts"]
            assert parts["language"] == ("en", "de", "ru")[number]
        assert wide.page.query_selector_all("[data-tap]:not([data-tap=''])") == []
        assert phones[1].page.inner_text("nav").split() != phones[0].page.inner_text("nav").split()


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
@pytest.mark.parametrize("game", ["tmg-2021", "tactics", "westeros"])
def test_every_piece_is_named_and_no_name_lies_over_another(
    game: str, size: tuple[int, int], tmp_path: Path, browser: Browser
) -> None:
    """Also where pieces stand side by side."""
    with served(tmp_path / "practice-1.game", game) as server:
        device = Device(browser, size)
        device.join(server, "")
        if size == PHONE:
            device.page.click("[data-tab=table]")
        device.page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        boxes = [badge.bounding_box() for badge in device.page.query_selector_all(".badge rect")]
        known = device.state()["parts"]
        here = {**known["map"].get("pieces", {}), **known["map"].get("discs", {})}
        words = [badge.text_content() or "" for badge in device.page.query_selector_all(".badge")]
        assert len(words) == len(here)
        assert all(any(letter.isalpha() for letter in badge) for badge in words)
        pairs = itertools.combinations([one for one in boxes if one is not None], 2)
        assert [pair for pair in pairs if common_px(*pair) > 4] == []


def common_px(one: FloatRect, two: FloatRect) -> float:
    """How many square pixels two boxes share."""
    width = min(one["x"] + one["width"], two["x"] + two["width"]) - max(one["x"], two["x"])
    height = min(one["y"] + one["height"], two["y"] + two["height"]) - max(one["y"], two["y"])
    return max(0.0, width) * max(0.0, height)


def test_a_cut_connection_and_a_killed_server_lose_nothing(
    tmp_path: Path, browser: Browser
) -> None:
    """The seat stays, and the page comes back by itself with the newest step."""
    path = tmp_path / "practice-1.game"
    with served(path, "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        seq = phone.seq
        phone.page.tap("[data-tab=table]")
        picture = phone.page.get_attribute(".map img", "src")
        server.on_loop(lambda: server.close_all(1001))
        phone.until(lambda: phone.state()["stage"] == "live" and bool(server._links))
    phone.until(lambda: phone.state()["stage"] != "live")
    with served(path) as server:
        phone.until(lambda: phone.state()["stage"] == "live")
        state = phone.state()["parts"]
        assert state["boot"].startswith(server.boot)
        assert state["self"]["seat"] == "blue"
        assert phone.seq == seq
        assert phone.page.get_attribute(".map img", "src") != picture  # none that a browser keeps
        assert phone.complaints == []


def test_a_tap_that_is_sent_twice_counts_once_and_half_entered_dice_stay(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone, other = Device(browser), Device(browser)
        phone.join(server, "blue")
        other.join(server, "red")
        charge = next(one for one in phone.state()["parts"]["offers"] if "dice" in one["asks"])
        phone.page.tap(f'.row[data-tap="{charge["tap"]}"]')
        phone.page.tap(f'[data-gold="{charge["tap"]}"]')
        phone.page.wait_for_selector(".keys .key")
        dice = phone.state()["parts"]["prompts"][0]["dice"][0]
        phone.until(lambda: phone.page.evaluate("scrollY") == 0)  # the question, not its row
        seq = phone.seq
        server.on_loop(lambda: server.close_all(1001))  # in mid-roll
        phone.until(lambda: phone.state()["stage"] == "live" and len(server._links) == 2)
        key = phone.page.wait_for_selector(f'.key[data-tap="{dice["tap"]}"]')
        assert key is not None
        phone.page.evaluate("(key) => { key.click(); key.click(); key.click(); }", key)
        phone.until(lambda: phone.seq > seq and not phone.state()["busy"])
        other.until(lambda: other.seq == phone.seq)
        step = server._host.call(lambda game: game.session.history.now.whole.step).result(20)
        assert step is not None
        assert step.by == ("blue",)


def test_a_page_that_is_loaded_again_keeps_half_entered_dice(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        offers = phone.state()["parts"]["offers"]
        attack = next(one for one in offers if one["text"].startswith("Attack"))
        phone.page.tap(f'.row[data-tap="{attack["tap"]}"]')
        phone.page.tap(f'[data-gold="{attack["tap"]}"]')
        phone.page.tap("button:has-text('Enter the faces')")
        phone.page.locator(".dice .key").first.tap()
        phone.page.locator(".dice .key").nth(1).tap()
        dice = phone.page.locator(".dice .die")
        phone.until(lambda: dice.all_inner_texts()[:2] == ["1", "2"])
        thrown = dice.all_inner_texts()
        phone.page.reload()
        phone.page.wait_for_selector(".dice .key")
        phone.until(lambda: dice.all_inner_texts() == thrown)


def test_dice_that_the_camera_reads_are_taken_with_one_tap(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        charge = next(one for one in phone.state()["parts"]["offers"] if "dice" in one["asks"])
        phone.page.tap(f'.row[data-tap="{charge["tap"]}"]')
        phone.page.tap(f'[data-gold="{charge["tap"]}"]')
        phone.page.wait_for_selector(".keys .key")
        (dice,) = phone.state()["parts"]["prompts"][0]["dice"]
        read = {"phase": "read", "number": 1, "count": dice["count"], "sides": dice["sides"]}
        doubtful = {"faces": [5] * dice["count"], "doubtful": [0]}
        monkeypatch.setattr(server._host, "throw", read | doubtful)
        server.renew()
        phone.page.wait_for_selector('[data-die="0"]')
        assert phone.page.query_selector("[data-do=take]") is None
        phone.page.tap('[data-face="6"]')
        seq = phone.seq
        phone.page.wait_for_timeout(AWAKE_MS)  # it comes where the faces were
        phone.page.tap("[data-do=take]")
        phone.until(lambda: phone.seq > seq)
        step = server._host.call(lambda game: game.session.history.now.step).result(20)
        assert step is not None
        assert "6" in step.body
        assert phone.complaints == []


def test_a_phone_sets_the_clock_and_starts_it(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "practice-1.game", "westeros") as server:
        phone = Device(browser)
        phone.join(server, "stark")
        phone.page.tap("[data-tab=score]")
        phone.page.tap(".clock summary")
        first = ".clock div:has-text('Lannister') .steps button"  # has the first turn
        phone.page.tap(f"{first} >> nth=0")
        phone.page.wait_for_selector("text=60:00")
        phone.page.tap(f"{first}:has-text('−5') >> nth=0")
        phone.page.wait_for_selector("text=55:00")
        phone.page.tap(".clock > button >> nth=0")
        phone.page.wait_for_selector("text=54:5")
        assert phone.state()["parts"]["clock"]["running"]
        phone.page.wait_for_timeout(700)  # “Stop” has only just come where “Start” was
        phone.page.tap(".clock > button >> nth=0")
        phone.until(lambda: "running" not in phone.state()["parts"]["clock"])
        phone.page.tap(".clock > button >> nth=1")
        phone.until(lambda: "used" not in phone.state()["parts"]["clock"])
        assert phone.complaints == []


def test_a_position_is_corrected_on_a_phone_when_the_other_agrees(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        blue, red = Device(browser), Device(browser, language="de-DE")
        blue.join(server, "blue")
        red.join(server, "red")
        blue.page.tap("[data-tab=table]")
        blue.page.tap("[data-piece=b2]")
        blue.page.tap("[data-do=move]")
        frame = blue.page.locator(".map").bounding_box()
        assert frame is not None
        x, y = frame["x"] + frame["width"] / 3, frame["y"] + frame["height"] / 2
        blue.page.mouse.move(x, y)
        blue.page.mouse.down()
        blue.page.mouse.move(x + 50, y + 70, steps=4)
        blue.page.mouse.up()
        blue.page.tap(".place button:has-text('Only correct the position')")
        blue.page.wait_for_timeout(AWAKE_MS)
        blue.page.tap(".place .gold:has-text('Only correct the position')")
        red.page.wait_for_selector("text=einverstanden?")
        seq = red.seq
        blue.picture("asks")
        red.picture("asked")
        red.page.tap(".calls button:has-text('Zustimmen')")
        red.page.wait_for_timeout(AWAKE_MS)
        red.page.tap(".calls .gold:has-text('Zustimmen')")
        red.until(lambda: red.seq > seq)
        blue.until(lambda: blue.seq == red.seq)
        assert blue.complaints == red.complaints == []


def test_cards_of_the_set_up_are_summed_up_and_too_dear_ones_not_sent(
    tmp_path: Path, browser: Browser
) -> None:
    """AGOT-SET-12."""
    with served(tmp_path / "practice-1.game", "thrones") as server:
        phones = [Device(browser), Device(browser)]
        for phone, seat in zip(phones, ("p1", "p2"), strict=True):
            phone.join(server, seat)
        for phone in phones:
            phone.page.tap("button.gold:has-text('Keep')")
        phones[0].page.wait_for_selector("text=Robb Stark (6 gold)")
        phones[0].page.wait_for_timeout(AWAKE_MS)
        first, press = phones[0].page, "[data-tap].gold"
        first.tap("text=Robb Stark (6 gold)")
        first.wait_for_selector(f"{press} >> text=6 of 8 gold")
        scroll_to(first, "text=Catelyn Stark (4 gold)")
        first.tap("text=Catelyn Stark (4 gold)")
        first.wait_for_selector(f"{press}[disabled] >> text=not enough")
        first.tap("text=Catelyn Stark (4 gold)")
        scroll_to(first, "text=The Iron Throne (2 gold)")
        first.tap("text=The Iron Throne (2 gold)")
        first.wait_for_selector(f"{press} >> text=8 of 8 gold")
        seq = phones[0].seq
        first.tap(press)
        phones[0].until(lambda: phones[0].seq > seq)
        assert phones[0].complaints == []


def test_a_half_filled_form_stays_when_the_server_is_started_again(
    tmp_path: Path, browser: Browser
) -> None:
    """Handles are numbered anew: the form is known by what it asks."""
    path, press = tmp_path / "practice-1.game", "[data-tap].gold"
    with served(path, "thrones") as server:
        phones = [Device(browser), Device(browser)]
        for phone, seat in zip(phones, ("p1", "p2"), strict=True):
            phone.join(server, seat)
            phone.page.tap("button.gold:has-text('Keep')")
        first = phones[0]
        first.page.wait_for_selector("text=Robb Stark (6 gold)")
        first.page.wait_for_timeout(AWAKE_MS)
        first.page.tap("text=Robb Stark (6 gold)")
        first.page.tap("[data-do=undo]")
        first.page.wait_for_timeout(AWAKE_MS)
        first.page.tap(".gold[data-do=undo]")
        phones[1].page.wait_for_selector(".calls .card")  # a question of one's own
        first.page.wait_for_selector(f"{press} >> text=6 of 8 gold")
    first.until(lambda: first.state()["stage"] != "live")
    with served(path):
        first.until(lambda: first.state()["stage"] == "live")
        first.page.wait_for_selector(f"{press} >> text=6 of 8 gold")
        first.page.reload()
        first.page.wait_for_selector(f"{press} >> text=6 of 8 gold")


def test_what_can_be_chosen_no_longer_is_not_sent(tmp_path: Path, browser: Browser) -> None:
    """A card that was tapped, and is too dear by now, is dropped from its form."""
    with served(tmp_path / "practice-1.game", "thrones") as server:
        phones = [Device(browser), Device(browser)]
        for phone, seat in zip(phones, ("p1", "p2"), strict=True):
            phone.join(server, seat)
            phone.page.tap("button.gold:has-text('Keep')")
        first = phones[0].page
        first.wait_for_selector("text=Robb Stark (6 gold)")
        first.wait_for_timeout(AWAKE_MS)
        first.evaluate(
            "import('/static/app.js').then(({state, draw}) => {"
            " const form = state.parts.prompts[0].forms[0];"
            " state.drafts.set(form.tap, {[form.fields[0].name]: ['gone']}); draw(); })"
        )
        first.tap("text=Robb Stark (6 gold)")
        seq = phones[0].seq
        first.tap("[data-tap].gold:has-text('6 of 8 gold')")
        phones[0].until(lambda: phones[0].seq > seq)


def test_symbols_that_the_camera_reads_are_taken_with_one_tap(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path / "practice-1.game", "westeros") as server:
        phone, other = Device(browser), Device(browser)
        for one, seat in ((other, "stark"), (phone, "lannister")):
            one.join(server, seat)
            one.page.tap('[data-tap]:has-text("Begin round 1")')
        phone.until(lambda: bool(phone.state()["parts"]["prompts"][0].get("dice")))
        phone.page.wait_for_selector(".keys .key")
        (dice,) = phone.state()["parts"]["prompts"][0]["dice"]
        faces = {"sides": 8, "faces": [1, 4, 6, 7], "doubtful": [1]}
        read = {"phase": "read", "number": 1, "count": dice["count"]} | faces
        monkeypatch.setattr(server._host, "throw", read)
        server.renew()
        phone.page.wait_for_selector('[data-die="3"]')
        shown = [phone.page.inner_text(f'[data-die="{number}"]') for number in range(4)]
        assert shown == ["green", "?", "red", "valour"]
        assert phone.page.query_selector('[data-die="3"] svg') is not None
        phone.page.tap('[data-face="8"]')
        phone.picture("westeros-thrown")
        seq = phone.seq
        phone.page.wait_for_timeout(AWAKE_MS)  # it comes where the faces were
        phone.page.tap("[data-do=take]")
        phone.until(lambda: phone.seq > seq)
        step = server._host.call(lambda game: game.session.history.now.whole.step).result(20)
        assert step is not None
        assert "morale" in step.body or "M" in step.body


def test_a_row_shows_and_gold_does(tmp_path: Path, browser: Browser) -> None:
    """Cards of another moment lie behind one row."""
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        seq = phone.seq
        hidden = "details [data-shows]"  # whichever cards were dealt
        assert not phone.page.locator(hidden).first.is_visible()
        phone.page.tap("summary:has-text('Other choices')")
        phone.page.locator(hidden).first.tap()
        gold = phone.page.wait_for_selector("details .gold")
        assert phone.seq == seq
        assert gold is not None
        phone.page.wait_for_timeout(AWAKE_MS)
        phone.page.tap("details .gold")
        phone.until(lambda: phone.seq > seq)
        assert phone.complaints == []


def test_the_units_to_choose_from_stand_in_the_list(tmp_path: Path, browser: Browser) -> None:
    """Whoever is to choose a unit finds each of them under Now (TMG-ACT-1)."""
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        prompt = phone.state()["parts"]["prompts"][0]
        assert prompt["pieces"]
        rows = phone.page.locator(".prompt .row").all_inner_texts()
        assert [row.strip() for row in rows] == [piece["text"] for piece in prompt["pieces"]]


def test_where_nobody_has_the_turn_all_players_are_named(tmp_path: Path, browser: Browser) -> None:
    """As at the end of a round."""
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        ended = "{view: {me: 'blue', turn: null, acts: [], seats: []}, prompts: []}"
        asked = "[{choices: [{shared: true}]}]"  # tapped by all, whoever's turn it is
        joint = f"{{view: {{me: 'blue', turn: 'blue', acts: [], seats: []}}, prompts: {asked}}}"
        for parts in (ended, joint):
            named = f"import('/static/pages.js').then((pages) => pages.task({parts}))"
            assert phone.page.evaluate(named) == "All players"


@pytest.mark.slow
def test_what_is_done_is_gold_no_longer(tmp_path: Path, browser: Browser) -> None:
    """A key that stays, such as the coach's, does not ask to be tapped again."""
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        phone.page.tap("button:has-text('Ask the coach')")
        phone.page.wait_for_timeout(AWAKE_MS)
        phone.page.tap("button.gold:has-text('Ask the coach')")
        phone.until(lambda: not phone.state()["busy"])
        assert phone.page.locator("button:has-text('Ask the coach')").first.is_visible()
        assert phone.page.locator("button.gold:has-text('Ask the coach')").count() == 0


def test_a_tray_is_moved_on_the_map_in_one_step_with_its_action(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        phone = Device(browser)
        phone.join(server, "blue")
        phone.page.tap("[data-tab=table]")
        phone.page.locator('[data-piece="b2"]').dispatch_event("click")
        phone.page.wait_for_selector(".card.piece")
        seq, parts = phone.seq, phone.state()["parts"]
        offer = next(one for one in parts["offers"] if one.get("moves"))
        phone.page.tap(f'.row[data-tap="{offer["tap"]}"]')
        phone.page.tap("[data-gold]")
        phone.page.wait_for_selector(".place")
        assert phone.seq == seq  # nothing is recorded while the tray stands still
        tray = phone.page.locator(f'[data-piece="{offer["piece"]}"]').bounding_box()
        assert tray is not None
        x, y = tray["x"] + tray["width"] / 2, tray["y"] + tray["height"] / 2
        phone.page.mouse.move(x, y)
        phone.page.mouse.down()
        phone.page.mouse.move(x, y - 12, steps=3)
        phone.page.mouse.up()
        phone.page.tap(".place.yes [data-tap]")
        phone.until(lambda: phone.seq > seq)
        before = next(one for one in parts["pieces"] if one["id"] == offer["piece"])["place"]
        pieces = phone.state()["parts"]["pieces"]
        assert next(one for one in pieces if one["id"] == offer["piece"])["place"] != before
        assert phone.seq == seq + 1
        phone.page.tap("[data-tab=now]")
        phone.page.tap("[data-do=undo]")
        phone.page.wait_for_timeout(AWAKE_MS)
        assert phone.seq == seq + 1  # a row shows, gold does
        phone.page.tap(".gold[data-do=undo]")
        phone.until(lambda: phone.seq != seq + 1)
        pieces = phone.state()["parts"]["pieces"]
        assert next(one for one in pieces if one["id"] == offer["piece"])["place"] == before
        assert phone.complaints == []


def test_a_seat_that_another_takes_meanwhile_is_not_sat_on(
    tmp_path: Path, browser: Browser
) -> None:
    with served(tmp_path / "practice-1.game", "westeros") as server:
        slow, quick = Device(browser), Device(browser)
        slow.page.goto(server.join_url)
        slow.page.tap('[data-seat="stark"]')
        slow.until(lambda: slow.page.is_enabled("[data-do=sit]"))
        quick.join(server, "stark")
        slow.page.wait_for_selector("[data-do=sit]:disabled")
        slow.page.tap('[data-seat="lannister"]')
        slow.page.tap("[data-do=sit]")
        slow.until(lambda: slow.state()["parts"]["self"]["seat"] == "lannister")
        slow.page.wait_for_selector("nav")


def test_a_figure_is_put_elsewhere_by_hand(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "practice-1.game", "tactics") as server:
        blue, red = Device(browser), Device(browser)
        blue.join(server, "blue")
        red.join(server, "red")
        blue.page.tap("[data-tab=table]")
        blue.page.tap("[data-piece=b1]")
        blue.page.tap("[data-do=put]")
        blue.page.wait_for_timeout(AWAKE_MS)  # the page goes back to the board
        board = blue.page.locator(".map").bounding_box()
        assert board is not None
        x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] * 0.53
        blue.page.mouse.click(x, y)
        blue.page.tap("[data-do=put-there]")
        red.page.wait_for_selector(".calls:has-text('is put on the objective')")  # where, in words
        red.page.tap(".calls button:has-text('Agree')")
        red.page.wait_for_timeout(AWAKE_MS)  # it came up by itself, perhaps under a finger
        red.page.tap(".calls .gold:has-text('Agree')")

        def cell() -> str:
            return next(
                str(one["cell"]) for one in blue.state()["parts"]["pieces"] if one["id"] == "b1"
            )

        blue.until(lambda: cell() == "3,6")
        assert blue.complaints == []


@pytest.mark.slow
def test_a_large_figure_is_drawn_where_it_would_stand(tmp_path: Path, browser: Browser) -> None:
    """The Captain on his horse covers four spaces, not only the one that is tapped."""
    with served(tmp_path / "practice-1.game", "tactics") as server:
        blue, red = Device(browser), Device(browser)
        for phone, seat, piece in ((blue, "blue", "b1"), (red, "red", "r1")):
            phone.join(server, seat)
            phone.page.tap("[data-tab=table]")
            phone.page.locator(f"[data-piece={piece}]").dispatch_event("click")
            twice(phone, "Activate")
            if phone is blue:
                twice(phone, "End the activation")
        red.page.tap("button:not([disabled]):has-text('Move')")
        red.page.locator(".cell[data-shows]").first.dispatch_event("click")
        red.page.wait_for_selector("circle.ghost", state="attached")
        beside = red.page.evaluate(
            "(() => { const ghost = document.querySelector('circle.ghost');"
            " const tapped = document.querySelector('.cell.on').parentNode.transform.baseVal[0];"
            " const {e, f} = tapped.matrix;"
            " return [ghost.cx.baseVal.value - e, f - ghost.cy.baseVal.value,"
            " ghost.r.baseVal.value]; })()"
        )
        # The mark lies in the middle of the four spaces (of 1.25 in), too.
        assert beside == pytest.approx([0.0, 0.0, 1.125], abs=0.02)


def twice(phone: Device, words: str) -> None:
    """Show a row and do it."""
    phone.page.tap(f"button:has-text('{words}')")
    phone.page.wait_for_timeout(AWAKE_MS)
    phone.page.tap(f"button.gold:has-text('{words}')")
    phone.until(lambda: not phone.state()["busy"])


def scroll_to(page: Page, selector: str) -> None:
    """Scroll to something without a finger, and look: the middle of the page is free."""
    page.locator(selector).evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(AWAKE_MS)
