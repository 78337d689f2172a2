"""`python -m companion` does what the command `companion` does."""

from companion.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
