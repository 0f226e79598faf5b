-- The second line of defence: whatever a query forgets to ask for, a row of another tenant is not there.
-- Enabled and forced, so that not even the owner of the tables sees past it.

do $$
declare name text;
begin
  for name in select c.relname from pg_class c
    where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
  loop
    execute format('alter table backstory.%I enable row level security', name);
    execute format('alter table backstory.%I force row level security', name);
  end loop;
  -- Of one project at a time.
  foreach name in array array['memory', 'note', 'chunk', 'vector', 'vector_state', 'edge', 'job', 'retention'] loop
    execute format('create policy own_project on backstory.%I
      using (org = (select backstory.current_org()) and project = (select backstory.current_project()))', name);
  end loop;
  -- Of the organisation.
  foreach name in array array['org', 'project', 'principal', 'membership', 'token', 'model', 'outbox', 'audit'] loop
    execute format('create policy own_org on backstory.%I using (org = (select backstory.current_org()))', name);
  end loop;
  -- A policy that is always true leaves the planner free: below any other one, the index for words goes unused,
  -- and a search takes thirty times as long.
  foreach name in array array['org', 'project', 'principal', 'membership', 'token', 'model', 'memory', 'chunk',
    'vector', 'vector_state', 'edge', 'outbox', 'job', 'retention'] loop
    execute format('create policy gate on backstory.%I for select to backstory_gate using (true)', name);
    execute format('grant select on backstory.%I to backstory_gate', name);
  end loop;
end $$;

grant usage on schema backstory to backstory_app, backstory_gate;
grant select on backstory.migration, backstory.org to backstory_app;
grant select, insert, update, delete on backstory.project, backstory.principal, backstory.membership, backstory.token,
  backstory.model, backstory.memory, backstory.note, backstory.chunk, backstory.vector, backstory.vector_state,
  backstory.edge, backstory.job, backstory.retention to backstory_app;
-- What was done stays written down.
grant select, insert on backstory.outbox, backstory.audit to backstory_app;
