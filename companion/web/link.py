"""One open socket of a paired screen: messages in, changed parts out."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from starlette.websockets import WebSocket

from companion.games.api.play import Refusal
from companion.text.lengths import whole_percent
from companion.text.translation import LANGUAGES
from companion.web.lobby import AttemptLimit, PairedScreen, screen_name
from companion.web.viewer import SeatedViewer
from models.message import say

PAIR, ELSEWHERE, OUT, STOPPED, TOO_FAST = 4401, 4409, 4403, 4410, 4429
"""Why a socket is closed: it must pair, another window took over, the host threw it out, phones
are off, it sent too much."""
LONGEST_MESSAGE = 8192
A_SECOND = 8
"""How many messages a second a screen may send; twice as many at once."""
STEPS_A_MINUTE = 90
REMEMBERED = 32
"""How many answers are remembered, for a tap that is sent again after the connection was lost."""

Call = Callable[[Callable[[], Any]], Future[Any]]
Answer = dict[str, Any]


class MessageRate:
    """A bucket that fills by so many messages a second."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._left, self._at = now, 2.0 * A_SECOND, now()

    def take(self) -> bool:
        """Whether one more message is allowed."""
        now = self._now()
        self._left = min(self._left + (now - self._at) * A_SECOND, 2.0 * A_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Memory:
    """What outlives a connection: how the screen looks at the game, with what it has begun, and
    the answers to its newest taps, so that a tap that arrives twice is done once."""

    def __init__(self) -> None:
        self.viewer: SeatedViewer | None = None
        self.version = 0
        """How often the screen has changed its seat or its language: handles of before are void."""
        self._answers: dict[tuple[str, int], Answer] = {}
        self._order: deque[tuple[str, int]] = deque()
        self.steps = AttemptLimit(STEPS_A_MINUTE)

    def find(self, page: str, number: int) -> Answer | None:
        return self._answers.get((page, number))

    def keep(self, page: str, number: int, answer: Answer) -> None:
        self._answers[page, number] = answer
        self._order.append((page, number))
        if len(self._order) > REMEMBERED:
            self._answers.pop(self._order.popleft(), None)


class Link:
    """One open socket."""

    def __init__(
        self,
        socket: WebSocket,
        screen: PairedScreen,
        memory: Memory,
        boot: str,
        call: Call,
        announce: Callable[[], object] = lambda: None,
    ) -> None:
        """`announce`: the others see what this one has begun."""
        self.socket, self.screen, self.memory = socket, screen, memory
        self._boot = boot
        self.renewed = asyncio.Event()
        self.renewed.set()
        self._call, self._announce = call, announce
        self._rate = MessageRate()
        self._sent: dict[str, str] = {}
        self._sending = asyncio.Lock()

    @property
    def viewer(self) -> SeatedViewer | None:
        return self.memory.viewer

    @property
    def boot(self) -> str:
        """What its handles belong to."""
        return f"{self._boot}.{self.memory.version}"

    async def push(self, extra: Callable[[], dict[str, Any]]) -> None:
        """Send what has changed, again and again; what a slow screen has missed is left out."""
        while True:
            await self.renewed.wait()
            self.renewed.clear()
            viewer = self.viewer
            parts = await self.on_game_thread(viewer.parts) if viewer is not None else {}
            await self.send_changed(parts | extra())

    async def on_game_thread(self, job: Callable[[], Any]) -> Any:
        return await asyncio.wrap_future(self._call(job))

    async def send_changed(self, parts: dict[str, Any]) -> None:
        """Send the parts that are not as they were."""
        texts = {name: dumped(part) for name, part in parts.items()}
        changed = {name: text for name, text in texts.items() if self._sent.get(name) != text}
        if changed:
            body = ",".join(f'"{name}":{text}' for name, text in changed.items())
            self._sent |= changed
            await self.send_text("{" + body + "}")

    async def send_text(self, text: str) -> None:
        async with self._sending:
            await self.socket.send_text(text)

    # -- what comes in -------------------------------------------------------------------------

    async def read(self, handle: Callable[[str, dict[str, Any]], Any]) -> int:
        """Read messages until one is one too many; the answer says why it ended."""
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect":
                return 0
            if not self._rate.take():
                return TOO_FAST
            message = parsed(received.get("text") or "")
            kind = message.get("t")
            if kind == "do":
                await self.do(message)
            elif isinstance(kind, str):
                await handle(kind, message)

    async def do(self, message: dict[str, Any]) -> None:
        """Carry out a tap, once, and answer it."""
        number, page = message.get("n"), message.get("page")
        if type(number) is not int or not isinstance(page, str) or len(page) > 40:
            return
        answer = self.memory.find(page, number)
        if answer is None:
            answer = await self.carry_out(message)
            self.memory.keep(page, number, answer)
            self.renewed.set()
        await self.send_text('{"answer":' + dumped({"n": number, **answer}) + "}")

    async def carry_out(self, message: dict[str, Any]) -> Answer:
        """The answer to a tap: done, or why not."""
        viewer = self.viewer
        if viewer is None or message.get("boot") != self.boot:
            return {"stale": True}
        intent = message.get("intent")
        if self.memory.steps.full():
            return {"say": viewer.client.words(say("Too many taps. Wait a moment."))}
        if not (isinstance(intent, dict) and ("select" in intent or intent.get("try"))):
            self.memory.steps.count()
        rolling = viewer.client.rolling
        refusal = await self.on_game_thread(lambda: viewer.act(intent))
        if (viewer.client.rolling is None) != (rolling is None):
            self._announce()
        if not isinstance(refusal, Refusal):
            return {"ok": True}
        return {"say": str(refusal.say), "why": refusal.why, "stale": refusal.why == "STALE"}

    def describe(self, message: dict[str, Any]) -> bool:
        """Take over the language and the name that the screen gives itself; whether any changed."""
        before = self.screen.language, self.screen.name
        language = message.get("language")
        if isinstance(language, str) and language in LANGUAGES:
            self.screen.language = language
        if "name" in message:
            self.screen.name = screen_name(message["name"])
        return before != (self.screen.language, self.screen.name)


def parsed(text: str) -> dict[str, Any]:
    """A message; an empty one for anything that is none."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def dumped(value: Any) -> str:
    """A value as JSON, as short as it can be."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return whole_percent(told)
