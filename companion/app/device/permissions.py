"""What Android lets the app do, asked for when it is needed."""

from __future__ import annotations


def ask_for_network() -> None:
    """A camera in the network was chosen: nothing else of the app ever opens a connection."""
    ask_for("INTERNET")


def ask_for(permission: str) -> None:
    """Ask Android for a permission; elsewhere there is nobody to ask."""
    try:
        from android.permissions import Permission, request_permissions
    except ImportError:
        return
    request_permissions([getattr(Permission, permission)])
