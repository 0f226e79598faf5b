-- Distributes the tables by organisation. Every row of an organisation is on one worker.
set local citus.multi_shard_modify_mode = 'sequential';

-- Citus refuses subqueries in policies. Without them Postgres may evaluate the setting once per row instead of once per
-- statement; the rows are the same.
do $$
declare policy record;
begin
  for policy in select c.relname, p.polname, replace(replace(pg_get_expr(p.polqual, p.polrelid),
      '( SELECT backstory.current_org() AS current_org)', 'backstory.current_org()'),
      '( SELECT backstory.current_project() AS current_project)', 'backstory.current_project()') as condition
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'backstory'::regnamespace and p.polname in ('own_org', 'own_project')
  loop
    execute format('alter policy %I on backstory.%I using (%s)', policy.polname, policy.relname, policy.condition);
  end loop;
end $$;

drop policy own_org on backstory.org;
create policy own_org on backstory.org for select using (org = backstory.current_org());
create policy own_org_created on backstory.org for insert with check (org = backstory.current_org());

-- A trigger runs on the worker, beside the row. "Unsafe" says that it could write rows of another worker. These do not.
set local citus.enable_unsafe_triggers = on;
alter function backstory.record_note_change() set citus.allow_nested_distributed_execution = on;

-- Foreign keys are dropped and added again, so that the tables can be distributed in any order.
do $$
declare
  name text;
  keys text[] := array(select format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname,
    pg_get_constraintdef(k.oid)) from pg_constraint k
    where k.connamespace = 'backstory'::regnamespace and k.contype = 'f');
  drops text[] := array(select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname)
    from pg_constraint k where k.connamespace = 'backstory'::regnamespace and k.contype = 'f');
  statement text;
begin
  foreach statement in array drops loop execute statement; end loop;
  -- `sign_in` stays on the coordinator: its rows belong to no organisation, and the gate's role deletes them in the
  -- transaction in which the server's role adds a device. On shared placements Citus refuses two roles.
  -- People and tokens are found before any organisation is known. They are few and rarely change: each node has all.
  foreach name in array array['org', 'principal', 'token', 'identity', 'forge_account'] loop
    perform create_reference_table(format('backstory.%I', name)::regclass);
  end loop;
  foreach name in array array['project', 'membership', 'model', 'memory', 'chunk', 'vector', 'vector_state', 'edge',
    'outbox', 'job', 'audit', 'retention', 'note_feed', 'note_change', 'sign_in_domain', 'source_state', 'webhook',
    'webhook_delivery', 'note_dispute'] loop
    perform create_distributed_table(format('backstory.%I', name)::regclass, 'org',
      colocate_with => case when name = 'project' then 'none' else 'backstory.project' end);
  end loop;
  foreach statement in array keys loop execute statement; end loop;
end $$;

-- Granted before on the coordinator only.
grant usage on schema backstory to backstory_app, backstory_gate;
-- The coordinator takes the numbers of identity columns as the role that inserts.
grant usage on all sequences in schema backstory to backstory_app;

-- Citus locks the rows that a reference table refers to, and asks for this right. No policy lets an update through.
-- (A restrictive policy would not do: Citus makes permissive ones of them on the shards.)
grant update on backstory.org to backstory_app;
-- Citus writes every column of a row, so the server needs the right to write the time. A trigger sets it.
grant insert on backstory.audit to backstory_app;
create function backstory.stamp_time() returns trigger
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
begin
  new.at := now();
  return new;
end $$;
create trigger audit_stamped before insert on backstory.audit
  for each row execute function backstory.stamp_time();

-- The settings that policies read go to the workers with every transaction.
do $$
begin
  execute format('alter database %I set citus.propagate_set_commands = ''local''', current_database());
end $$;

-- The plan of a distributed statement depends on the organisation. The functions of the gate are on the coordinator only.
set local citus.enable_ddl_propagation = off;
set local role backstory_gate;
alter function backstory.search set plan_cache_mode = force_custom_plan;
reset role;
set local citus.enable_ddl_propagation = on;

-- Citus moves a shard by logical replication, which needs a key to find changed rows by. These tables have no primary
-- key, because null is a value in their unique keys.
alter table backstory.note_change replica identity full;
alter table backstory.sign_in_domain replica identity full;
