#!/usr/bin/env bash
# A real PostgreSQL 17 with pgvector on 127.0.0.1 for tests, on Debian or Ubuntu, as root.
#   scripts/postgres.sh start    installs it on first use, starts it and prints its URL
#   scripts/postgres.sh stop     stops it
#   scripts/postgres.sh remove   stops it and deletes its data
#   scripts/postgres.sh add PACKAGE…   adds packages of the same Debian, such as patroni, to its folder
#   scripts/postgres.sh run PROGRAM ARGUMENT…   runs a program, such as pg_dump, as its user
# BACKSTORY_POSTGRES_PORT and BACKSTORY_POSTGRES_DATA (a folder name) choose another server.
# Debian 12 has neither version, so the packages of Debian 13 are unpacked into a folder of their own.
# On other systems start any PostgreSQL 17 with pgvector 0.8 and set BACKSTORY_TEST_POSTGRES to its URL.
set -euo pipefail
root=${BACKSTORY_POSTGRES_ROOT:-/opt/backstory-pg17}
port=${BACKSTORY_POSTGRES_PORT:-55417}
url="postgres://postgres@127.0.0.1:$port/postgres"
programs=/usr/lib/postgresql/17/bin
data=/var/lib/postgresql/${BACKSTORY_POSTGRES_DATA:-backstory}
sudo=$([ "$(id -u)" = 0 ] || echo sudo -E)
as_postgres() { $sudo chroot --userspec=postgres:postgres "$root" "$@"; }

case "${1:-}" in
  add)
    # Only files are wanted: the services of the packages are not started.
    printf '#!/bin/sh\nexit 101\n' | $sudo tee "$root/usr/sbin/policy-rc.d" >/dev/null
    $sudo chmod +x "$root/usr/sbin/policy-rc.d"
    $sudo chroot "$root" apt-get update -qq >&2
    $sudo chroot "$root" apt-get install -y -qq --no-install-recommends "${@:2}" >&2
    ;;
  run) as_postgres env HOME=/var/lib/postgresql PATH="$programs:/usr/bin:/bin" "${@:2}" ;;
  stop | remove)
    as_postgres "$programs/pg_ctl" -D "$data" -m fast stop >&2 || true
    [ "$1" = stop ] || as_postgres rm -r "$data" "$data.log"
    ;;
  start)
    if [ ! -x "$root$programs/postgres" ]; then
      # On Ubuntu, debootstrap comes without the keys of Debian and may not know the name of its release.
      if ! command -v debootstrap >/dev/null || [ ! -e /usr/share/keyrings/debian-archive-keyring.gpg ]; then
        { $sudo apt-get update -qq; $sudo apt-get install -y -qq debootstrap debian-archive-keyring; } >&2
      fi
      # The mirror that this machine uses for Debian. On Ubuntu there is none, and debootstrap chooses.
      mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -E '/debian/?$' | head -n 1 || true)
      $sudo debootstrap --variant=minbase --include=postgresql-17,postgresql-17-pgvector \
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg trixie "$root" "$mirror" /usr/share/debootstrap/scripts/sid >&2
    fi
    as_postgres test -d "$data" || as_postgres "$programs/initdb" -D "$data" -A trust -U postgres --locale=C.UTF-8 -E UTF8 --no-sync >&2
    if ! as_postgres "$programs/pg_ctl" -D "$data" status >/dev/null 2>&1; then
      settings="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=/tmp"
      settings="$settings -c shared_buffers=512MB -c maintenance_work_mem=1GB"
      as_postgres "$programs/pg_ctl" -D "$data" -l "$data.log" -w -t 600 -o "$settings" start >&2 </dev/null
    fi
    for database in template1 postgres; do
      as_postgres "$programs/psql" -h 127.0.0.1 -p "$port" -d "$database" -qc 'create extension if not exists vector' >&2
    done
    echo "$url"
    ;;
  *) sed -n '2,10p' "$0"; exit 2 ;;
esac
