"""The subcommands of `companion`, one file each."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command line; the program is imported only when it is called."""
    from companion.cli.program import main as program

    return program(arguments)
