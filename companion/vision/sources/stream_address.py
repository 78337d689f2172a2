"""The address of a camera in the network: how it is shown, and where it may lead.

A camera is believed for its pictures, not for addresses: its answer may name another page of the
same machine, but no file of ours, no other machine and no other way to talk.
"""

from __future__ import annotations

import http.client
import re
from urllib.parse import SplitResult, urljoin, urlsplit

from models.message import SECRETS, STARS, CompanionError, say

CONTAINERS = "mov,mp4,avi,matroska,webm,mpegts,mpeg,flv,ogg,mpjpeg,mjpeg,rtsp"
"""What may be opened as a video: not pictures, which are photos, and not playlists, which may
name files and other machines."""
PLAIN, ENCRYPTED = "http,tcp,udp,rtp,rtsp", "https,tls,rtsps"
"""The ways to talk to a camera. The encrypted ones, and with them OpenSSL inside the OpenCV wheel,
are there only for an address that begins so."""
QUEUE_BYTES = 128 * 1024
"""What may wait to be read of what a camera has sent: more would be old pictures."""
PATIENCE_S = 5.0
MOST_REDIRECTS = 3
LOGIN = re.compile(r"[^\s/@]+:[^\s@]*@[\w.\[\]:-]+(?:/.*)?")
"""A name and a password before a machine's name, as in an address whose beginning was left out."""


class NoCamera(CompanionError):
    """A camera or stream that cannot be opened."""


def masked(address: str) -> str:
    """An address as it may be shown: names and passwords are stars.

    >>> masked("rtsp://me:secret@192.168.0.10/live?pwd=abc&n=1")
    'rtsp://***@192.168.0.10/live?pwd=***&n=1'
    >>> masked("rtsp://me:a/b#c d@192.168.0.10/live")
    'rtsp://***@192.168.0.10/live'
    >>> masked("http://192.168.0.10/video.cgi?loginuse=me&loginpas=abc&rate=0")
    'http://192.168.0.10/video.cgi?loginuse=***&loginpas=***&rate=0'
    >>> masked("me:secret@192.168.0.10/live"), masked("photos/10:30.jpg")
    ('***@192.168.0.10/live', 'photos/10:30.jpg')
    """
    if "://" not in address:
        return re.sub(r".*@", f"{STARS}@", address) if LOGIN.fullmatch(address) else address
    return SECRETS.sub(rf"\1{STARS}", re.sub(r"(?s)://.*@", f"://{STARS}@", address))


def ffmpeg_options(place: str) -> str:
    """What FFmpeg may do with a file or an address.

    >>> "tls" in ffmpeg_options("http://camera/"), "file" in ffmpeg_options("http://camera/")
    (False, False)
    >>> ffmpeg_options("a.mp4").endswith("|protocol_whitelist;file")
    True
    """
    usual = f"rtsp_transport;tcp|max_redirects;0|format_whitelist;{CONTAINERS}"
    if "://" not in place:
        return f"{usual}|protocol_whitelist;file"
    scheme = place.split("://", maxsplit=1)[0].lower()
    ways = f"{PLAIN},{ENCRYPTED}" if scheme in ENCRYPTED.split(",") else PLAIN
    own = f",{scheme}" if scheme.isalnum() else ""
    return f"{usual}|recv_buffer_size;{QUEUE_BYTES}|protocol_whitelist;{ways}{own}"


def redirected(address: str) -> str:
    """Where a camera sends whoever asks at this address; empty if it sends nobody on.

    Another machine is refused by name: the players may enter its address themselves.
    """
    here = address
    for _ in range(MOST_REDIRECTS):
        place = location(urlsplit(here))
        if not place:
            break
        before, after = urlsplit(here), urlsplit(urljoin(here, place))
        if (after.scheme, after.hostname) != (before.scheme, before.hostname):
            raise NoCamera(
                say(
                    "{camera}: leads to {other}, another address; enter that one if you trust it",
                    camera=masked(address),
                    other=masked(f"{after.scheme}://{after.hostname}")[:120],
                )
            )
        login, at, _ = before.netloc.rpartition("@")
        host = after.netloc.rpartition("@")[2]
        here = after._replace(netloc=f"{login}{at}{host}").geturl()
    return here if here != address else ""


def location(place: SplitResult) -> str:
    """The redirection in a web server's answer, empty if there is none."""
    try:
        link = http.client.HTTPConnection(
            place.hostname or "", place.port or 80, timeout=PATIENCE_S
        )
        try:
            link.request("GET", (place.path or "/") + (f"?{place.query}" if place.query else ""))
            answer = link.getresponse()
            found = answer.getheader("Location") if 300 <= answer.status < 400 else None
        finally:
            link.close()
    except (OSError, ValueError, http.client.HTTPException):
        return ""
    return found or ""
