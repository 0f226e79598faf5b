-- Run once as an administrator of the Postgres server, in the database for Backstory. None of the roles is a superuser:
-- backstory_owner changes tables, backstory_server reads and writes what row-level security allows, and
-- backstory_backup reads everything for pg_dump and writes nothing. backstory_backup has no password until you set one.
create extension if not exists vector;
create extension if not exists btree_gin;
do $$
declare name text;
begin
  foreach name in array array['backstory_app', 'backstory_gate'] loop
    if to_regrole(name) is null then
      execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', name);
    end if;
  end loop;
end $$;
create role backstory_owner login createrole password :'owner_password';
create role backstory_server login password :'server_password' in role backstory_app;
create role backstory_backup login bypassrls in role pg_read_all_data;
alter role backstory_backup set default_transaction_read_only = on;
grant backstory_app, backstory_gate to backstory_owner with admin true, inherit false, set true;
alter database :"database" owner to backstory_owner;
revoke create on schema public from public;
