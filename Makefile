# make play   open the app on the practice table; without a display it plays a short game off screen
# make screenshots  the main screens into docs/screens
# make test   run the tests, or those in TESTS; make test-slow: those that take seconds each
# Both set up all they need on their own; python3 (3.11 or newer) with venv, git and make must be
# there. What draws the screen is installed as root, else named in one line.

PYTHON ?= python3
TABLE  ?= models/data/practice.table.json
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip install --quiet --quiet --disable-pip-version-check

.PHONY: docs package install-check play screen screenshots test test-slow test-again browser lint rules mutants bench soak strength lock clean

play: screen $(VENV)/.ready
	@$(PY) -m companion.cli play $(TABLE) --out out

screenshots: screen $(VENV)/.ready
	@SDL_VIDEODRIVER=offscreen $(PY) -m companion.app.scripted.screenshots docs/screens

# The site for players and builders, in out/site; a link that leads nowhere fails.
docs: $(VENV)/.ready-dev
	@$(PY) -m release.site out/site

# The program as a folder that needs no Python, in out/package; PyInstaller builds it in an environment
# of its own. As root on Debian `release/try_package.sh` starts it in a bare system.
package: screen $(VENV)/.ready
	@bash release/package.sh $(PYTHON) out/package

# Wheel, source archive and the example game, each installed into a fresh environment and played.
install-check: $(VENV)/.ready-dev
	@$(PY) -m release.install_check

# The tests start Python some hundred times; compiled modules are kept, whatever the environment says.
# In the order of the folders the long tests of the app come first and the short doctests last, so
# that no worker is left alone with a long one. One worker more than processors: the app's tests wait
# for frames and worker threads much of the time.
WORKERS ?= $$($(PY) -c 'import os; print(1 + len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)))')
RUN     := PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -q -n $(WORKERS) --dist loadscope --no-loadscope-reorder
test: screen $(VENV)/.ready-dev
	@$(RUN) -m 'not slow and not live and not long' $(TESTS)

# The tests that take seconds each: whole screens by touch, streams of pictures, many random games.
test-slow: screen $(VENV)/.ready-dev
	@$(RUN) -m 'slow and not live and not long' $(TESTS)

# After a run with a few failures: those tests once more, alone and one after the other. A test that
# passes only now is named, to be mended; many failures, or a run that broke off, stay a failure.
test-again: $(VENV)/.ready-dev
	@$(PY) -m tests.again

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

# The pages for phones are tried in a real Chromium; without one their tests are skipped.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing chromium" && \
	    { timeout 120 apt-get update && DEBIAN_FRONTEND=noninteractive \
	      timeout 240 apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1; } || \
	  echo "no Chromium here: the pages for phones are not tried in a browser"

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

# How strong the rivals are: 100 games of each bar; broken off, it goes on where it was. Hours.
STRENGTH := "westeros commander scripted" "westeros apprentice scripted" "westeros commander captain" \
  "thrones commander scripted" "thrones apprentice scripted" "thrones commander captain" \
  "tactics commander scripted" "tactics apprentice scripted" "tactics commander captain" \
  "tmg-2021 commander scripted" "tmg-2021 apprentice scripted" "tmg-2021 commander captain" \
  "tmg-2018 commander scripted" "tmg-2018 apprentice scripted" "tmg-2018 commander captain"
strength: $(VENV)/.ready-dev
	@mkdir -p out; set -e; for bar in $(STRENGTH); do set -- $$bar; \
	  nice -n 19 $(PY) -m tests.rival.strength $$1 100 $$2 $$3 0 out/strength.jsonl; done

