"""What a hostile phone cannot do, and what is promised about listening (SECURITY.md)."""

from __future__ import annotations

import json
import random
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from companion.web import page_requests
from companion.web.address import bound, usable
from companion.web.link import OUT, PAIR, TOO_FAST
from companion.web.lobby import MOST_SCREENS, WRONG_CODES, Lobby, hashed
from companion.web.server import PhoneServer
from models import CompanionError
from tests.web.served import GAMES, HERE, WAIT_S, Screen, open_url, paired, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneServer]:
    with served(tmp_path_factory.mktemp("web") / "practice-1.game", "tmg-2021") as running:
        yield running


def status(server: PhoneServer, path: str, body: bytes | None = None, **headers: str) -> int:
    """The status of a request."""
    asked = Request(f"{server.url}{path}", body, headers)
    try:
        with open_url(asked) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_nothing_listens_before_it_is_started_or_after_it_is_stopped(tmp_path: Path) -> None:
    own = "127.7.3.1"  # the port is free again for any other program, but only here is none
    with served(tmp_path / "practice-1.game", "thrones", own) as server:
        port = server.port
        assert status(server, "") == 200
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((own, port), timeout=2)


@pytest.mark.parametrize("address", ["0.0.0.0", "", "255.255.255.255", "224.0.0.1", "::", "phone"])
def test_it_never_listens_at_all_addresses(address: str) -> None:
    assert not usable(address)
    with pytest.raises(CompanionError):
        bound(address, 0)


def test_only_its_own_host_is_answered(server: PhoneServer) -> None:
    own = f"{HERE}:{server.port}"
    assert status(server, "", Host=own) == 200
    for host in ("evil.example", f"localhost:{server.port}", HERE, f"{own}.evil.example"):
        assert status(server, "", Host=host) == 421, host


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1"])
def test_only_its_own_pages_may_pair_and_open_a_socket(server: PhoneServer, origin: str) -> None:
    body = json.dumps({"code": server.lobby.code}).encode()
    assert status(server, "pair", body, Origin=origin) == 403
    cookie = paired(server)
    given: dict[str, Any] = {"origin": origin} if origin else {}
    with pytest.raises(InvalidStatus):
        connect(
            f"ws://{HERE}:{server.port}/socket",
            additional_headers={"Cookie": cookie},
            proxy=None,
            **given,
        )


def test_every_answer_says_that_nothing_else_may_run_in_it(server: PhoneServer) -> None:
    with open_url(server.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    "path",
    ["static/../server.py", "static/%2e%2e/server.py", "static/..%2fserver.py",
     "static//etc/passwd", "static/practice-1.game", "practice-1.game", "map/1-../../x-dark.svg"],
)  # fmt: skip
def test_no_file_can_be_named(server: PhoneServer, path: str) -> None:
    assert status(server, path) in (403, 404)


def test_a_code_is_worth_something_once(server: PhoneServer) -> None:
    code = server.lobby.code
    cookie = paired(server)
    assert server.lobby.code != code
    with pytest.raises(HTTPError):
        paired(server, code)
    assert "HttpOnly" not in cookie
    own = {"Origin": server.url.rstrip("/")}
    body = json.dumps({"code": server.lobby.code}).encode()
    with open_url(Request(f"{server.url}pair", body, own)) as answer:
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "SameSite=strict" in answer.headers["Set-Cookie"]


def test_guessing_codes_ends_after_some() -> None:
    lobby = Lobby()
    lobby.new_code()
    for number in range(WRONG_CODES):
        assert lobby.pair(f"{number}", "1.2.3.4") is None
    assert lobby.pair(lobby.code, "1.2.3.4") is None, "the right one comes too late"
    assert lobby.pair(lobby.code, "1.2.3.5")


def test_there_is_room_for_so_many_screens() -> None:
    lobby = Lobby()
    lobby.new_code()
    assert all(lobby.pair(lobby.code, "a") for _ in range(MOST_SCREENS))
    assert lobby.pair(lobby.code, "a") is None


