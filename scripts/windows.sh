#!/usr/bin/env bash
# Runs tests on the Windows build of Node under Wine. docs/internals/windows.md says what this shows and what it cannot.
#   scripts/windows.sh                     the tests that a release runs
#   scripts/windows.sh --all               the whole unit project
#   scripts/windows.sh VITEST_ARGUMENT...  others, for example --project unit src/base
# WINDOWS_NODE names the program whose `setup` installs Wine and Node in a folder and prints the folder. It needs root,
# because Wine runs in a chroot.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$("${WINDOWS_NODE:?names the program that installs Wine and Node}" setup)
program=$(find "$root/opt/node" -name '22.*.exe' | sort -V | tail -n 1)
place=/opt/backstory-$(sha256sum package-lock.json | cut -c1-12)
folder=$root$place
exec 9>"$root/opt/windows.lock"
flock 9

# git.exe for Windows programs: see test/windows/git-client.c.
command -v x86_64-w64-mingw32-gcc >/dev/null ||
  { apt-get update -qq; apt-get install -y -qq --no-install-recommends gcc-mingw-w64-x86-64-win32; } >&2
chroot "$root" sh -c 'command -v git >/dev/null || { apt-get update -qq; apt-get install -y -qq --no-install-recommends git; }' >&2
mkdir -p "$root/opt/programs"
ln -f "$program" "$root/opt/programs/node.exe"
# Not a console program: Wine's conhost.exe would run in git's working directory for a moment longer and block its removal.
x86_64-w64-mingw32-gcc -O2 -s -municode -Wl,--subsystem,windows -o "$root/opt/programs/git.exe" test/windows/git-client.c -lws2_32
node test/windows/git-server.ts "$root" "$root/opt/programs/port" 9>&- &
git_server=$!
trap 'kill "$git_server" 2>/dev/null || true' EXIT

# A copy of the checkout with the packages of Windows. The packages stay for the next run.
mkdir -p "$folder"
find "$folder" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard --deduplicate |
  tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory "$folder"
# Some tests ask git for the files of this repository.
git -C "$folder" init --quiet
git -C "$folder" add --all
if [ ! -d "$folder/node_modules" ]; then
  (
    cd "$folder"
    npm ci --silent --os=win32 --cpu=x64 --ignore-scripts --no-audit --no-fund
  ) >&2 || { rm -rf "$folder/node_modules"; exit 1; }
fi

# The package as npm installs it, with the .cmd files that npm writes on Windows. npm itself runs outside Wine.
mkdir "$folder/package"
node scripts/pack.ts "$folder/package" >&2
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/package" "$folder"/package/*.tgz >&2
node test/windows/write-command-files.ts "$folder/package/node_modules" "$(dirname "$(readlink -f "$(command -v npm)")")/.."

# Standard streams are files, because Windows programs cannot use Unix pipes. UTF-8, so that names can have any letter.
streams=$(mktemp -d "$root/tmp/streams.XXXXXX")
run_tests() {
  printf -v quoted ' %q' test/windows/start.mjs run --reporter=default --reporter=json --outputFile.json=report.json "$@"
  timeout --kill-after=5 "${WINDOWS_SECONDS:-900}" chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 \
    XDG_RUNTIME_DIR=/tmp WINEPREFIX=/opt/prefix WINEDEBUG=-all CI=1 NO_COLOR=1 BACKSTORY_SEED="${BACKSTORY_SEED:-2024}" \
    BACKSTORY_TEST_PACKAGE="Z:${place//\//\\}\\package\\node_modules\\backstory" \
    bash -c "cd $place && exec /usr/lib/wine/wine64 /opt/programs/node.exe$quoted" \
    >"$streams/out" 2>"$streams/err" </dev/null 9>&- &
  local tests=$!
  # After a crash of Wine's server, its programs wait for it for ever.
  while kill -0 "$tests" 2>/dev/null; do
    ! is_wine_crash || kill "$tests" 2>/dev/null || true
    sleep 1
  done
  wait "$tests"
}
# A crash of Wine's own server says nothing about the tests, so such a run is repeated once.
is_wine_crash() { grep -qE 'wineserver crashed|wine client error' "$streams/err"; }
print_report() {
  cat "$streams/out"
  cat "$streams/err" >&2
  [ ! -f "$folder/report.json" ] || node -e '
    const { testResults } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed");
    for (const { fullName } of skipped) console.log(`left out on Windows: ${fullName}`);
  ' "$folder/report.json"
}
result=0
run() {
  rm -f "$folder/report.json"
  local code=0
  run_tests "$@" || code=$?
  if [ "$code" -ne 0 ] && is_wine_crash; then
    echo 'Wine crashed. The tests run once more.' >&2
    code=0
    run_tests "$@" || code=$?
  fi
  print_report
  [ "$code" -eq 0 ] || result=1
}

# docs/internals/windows.md says why these are left out.
left_out=()
for file in src/git/isolation src/git/git-folders src/git/changed-files src/http/parts src/http/server \
  test/contract/agents/agents; do
  left_out+=(--exclude "$file.test.ts")
done

if [ "${1:-}" = --all ]; then
  WINDOWS_SECONDS=${WINDOWS_SECONDS:-1800}
  run --project windows
  run --project unit "${left_out[@]}"
elif [ $# -gt 0 ]; then run "$@"
else
  run --project windows
  run --project unit src/base src/agents src/cli src/code src/git src/hooks src/store src/memory/projects src/memory/capture \
    "${left_out[@]}"
fi
rm -r "$streams"
exit "$result"
