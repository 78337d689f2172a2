"""The command `serve`: a game on the phones, tablets and televisions of the home network."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.translation import LANGUAGE, _, complain
from models import BadInput

if TYPE_CHECKING:
    from companion.cli.look import LookCommands
    from companion.session.session import Session
    from companion.web.server import PhoneServer

# Server and session are imported when the command runs.


def add_commands(commands: LookCommands) -> None:
    what = "a game on phones: prints the address and the code with which screens join"
    added = commands.add_parser("serve", help=what, description=what, allow_abbrev=False)
    added.add_argument("file", nargs="?", type=Path, metavar="FILE", help="go on with this game")
    added.add_argument(
        "--game", default="", metavar="GAME", help="begin the practice game of this game"
    )
    added.add_argument("--address", default="", metavar="IP", help="listen at this address only")
    added.add_argument("--port", type=port, default=0, metavar="N")
    added.add_argument("--out", type=Path, default=Path("out"), metavar="FOLDER")
    added.add_argument("--language", **LANGUAGE)
    added.set_defaults(run=serve)


def port(text: str) -> int:
    """A port that needs no rights of an administrator."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1024 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1024 to 65535")
    return number


def serve(args: argparse.Namespace) -> int:
    """Serve a game until the input says `stop`, or until Ctrl-C."""
    from companion.cli.text_play import begun_or_gone, new_practice_file
    from companion.engine.files.draft import Draft
    from companion.library.kept_game import begin_practice
    from companion.web.address import home_address
    from companion.web.game_host import FileHost
    from companion.web.server import PhoneServer

    practice = args.game or ("" if args.file is not None else Draft.fresh().game)
    path = args.file or new_practice_file(args.out)
    if not practice and not path.exists():
        raise BadInput(str(path), "", "there is no such game")
    if path.is_dir():
        raise BadInput(str(path), "", "is a folder, not a game's file")
    address = args.address or home_address()

    def begin(session: Session) -> None:
        if practice:
            begin_practice(session, practice, path)
        if session.history.now.play is None:
            raise BadInput(str(path), "", "holds no game that is set up")

    with begun_or_gone(path):
        host = FileHost(path, begin)
    server: PhoneServer | None = None
    try:
        server = PhoneServer(host, address, args.port)
        server.start()
        complain(_("the game is kept in {file}").format(file=path))
        attend(server)
    except KeyboardInterrupt:
        pass
    finally:
        if server is not None:
            server.stop()
        host.close()
    return 0


def attend(server: PhoneServer) -> None:
    """Show the code of the moment and do what the host types."""
    shown = Announcement(server)
    server.changed = shown.renew
    shown.renew()
    for line in sys.stdin:
        word, _space, name = line.strip().partition(" ")
        if word == "stop":
            return
        if word == "code":
            server.new_code()
        elif word == "out":
            for screen in server.people():
                if name.strip() in (screen.name, screen.id, screen.seat):
                    server.throw_out(screen.id)
        elif word:
            print(_("code: another code · out NAME: throw a screen out · stop"), flush=True)
    threading.Event().wait()  # without a terminal it serves until it is interrupted


class Announcement:
    """Prints the code when it is another one, and who is here when that has changed."""

    def __init__(self, server: PhoneServer) -> None:
        self._server, self._code, self._people = server, "", ""
        self._lock = threading.Lock()

    def renew(self) -> None:
        """Print what is new."""
        import segno

        server = self._server
        with self._lock:
            people = "\n".join(
                f"  {screen.name or screen.id}: {screen.seat or _('watches')}"
                + ("" if screen.here else f" ({_('away')})")
                for screen in server.people()
            )
            if people != self._people:
                self._people = people
                print(people, flush=True)
            if server.lobby.code != self._code:
                self._code = server.lobby.code
                if sys.stdout.isatty():
                    segno.make(server.join_url, error="m").terminal(compact=True)
                print(
                    _("{address} – code {code}").format(address=server.url, code=self._code),
                    flush=True,
                )
