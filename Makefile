# make play   open the app on the practice table; without a display it plays a short game off screen
# make screenshots  the main screens into docs/screens
# make test   run every test, or those in TESTS
# Both set up all they need on their own; python3 (3.11 or newer) with venv, git and make must be
# there. What draws the screen is installed as root, else named in one line.

PYTHON ?= python3
TABLE  ?= models/data/practice.table.json
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip install --quiet --quiet --disable-pip-version-check

.PHONY: play screen screenshots test lint rules bench soak clean

play: screen $(VENV)/.ready
	@$(PY) -m companion.cli play $(TABLE) --out out

screenshots: screen $(VENV)/.ready
	@SDL_VIDEODRIVER=offscreen $(PY) -m companion.app.screenshots docs/screens

test: screen $(VENV)/.ready-dev
	@$(PY) -m pytest -q -n auto --dist loadscope -m 'not live' $(TESTS)

# Without a display the app and its tests draw off screen with Mesa's software renderer.
SCREEN  := libgl1-mesa-dri libgl1 libgles2 libegl1 libmtdev1
HAS_GL  := $(PYTHON) -c 'import ctypes, sys; sys.platform != "linux" or [ctypes.CDLL(name) for name in ("libGL.so.1", "libEGL.so.1")]' 2>/dev/null
screen:
	@command -v $(PYTHON) >/dev/null || exit 0; \
	$(HAS_GL) || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    echo "installing what draws the screen: $(SCREEN)" && \
	    { apt-get update && DEBIAN_FRONTEND=noninteractive \
	      apt-get install -y --no-install-recommends $(SCREEN); } >/dev/null 2>&1 && $(HAS_GL); } || \
	  { echo "make: OpenGL is missing; on Debian or Ubuntu: sudo apt install $(SCREEN)" >&2; exit 1; }

lint: $(VENV)/.ready-dev
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@$(PY) -m pytest -q tests/test_imports.py

rules: $(VENV)/.ready-dev
	@$(PY) -m tests.rule_report

bench: $(VENV)/.ready-dev
	@set -e; for file in $$(grep -l '__main__' bench/*.py); do \
	  echo "== $$file"; $(PY) -m bench.$$(basename $$file .py); done

# Long trials: a game killed at 300 random moments, harmed in 200 random ways, on a full disk and a
# read-only one; a monkey at the screens; 200 whole random games; 10,000 odd tables; a thousand
# different frames looked at (broken off, they go on where they were); and what needs a machine
# with nothing else to do.
soak: $(VENV)/.ready-dev
	@$(PY) -m tests.session.kills 300
	@$(PY) -m tests.session.harms 200
	@$(PY) -m tests.app.monkey --touches 200000
	@$(PY) -m tests.play.random_games 200
	@$(PY) -m tests.odd_tables 10000
	@$(PY) -m bench.vision --frames 1000 --verdicts 500 --log out/frames.log
	@$(PY) -m pytest -q -m live

clean:
	rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is newer than pyproject.toml exactly when what it asks for is installed.
$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "make: Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "make: Python's venv module is missing; on Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "setting up $(VENV) (once; a few minutes where the packages must be fetched)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --editable .
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	@echo "adding what the tests need"
	@$(PIP) --editable '.[dev]'
	@touch $@
