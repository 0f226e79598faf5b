-- Earlier migrations revoked these privileges from public as the owner of the tables. Postgres ignores that, with a
-- warning only, if the owner does not inherit the rights of backstory_gate. As backstory_gate it takes effect.
do $$
declare
  tables_owner name := current_user;
  called text;
begin
  set local role backstory_gate;
  for called in select p.oid::regprocedure::text from pg_proc p
    where p.pronamespace = 'backstory'::regnamespace and p.proowner = 'backstory_gate'::regrole
  loop
    execute format('revoke all on function %s from public', called);
    execute format('grant execute on function %s to backstory_app, %I', called, tables_owner);
  end loop;
end $$;
reset role;
