"""`python -m companion` does what the command `companion` does."""

from companion.cli.program import main

if __name__ == "__main__":
    raise SystemExit(main())
