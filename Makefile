# make play   open the app on the practice table; without a display it plays a short game off screen
# make screenshots  the main screens into docs/screens
# make test   run every test
# Both set up .venv on their own; only python3 (3.11 or newer), git and make are needed.

PYTHON ?= python3
TABLE  ?= models/data/practice.table.json
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip install --quiet --quiet --disable-pip-version-check

.PHONY: play screen screenshots test lint rules mutants bench soak clean

play: $(VENV)/.ready
	@$(PY) -m companion.cli play $(TABLE) --out out

screenshots: $(VENV)/.ready
	@SDL_VIDEODRIVER=offscreen $(PY) -m companion.app.screenshots docs/screens

test: $(VENV)/.ready-dev screen
	@$(PY) -m pytest -q -n auto --dist loadscope -m 'not live'

# The app's tests draw off screen with Mesa's software renderer.
SCREEN := libgl1-mesa-dri libgl1 libgles2 libegl1 libmtdev1
screen:
	@$(PYTHON) -c 'import ctypes; ctypes.CDLL("libGL.so.1")' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    apt-get install -y --no-install-recommends $(SCREEN) >/dev/null 2>&1; } || \
	  echo "make: the app's tests need a software renderer; on Debian or Ubuntu: sudo apt install $(SCREEN)" >&2

lint: $(VENV)/.ready-dev
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@$(PY) -m pytest -q tests/test_imports.py

rules: $(VENV)/.ready-dev
	@$(PY) -m tests.rule_report

# Small errors put into the rules one at a time: a marked test must fail on each. Many minutes.
mutants: $(VENV)/.ready-dev
	@nice -n 15 $(PY) -m tests.mutation --goal 0.9

bench: $(VENV)/.ready-dev
	@set -e; for file in $$(grep -l '__main__' bench/*.py); do \
	  echo "== $$file"; $(PY) -m bench.$$(basename $$file .py); done

# Long trials: a game killed at 300 random moments, harmed in 200 random ways, on a full disk and a
# read-only one; a monkey at the screens; 10,000 odd tables; a thousand different frames looked at
# (broken off, they go on where they were); and what needs a machine with nothing else to do.
soak: $(VENV)/.ready-dev
	@$(PY) -m tests.session.kills 300
	@$(PY) -m tests.session.harms 200
	@$(PY) -m tests.app.monkey --touches 200000
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
