"""The table companion: sees a table, knows the rules, remembers the game."""

import sys

if getattr(sys, "argv", [""])[:1] and sys.argv[0].endswith(("-m", "companion", "companion.exe")):
    # Run as a command, not imported by another program: loading the rest takes a moment.
    from companion.cli import exit_on_interrupt

    exit_on_interrupt.install()
