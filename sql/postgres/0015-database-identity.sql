-- Identifies the database that the rows belong to. pg_restore brings this row back as it was in the dump, so in a
-- restored or copied database it names another one.
create table backstory.database_identity (
  system_identifier bigint not null,
  database_oid oid not null,
  -- Event ids with an earlier transaction were issued before a restore.
  first_transaction xid8 not null
);
insert into backstory.database_identity
  select s.system_identifier, d.oid, '0' from pg_control_system() s, pg_database d
  where d.datname = current_database();
grant select on backstory.database_identity to backstory_app;

-- The gate reads only the tables that its functions need. Earlier versions let it read every table.
do $$
declare name text;
begin
  for name in select p.polrelid::regclass::text from pg_policy p
    join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'backstory'::regnamespace and p.polname = 'gate_reads'
  loop
    execute format('drop policy gate_reads on %s', name);
    execute format('revoke select on %s from backstory_gate', name);
  end loop;
end $$;
