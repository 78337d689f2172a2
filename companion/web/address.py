"""The address of this machine in the home network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import closing

from models import CompanionError

PORT = 8737
PROBES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
"""Addresses that are only looked up in the routing table; nothing is sent to them."""


def home_address() -> str:
    """The address under which others in the network find this machine."""
    for probe in PROBES:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as looked_up:
            try:
                looked_up.connect((probe, 9))
            except OSError:
                continue
            address = looked_up.getsockname()[0]
            if usable(address):
                return str(address)
    raise CompanionError("no network was found; join a Wi-Fi, or name an address with --address")


def usable(address: str) -> bool:
    """Whether it is one address of one machine: never all of them."""
    try:
        found = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    return not (found.is_unspecified or found.is_multicast or found == BROADCAST)


BROADCAST = ipaddress.IPv4Address("255.255.255.255")


def bound(address: str, port: int) -> socket.socket:
    """A listening socket at this one address: at this port, or at any if it is taken and 0."""
    if not usable(address):
        raise CompanionError(f"{address!r} is not an address like 192.168.1.20")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError as error:
        listening.close()
        raise CompanionError(f"{address}:{port}: {error.strerror or error}") from None
    listening.listen(64)
    listening.setblocking(False)
    return listening


def bound_near(address: str, ports: tuple[int, ...]) -> socket.socket:
    """The first of these ports that is free, else any."""
    for port in ports:
        try:
            return bound(address, port)
        except CompanionError:
            if not usable(address):
                raise
    return bound(address, 0)
