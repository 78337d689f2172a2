"""The commands of `companion`, a file each."""

from __future__ import annotations


def main(arguments: list[str] | None = None) -> int:
    """Run one command line; the program is read only when it is asked for."""
    from companion.cli.program import main as program

    return program(arguments)
