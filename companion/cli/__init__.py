"""The subcommands of `companion`, one file each."""

import os

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Cameras are fitted with small matrices, on which threads only wait for one another: with one, a
small photo takes a third of the time."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command line; the program is imported only when it is called."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    from companion.cli.program import main as program

    return program(arguments)
