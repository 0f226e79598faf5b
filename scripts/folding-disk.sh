#!/usr/bin/env bash
# Runs tests whose temporary folders are on a disk that ignores case and Unicode form, like the disk of a Mac.
# docs/internals/windows.md says what this shows.
#   scripts/folding-disk.sh                     the tests that CI runs
#   scripts/folding-disk.sh VITEST_ARGUMENT...  others, for example --project unit src/memory
# It needs Linux, root, pip and /dev/fuse. It exits with 3 if the disk cannot be mounted.
set -euo pipefail
cd "$(dirname "$0")/.."
ldconfig -p | grep -q 'libfuse\.so\.2' || { apt-get update -qq; apt-get install -y -qq --no-install-recommends libfuse2; } >&2
folder=$(mktemp -d)
mkdir "$folder/disk" "$folder/stored"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$folder/packages" fusepy==3.0.1
PYTHONPATH=$folder/packages python3 test/folding-disk/folding_disk.py "$folder/stored" "$folder/disk" &
disk=$!
unmount() {
  umount "$folder/disk" 2>/dev/null || kill "$disk" 2>/dev/null || true
  wait "$disk" || true
  rm -rf "$folder"
}
trap unmount EXIT
for ((tries = 0; tries < 100; tries++)); do
  ! mountpoint -q "$folder/disk" || break
  sleep 0.1
done
mountpoint -q "$folder/disk" || { echo 'The disk cannot be mounted.' >&2; exit 3; }
echo a >"$folder/disk/Probe"
[ "$(cat "$folder/disk/pROBE")" = a ] || { echo 'The disk does not ignore case.' >&2; exit 1; }
[ $# -gt 0 ] || set -- --project folding-disk --project unit test/folding-disk src/base src/code src/git src/memory/projects
export TMPDIR=$folder/disk BACKSTORY_FOLDING_DISK=1
npx vitest run "$@"
