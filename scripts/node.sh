#!/usr/bin/env bash
# Installs Node from its npm package below ~/.cache/backstory-tools and prints the folder to put on PATH.
#   PATH="$(scripts/node.sh 24):$PATH"
set -euo pipefail
major=${1:-24}
folder="$HOME/.cache/backstory-tools/node-$major"
program="$folder/node_modules/node/bin/node"
if [ ! -x "$program" ]; then
  mkdir -p "$folder"
  npm install --loglevel error --no-audit --no-fund --prefix "$folder" "node@$major" >&2
  # The package copies the binary of this platform in an install script, which npm may not have run.
  if [ ! -x "$program" ]; then
    binary=$(find "$folder/node_modules" -path '*node-*/bin/node' -type f | head -n 1)
    mkdir -p "$(dirname "$program")"
    ln -sf "$binary" "$program"
  fi
fi
"$program" --version >&2
dirname "$program"
