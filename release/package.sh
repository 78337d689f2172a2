#!/usr/bin/env bash
# Builds the program as a folder: release/package.sh PYTHON FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1 out=$2 env=.venv/package
pip() { "$env/bin/python" -m pip install --quiet --quiet --disable-pip-version-check "$@"; }
[ -d "$env" ] || "$python" -m venv "$env"
if "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) or sys.platform != "linux")'; then
  pip --require-hashes --requirement requirements.lock
  pip --no-deps --no-build-isolation .
else
  pip .
fi
pip 'pyinstaller>=6.10,<7'
rm -rf "$out/table-companion"
"$env/bin/python" -m PyInstaller --noconfirm --log-level WARN \
  --distpath "$out" --workpath build/package release/companion.spec
# The symbols of Python and of kivy's modules are a third of the whole; those in *.libs must stay.
if command -v strip >/dev/null; then
  inner=$out/table-companion/_internal
  find "$inner"/kivy "$inner"/python3* "$inner"/libpython* -name '*.so*' -exec strip --strip-unneeded {} +
fi
du -sh "$out/table-companion"