# Long trials: a game killed at 300 random moments, harmed in 200 random ways, on a full disk and a
# read-only one; a damaged game opened by two programs at once, 100 times; of each of the four games
# 10,000 files with changed bytes, 10,000 sealed again with other events, 10,000 backups, drafts and
# lines each; a
# monkey at the screens; 200 whole random games, 500 of the card game; 500 games of rivals on each board, 300 of miniatures, 300 jousts; 10,000 odd tables; 10,000
# damaged inputs for everything else that reads a file or a command line (tests/fuzz); a thousand different frames
# looked at, and a thousand of every kind of disturbance and set-up mistake beside default OpenCV
# (broken off, both go on where they were); every page, size and language by touch; and what needs a
# machine with nothing else.
TRIALS := $$(grep -rl --include='test_*.py' 'tests.trials' tests)
soak: $(VENV)/.ready-dev
	@$(PY) -m tests.session.kills 300
	@$(PY) -m tests.session.kills 300 7 tactics
	@$(PY) -m tests.session.kills 300 7 westeros
	@$(PY) -m tests.session.kills 300 7 thrones
	@$(PY) -m tests.session.disk_damage 200
	@$(PY) -m tests.session.race 100
	@$(PY) -m tests.fuzz_files 10000
	@$(PY) -m tests.fuzz_files 10000 7 '' tactics
	@$(PY) -m tests.fuzz_files 10000 7 '' westeros
	@$(PY) -m tests.fuzz_files 10000 7 '' thrones
	@$(PY) -m tests.app.monkey --touches 200000
	@$(PY) -m tests.app.monkey --touches 50000 --game tactics
	@$(PY) -m tests.app.monkey --touches 50000 --game westeros
	@$(PY) -m tests.app.monkey --touches 50000 --game thrones
	@$(PY) -m tests.play.random_games 200
	@$(PY) -m tests.play.screen_walk 200
	@nice -n 19 $(PY) -m tests.rival.self_play westeros 500
	@nice -n 19 $(PY) -m tests.rival.self_play tactics 500
	@nice -n 19 $(PY) -m tests.rival.self_play thrones 300
	@nice -n 19 $(PY) -m tests.rival.self_play tmg-2021 200
	@nice -n 19 $(PY) -m tests.rival.self_play tmg-2018 100
	@$(PY) -m tests.play.screen_properties 500
	@$(PY) -m tests.games.thrones.referee 500
	@$(PY) -m release.install_check
	@SDL_VIDEODRIVER=offscreen $(PY) -m companion.app.scripted.screenshots out/screens
	@$(PY) -m tests.odd_tables 10000
	@$(PY) -m tests.reference.compare 500
	@$(PY) -m tests.reference.tactics_compare 500
	@$(PY) -m tests.reference.westeros_compare 500
	@COMPANION_SOAK=1 $(PY) -m pytest -q $(TRIALS)
	@nice -n 19 $(PY) -m tests.fuzz 10000
	@npx --yes -p typescript tsc -p tests/web/page_types
	@$(PY) -m tests.web.rounds
	@$(PY) -m tests.web.pictures out/phones
	@$(PY) -m bench.boards --game westeros --frames 500
	@$(PY) -m bench.vision --frames 1000 --verdicts 500 --log out/frames.log
	@$(PY) -m bench.vision --kinds 1000 --log out/kinds.log
	@$(PY) -m bench.boards --frames 500
	@$(PY) -m bench.cards --frames 300
	@$(PY) -m pytest -q -m 'live or long'

clean:
	rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The versions that are tested, with their hashes, for Python 3.11 on Linux; elsewhere, and where an
# index does not have them, what pyproject.toml allows. A file with another hash is never installed.
LOCKED := $(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) or sys.platform != "linux")'

# $(call install,LOCK FILE,WHAT TO INSTALL WHERE THERE IS NO LOCK)
define install
	@if $(LOCKED) && $(PIP) --require-hashes --requirement $(1) 2>$(VENV)/pip.log; then \
	  $(PIP) --no-deps --no-build-isolation --editable .; \
	elif grep -q 'DO NOT MATCH THE HASHES' $(VENV)/pip.log 2>/dev/null; then \
	  cat $(VENV)/pip.log >&2; exit 1; \
	else \
	  echo "not with the locked versions: with others that pyproject.toml allows"; \
	  $(PIP) --editable '$(2)'; \
	fi
endef

lock:
	@$(PYTHON) -m venv $(VENV)/lock
	@$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check pip-tools
	@$(VENV)/lock/bin/pip-compile $(COMPILE) --output-file requirements.lock pyproject.toml
	@$(VENV)/lock/bin/pip-compile $(COMPILE) --extra dev --output-file requirements-dev.lock pyproject.toml
COMPILE := --quiet --upgrade --generate-hashes --all-build-deps --allow-unsafe --strip-extras \
  --no-annotate --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

# A stamp is newer than pyproject.toml and its lock exactly when what they ask for is installed.
$(VENV)/.ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "make: Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "make: Python's venv module is missing; on Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@echo "setting up $(VENV) (once; a few minutes where the packages must be fetched)"
	@$(PYTHON) -m venv $(VENV)
	$(call install,requirements.lock,.)
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@echo "adding what the tests need"
	$(call install,requirements-dev.lock,.[dev])
	@touch $@
