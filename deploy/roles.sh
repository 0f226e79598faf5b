#!/bin/sh
# The Postgres image runs this when it makes the database. Passwords come from files and stand in no command line.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
\set owner_password \`cat /run/secrets/owner_password\`
\set server_password \`cat /run/secrets/server_password\`
\set database $POSTGRES_DB
\i /backstory/roles.sql
SQL