def test_what_is_kept_of_a_screen_opens_nothing(tmp_path: Path) -> None:
    lobby = Lobby.beside(tmp_path / "a.game")
    secret = lobby.pair(lobby.code, "a")
    assert secret
    kept = (tmp_path / "a.phones.json").read_text(encoding="utf-8")
    assert secret not in kept
    again = Lobby.beside(tmp_path / "a.game")
    assert again.find(secret)
    assert again.find(hashed(secret)) is None
    assert again.find("") is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"screens": 3}', '{"screens": [{"key": 1}], "port": "x"}']
)
def test_a_broken_file_of_screens_only_means_that_none_is_paired(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.phones.json").write_text(text)
    assert Lobby.beside(tmp_path / "a.game").screens == []


def test_without_a_pairing_nothing_is_shown(server: PhoneServer) -> None:
    assert status(server, "map/1-en-dark.svg") == 403
    origin: Any = server.url.rstrip("/")
    with connect(f"ws://{HERE}:{server.port}/socket", origin=origin, proxy=None) as opened:
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == PAIR


def test_a_screen_that_was_thrown_out_stays_out(server: PhoneServer) -> None:
    screen = Screen(server)
    server.throw_out(screen.parts["self"]["id"])
    with pytest.raises(ConnectionClosed) as closed:
        screen.settle()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == OUT
    again = screen.open()
    with pytest.raises(ConnectionClosed):
        again.recv(5)


def test_a_seat_belongs_to_one_screen(server: PhoneServer) -> None:
    anna, other = Screen(server, "blue"), Screen(server)
    other.send({"t": "sit", "seat": "blue"})
    other.settle()
    assert other.parts["self"]["seat"] == ""
    assert other.parts["taken"].keys() == {"blue"}
    anna.send({"t": "sit", "seat": ""})
    anna.settle()
    other.send({"t": "sit", "seat": "blue"})
    other.until(lambda: other.parts["self"]["seat"] == "blue")
    for screen in (anna, other):
        server.throw_out(screen.parts["self"]["id"])


def test_a_name_is_short_and_plain(server: PhoneServer) -> None:
    screen = Screen(server)
    screen.send({"t": "look", "name": "A\x00\n<b>" + "x" * 90})
    screen.until(lambda: screen.parts["self"]["name"])
    assert screen.parts["self"]["name"] == ("A<b>" + "x" * 90)[:24]
    server.throw_out(screen.parts["self"]["id"])


def test_a_flood_is_cut_off_and_a_long_message_too(server: PhoneServer) -> None:
    screen = Screen(server)

    def flood() -> None:
        """The server may cut it off before the last of them."""
        for _ in range(400):
            screen.send({"t": "ping"})
        screen.settle()

    with pytest.raises(ConnectionClosed) as closed:
        flood()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == TOO_FAST
    screen.socket = screen.open()
    screen.send("x" * 9000)
    with pytest.raises(ConnectionClosed):
        screen.settle()
    server.throw_out(screen.parts["self"]["id"])


@pytest.mark.parametrize("game", GAMES)
def test_every_handle_is_refused_on_every_other_seat(game: str, tmp_path: Path) -> None:
    """Handles of one screen mean nothing on another, unless that was given the same one itself."""
    with served(tmp_path / "practice-1.game", game) as server:
        watcher = Screen(server, "")
        seats = [seat["id"] for seat in watcher.parts["view"]["seats"]]
        screens = {seat: Screen(server, seat) for seat in seats}
        assert watcher.taps() == []
        assert any(screen.taps() for screen in screens.values())
        seq = watcher.parts["view"]["seq"]
        for seat, screen in screens.items():
            for other, stranger in [*screens.items(), ("", watcher)]:
                strange = [tap for tap in screen.taps() if tap not in stranger.taps()]
                for tap in strange[:6] if other != seat else ():
                    answer = stranger.act({"tap": tap})
                    assert "ok" not in answer, (seat, other, tap)
        assert server.people()
        watcher.settle()
        assert watcher.parts["view"]["seq"] == seq


@pytest.mark.parametrize(
    "intent",
    [{"undo": True}, {"redo": True}, {"move": "b1", "x": 1, "y": 1, "heading": 0}, {"tap": "c1"},
     {"do": "save", "file": "/tmp/x"}, {"select": None, "undo": True}, "undo", None, [], 7],
)  # fmt: skip
def test_a_watcher_can_only_look(server: PhoneServer, intent: Any) -> None:
    watcher = Screen(server, "")
    assert "ok" not in watcher.act(intent)
    assert watcher.act({"select": "b1"}) == {"n": 2, "ok": True}
    assert watcher.taps() == []
    server.throw_out(watcher.parts["self"]["id"])


def test_nobody_moves_the_trays_of_others_or_corrects_alone(server: PhoneServer) -> None:
    red = Screen(server, "red")
    assert "ok" not in red.act({"move": "b1", "x": 20, "y": 20, "heading": 90})
    seq = red.parts["view"]["seq"]
    corrects = {"move": "r1", "x": 2, "y": 2, "heading": 90, "keep": True}
    assert red.act(corrects)["ok"], "the other player is asked"
    assert server._host.call(lambda game: game.session.history.seq).result(20) == seq
    server.throw_out(red.parts["self"]["id"])


def test_a_thousand_hostile_messages_change_nothing(tmp_path: Path) -> None:
    """They are given to the same code as those of a socket, without the limit of 8 a second."""
    with served(tmp_path / "practice-1.game", "tmg-2021") as server:
        red = Screen(server, "red")
        seq = red.parts["view"]["seq"]
        link = server._links[red.parts["self"]["id"]]
        random_value, host = random.Random(35), server._host
        viewer = link.viewer
        assert viewer is not None
        intents = [hostile(random_value) for _ in range(1_000)]
        refused = sum(
            host.call(lambda _, given=given: viewer.act(given)).result(20) is not None  # type: ignore[misc]
            for given in intents
        )
        assert refused > 900
        red.settle()
        assert host.call(lambda game: game.session.history.seq).result(5) == seq
        assert sorted(path.name for path in tmp_path.iterdir() if "-" not in path.suffix) == [
            "practice-1.game",
            "practice-1.phones.json",
        ]


def hostile(draw: random.Random) -> Any:
    """A message that no page sends: odd values, or commands instead of handles."""
    values: list[Any] = [
        None, True, -1, 1e308, 2**70, "", "c1", "b1", "../../etc/passwd", "\x00", "я" * 300, [], {},
        [[[]]], {"do": "save", "file": "/tmp/x"}, ["b1"], "__class__", "{0}", 4.5,
    ]  # fmt: skip
    keys = ["tap", "select", "move", "faces", "count", "values", "x", "y", "heading", "cell",
            "keep", "as", "do", "by", "author", "for", "table"]  # fmt: skip
    chosen = draw.sample(keys, draw.randint(0, 4))
    intent = {key: draw.choice(values) for key in chosen}
    if set(intent) == {"select"} or intent.get("tap") == "c1":
        intent["do"] = "undo"
    return draw.choice([intent, intent, intent, draw.choice(values)])


def test_a_paired_screen_is_known_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "practice-1.game"
    with served(path, "thrones") as server:
        screen = Screen(server, "p1")
        cookie, port = screen.cookie, server.port
    with served(path) as server:
        assert server.port == port
        again = Screen(server, cookie=cookie)
        assert again.parts["self"]["seat"] == "p1"


@pytest.mark.parametrize("path", [f"map/{'9' * 5000}-en-dark.svg", f"throw/{'9' * 5000}d6"])
def test_a_number_of_thousands_of_digits_is_no_address(server: PhoneServer, path: str) -> None:
    assert status(server, path, Cookie=paired(server)) == 404


@pytest.mark.parametrize(
    "message", [b"\x00\xff", b'{"t":"ping"}', '{"t":"look","language":[]}', '{"t":"sit","seat":{}}']
)
def test_an_odd_message_does_not_end_the_connection(
    server: PhoneServer, message: str | bytes
) -> None:
    screen = Screen(server)
    screen.socket.send(message)
    assert screen.act({"select": None}) == {"n": 1, "ok": True}
    server.throw_out(screen.parts["self"]["id"])


def test_a_file_of_screens_with_an_odd_key_pairs_nobody(tmp_path: Path) -> None:
    lobby = Lobby.beside(tmp_path / "a.game")
    secret = lobby.pair(lobby.code, "a")
    lobby.screens[0].key = "é" * 64
    lobby.save()
    again = Lobby.beside(tmp_path / "a.game")
    assert (again.find(secret), again.screens) == (None, [])


def answered(server: PhoneServer, source: str, asked: str) -> tuple[socket.socket, bytes]:
    """A connection from an address of this machine, and what it is answered in a while."""
    opened = socket.create_connection((HERE, server.port), WAIT_S, (source, 0))
    try:
        opened.sendall(f"{asked} HTTP/1.1\r\nHost: {HERE}:{server.port}\r\n".encode())
        if asked == "GET /":
            opened.sendall(b"\r\n")
            return opened, opened.recv(100)
    except ConnectionError:
        pass  # there are too many
    return opened, b""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this machine has one address")
def test_one_device_that_holds_connections_keeps_nobody_out(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.server.ASK_S", 60.0)
    held = [answered(server, "127.0.0.9", "GET /half")[0] for _ in range(80)]
    guest, page = answered(server, "127.0.0.8", "GET /")
    for one in (*held, guest):
        one.close()
    assert page.startswith(b"HTTP/1.1 200")


def test_a_connection_that_asks_for_nothing_is_closed(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.server.ASK_S", 0.1)
    opened, _ = answered(server, HERE, "GET /half")
    with suppress(ConnectionError):
        assert opened.recv(1) == b""
    opened.close()


def test_a_body_that_never_comes_is_not_waited_for(
    server: PhoneServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_requests, "BODY_S", 0.1)
    origin = f"Origin: {server.url.rstrip('/')}\r\nContent-Length: 5\r\n\r\n"
    opened, _ = answered(server, HERE, "POST /pair")
    opened.sendall(origin.encode())
    assert opened.recv(100).startswith(b"HTTP/1.1 408")
    opened.close()
