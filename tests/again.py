"""Run the few tests that failed in the last run once more, alone; name those that pass only alone.

Run after `make test` by `make test-again`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.arguments import arguments

FAILED = Path(".pytest_cache/v/cache/lastfailed")
# More failures than these are no accident of a busy machine.
MOST = 5


def failed_tests(cache: Path = FAILED) -> list[str]:
    """What the last run of pytest noted as failed."""
    try:
        return sorted(json.loads(cache.read_text()))
    except (OSError, ValueError):
        return []


def main() -> int:
    """The status of the second run; 1 where no second run can tell anything."""
    arguments(sys.argv[1:])
    names = failed_tests()
    if not 0 < len(names) <= MOST or not all("::" in name for name in names):
        print(f"not run again: {len(names)} tests failed")
        return 1
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names]
    status = subprocess.run(words, check=False)
    if not status.returncode:
        print("passed only when run alone; find out why: " + ", ".join(names))
    return status.returncode


if __name__ == "__main__":
    raise SystemExit(main())
