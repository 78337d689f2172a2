"""Android permissions, requested when they are needed."""

from __future__ import annotations


def ask_for_network() -> None:
    """Request network access for a network camera; nothing else in the app opens a connection."""
    ask_for("INTERNET")


def ask_for(permission: str) -> None:
    """Request an Android permission; does nothing elsewhere."""
    try:
        from android.permissions import Permission, request_permissions
    except ImportError:
        return
    request_permissions([getattr(Permission, permission)])
