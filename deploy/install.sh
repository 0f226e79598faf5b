#!/bin/sh
# Installs the packed Backstory into a folder and checks that it starts: install.sh FOLDER PACKAGE
set -eu
npm install --global --prefix "$1" --omit=dev --ignore-scripts --no-audit --no-fund --silent "$2"
"$1/bin/backstory" --version
