-- Once, by an administrator of the Postgres server, in the database that Backstory is to have. Nobody who works with
-- it afterwards is a superuser: the owner changes tables, the server sees what the policies let through.
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
grant backstory_app, backstory_gate to backstory_owner with admin true, inherit false, set true;
alter database :"database" owner to backstory_owner;
revoke create on schema public from public;
