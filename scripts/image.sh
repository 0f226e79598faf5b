#!/usr/bin/env bash
# Builds the image of the team server from deploy/Dockerfile with buildah, starts it against a new database of the server
# BACKSTORY_TEST_POSTGRES, waits for its health check, and stops it. Needs root or sudo, and no container daemon.
# If the base image cannot be pulled, a stand-in is made from Debian packages and the Node of this machine, and the last
# line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${BACKSTORY_TEST_POSTGRES:?names a Postgres server}"
sudo=$([ "$(id -u)" = 0 ] || echo sudo -E)
command -v buildah >/dev/null || { $sudo apt-get update -qq; $sudo apt-get install -y -qq --no-install-recommends buildah; }
work=$(mktemp -d)
database="backstory_image_$$"
server=
query() {
  node --input-type=module -e "
    import pg from 'pg';
    const client = new pg.Client(process.env.BACKSTORY_TEST_POSTGRES);
    await client.connect();
    await client.query(process.argv[1]);
    await client.end();" "$1"
}
finish() {
  [ -z "$server" ] || $sudo kill -- "-$server" 2>/dev/null || true
  query "drop database if exists $database with (force)" || true
  tool umount --all >/dev/null 2>&1 || true
  $sudo rm -rf "$work"
}
trap finish EXIT
# A storage of its own, which needs no kernel module and is gone afterwards.
tool() { $sudo buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" "$@"; }

base=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' deploy/Dockerfile | sort -u)
made_from=$base
stand_in() {
  command -v debootstrap >/dev/null || { $sudo apt-get update -qq; $sudo apt-get install -y -qq debootstrap; }
  local files=$work/base mirror container
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -E '/debian/?$' | head -n 1)
  local saved=$HOME/.cache/backstory-tools/debian-bookworm.tar
  if [ ! -f "$saved" ]; then
    debootstrap --variant=minbase --include=ca-certificates bookworm "$files" "$mirror" >/dev/null
    tar --create --file "$saved.new" --directory "$files" .
    mv "$saved.new" "$saved"
  else
    mkdir "$files"
    tar --extract --file "$saved" --directory "$files"
  fi
  cp "$(readlink -f "$(command -v node)")" "$files/usr/local/bin/node"
  mkdir -p "$files/usr/local/lib/node_modules"
  cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$files/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$files/usr/local/bin/npm"
  chroot "$files" useradd --uid 1000 --create-home node
  # Machines behind a proxy have certificates of their own.
  cp /etc/ssl/certs/ca-certificates.crt "$files/etc/ssl/certs/ca-certificates.crt"
  container=$(tool from scratch)
  tool add --quiet "$container" "$files" /
  tool config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  tool commit --quiet --rm "$container" "$base" >/dev/null
  rm -r "$files"
  made_from="a stand-in for $base, which could not be pulled"
}
tool pull --quiet "$base" >/dev/null 2>&1 || stand_in

tool build --quiet --format docker --isolation chroot --network host --pull-never --layers=false \
  --file deploy/Dockerfile --ignorefile deploy/Dockerfile.dockerignore --tag backstory-team:ci . >/dev/null
container=$(tool from --pull-never backstory-team:ci)
# The words of ENTRYPOINT, CMD or HEALTHCHECK, one on each line.
words() { tool inspect --type image backstory-team:ci | node -p "
  const { config } = JSON.parse(require('fs').readFileSync(0, 'utf8')).Docker;
  (process.argv[1] === 'Healthcheck' ? config.Healthcheck.Test.slice(1) : config[process.argv[1]]).join('\n')" "$1"; }
mapfile -t entrypoint < <(words Entrypoint)
mapfile -t command < <(words Cmd)
mapfile -t healthcheck < <(words Healthcheck)

query "create database $database"
url="${BACKSTORY_TEST_POSTGRES%/*}/$database"
port=$((20000 + $$ % 20000))
inside() { tool run --isolation chroot --network host --env BACKSTORY_DATABASE_URL="$url" --env BACKSTORY_HOST=127.0.0.1 --env BACKSTORY_PORT=$port "$container" -- "$@"; }
[ "$(inside id -u)" = 1000 ]
inside "${entrypoint[@]}" init acme ann api >/dev/null
if inside "${healthcheck[@]}" >/dev/null 2>&1; then echo "the health check passes without a server" >&2; exit 1; fi
set -m
inside "${entrypoint[@]}" "${command[@]}" >"$work/server.log" 2>&1 &
server=$!
set +m
for _ in $(seq 60); do
  if inside "${healthcheck[@]}" 2>/dev/null; then healthy=1; break; fi
  sleep 0.5
done
[ -n "${healthy:-}" ] || { cat "$work/server.log" >&2; exit 1; }
inside "${entrypoint[@]}" doctor | tail -n 3
size=$(tool images --format '{{.Size}}' backstory-team:ci)
echo "The image ($size) was built from $made_from, starts and is healthy."
