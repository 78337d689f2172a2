"""Where the packaged program begins: the app without words, every command with them."""

import multiprocessing
import sys

from companion.cli import exit_on_interrupt

if __name__ == "__main__":
    exit_on_interrupt.install()
    multiprocessing.freeze_support()
    from companion.cli.program import main

    sys.exit(main(sys.argv[1:] or ["play"]))
