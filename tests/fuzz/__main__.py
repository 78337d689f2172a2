"""`python -m tests.fuzz COUNT [NAME ...] [--seed N] [--only NUMBER]`: run the fuzzers."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import subprocess
import sys
import time

import tests.fuzz
from tests.fuzz.driver import Fuzzer, run

NO_FUZZERS = ("driver", "__main__", "mutate")


def names() -> list[str]:
    """The modules of this package that hold a fuzzer."""
    found = (module.name for module in pkgutil.iter_modules(tests.fuzz.__path__))
    return sorted(n for n in found if n not in NO_FUZZERS and not n.startswith("test_"))


def fuzzer_of(name: str) -> Fuzzer:
    """The fuzzer of a module."""
    found: Fuzzer = importlib.import_module(f"tests.fuzz.{name}").FUZZER
    return found


def main(arguments: list[str]) -> int:
    """Run the named fuzzers, each in a process of its own; 1 if any of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int)
    parser.add_argument("names", nargs="*", default=[], metavar="NAME", help=", ".join(names()))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    args = parser.parse_args(arguments)
    if len(args.names) != 1:
        rest = ["--seed", str(args.seed)]
        processes = (
            subprocess.run(
                [sys.executable, "-m", "tests.fuzz", str(args.count), name, *rest], check=False
            )
            for name in args.names or names()
        )
        return max(1 if done.returncode else 0 for done in processes)
    began = time.monotonic()
    outcome = run(fuzzer_of(args.names[0]), args.count, args.seed, args.only)
    for failure in outcome.failures[:20]:
        print(failure)
    print(
        f"{args.names[0]}: {outcome.ends.total()} inputs, seed {args.seed}: {dict(outcome.ends)}, "
        f"slowest {outcome.slowest_s:.2f} s, memory +{outcome.memory_bytes / 2**20:.0f} MiB, "
        f"{time.monotonic() - began:.0f} s",
        flush=True,
    )
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
