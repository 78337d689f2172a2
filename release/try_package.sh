#!/usr/bin/env bash
# Tries the packaged folder on a bare Debian with software graphics and no Python:
#   sudo release/try_package.sh out/package/table-companion [FOLDER FOR THE SYSTEM]
# It needs debootstrap and the network for the first run; the system is kept for the next.
set -euo pipefail
package=$(realpath "$1") system=${2:-/var/tmp/companion-debian}
graphics="libgl1 libegl1 libgles2 libgl1-mesa-dri libmtdev1"
[ -x "$system/bin/sh" ] || debootstrap --variant=minbase bookworm "$system" >/dev/null
chroot "$system" sh -c "dpkg -s $graphics >/dev/null 2>&1 || { apt-get -qq update && \
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $graphics xvfb x11-apps; } >/dev/null"
! chroot "$system" sh -c 'command -v python3' || { echo "there is a Python in $system: no bare system" >&2; exit 1; }
rm -rf "$system/opt/table-companion" "$system/tmp/out"
cp -a "$package" "$system/opt/table-companion"
mkdir -p "$system/proc" && { mountpoint -q "$system/proc" || mount -t proc proc "$system/proc"; }
trap 'umount "$system/proc"' EXIT
inside() { chroot "$system" env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"; }
run=/opt/table-companion/table-companion
inside $run --version
inside $run play --text --practice tactics --out /tmp/out </dev/null | grep -q '■' && echo "a game in the terminal"
inside SDL_VIDEODRIVER=offscreen $run play --out /tmp/out | tail -n 1
test -s "$system/tmp/out/score.png" && echo "a game in the app, off screen"
# Seconds until the app's first picture, on a display of its own: a picture packs worse than black.
inside sh -c "Xvfb :77 -screen 0 1280x800x24 >/dev/null 2>&1 & screen=\$!; sleep 3; export DISPLAY=:77; \
  for round in first second; do begun=\$(date +%s%N); $run play & app=\$!; \
    while [ \$(xwd -root -silent | gzip -1 | wc -c) -lt 60000 ] && kill -0 \$app; do sleep 0.1; done; \
    echo \"\$round start: \$(( (\$(date +%s%N) - begun) / 1000000 )) ms, of these\" \
      \"\$(awk '{print (\$14 + \$15) * 10}' /proc/\$app/stat) ms of processor\"; kill \$app; wait \$app; done; kill \$screen" 2>/dev/null || true
echo "size: $(du -sm "$package" | cut -f1) MB"
