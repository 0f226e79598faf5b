#!/bin/sh
# The Postgres image runs this when it creates the database. Passwords are read from files, so no command line shows them.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
\set owner_password \`cat /run/secrets/owner_password\`
\set server_password \`cat /run/secrets/server_password\`
\set database $POSTGRES_DB
\i /backstory/roles.sql
SQL
