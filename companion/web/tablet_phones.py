"""Phones beside the app: the open game of the tablet, served while the players want it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from companion.engine.app_service import AppService
from companion.engine.snapshot import Snapshot
from companion.engine.turn.running_game import RunningGame
from companion.web.address import home_address
from models import CompanionError

if TYPE_CHECKING:
    from companion.web.server import PhoneServer  # the app starts without it

T = TypeVar("T")
Changed = Callable[[], object]


class TabletHost:
    """The open game of the app, behind the app's own worker."""

    def __init__(self, service: AppService) -> None:
        self.path = Path(service.snapshot.path)
        self._service = service
        self._shown: tuple[object, ...] = ()

    @property
    def colours(self) -> Mapping[str, int]:
        return self._service.controller.game.seats.colours

    @property
    def throw(self) -> dict[str, Any] | None:
        return self._service.controller.camera_session.throw

    @property
    def watched(self) -> bool:
        return self._service.live.picture is not None

    def live_picture(self) -> bytes | None:
        return self._service.live_jpeg()

    def call(self, job: Callable[[RunningGame], T]) -> Future[T]:
        """Do something with the game, on the app's worker."""
        return self._service.worker.promise(lambda: job(self.open_game()))

    def open_game(self) -> RunningGame:
        """The game; an error once the tablet has left it."""
        game = self._service.controller.shared()
        if game is None or game.session.log.path != self.path:
            raise CompanionError("the tablet has left the game")
        return game

    def subscribe(self, changed: Changed) -> Changed:
        """Call `changed` when a phone may show something else: not for every picture."""

        def listen(snapshot: Snapshot) -> None:
            shown = snapshot.view, snapshot.proposals, snapshot.table
            if shown != self._shown:
                self._shown = shown
                changed()

        cameras, unsubscribe = (
            self._service.controller.camera_session,
            self._service.subscribe(listen),
        )
        cameras.dice_changed = changed

        def end() -> None:
            cameras.dice_changed = lambda: None
            unsubscribe()

        return end


class TabletPhones:
    """Nothing, or a server of the game that is open on the tablet; it stops with the game."""

    def __init__(self, service: AppService) -> None:
        self._service = service
        self.server: PhoneServer | None = None
        self._unsubscribe: Changed = lambda: None

    def start(self) -> PhoneServer:
        """Listen for phones from now on."""
        from companion.web.server import PhoneServer

        if self.server is None:
            server = PhoneServer(TabletHost(self._service), home_address())
            server.start()
            self.server, path = server, self._service.snapshot.path
            self._unsubscribe = self._service.subscribe(
                lambda snapshot: self.left() if snapshot.path != path else None
            )
        return self.server

    def left(self) -> None:
        """The game was left; the worker does not wait for the server's end."""
        threading.Thread(target=self.stop, daemon=True).start()

    def stop(self) -> None:
        """Listen no more."""
        server, self.server = self.server, None
        if server is not None:
            self._unsubscribe()
            server.stop()

    def holder(self, seat: str) -> str | None:
        """The name of the screen that plays a seat; None if the tablet does."""
        screen = self.server.lobby.holder(seat) if self.server is not None else None
        return screen.name if screen is not None else None
