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

drop trigger note_added on backstory.memory;
drop trigger note_changed on backstory.memory;
drop trigger note_removed on backstory.memory;
drop trigger audit_stays on backstory.audit;

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

-- The settings that policies read go to the workers with every transaction.
do $$
begin
  execute format('alter database %I set citus.propagate_set_commands = ''local''', current_database());
end $$;
create function backstory.set_tenant(in_org text, in_project text) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  -- Citus sends `set local` to the workers, but not `set_config`.
  execute format('set local backstory.org = %L', in_org);
  execute format('set local backstory.project = %L', in_project);
end $$;

-- A row-level trigger runs on the worker, beside the row. Transition tables are not available there. The tables that it
-- writes are on the same worker, in the same transaction.
create or replace function backstory.record_note_change() returns trigger
language plpgsql security invoker set search_path = pg_catalog, backstory, pg_temp
set citus.allow_nested_distributed_execution = on as $$
declare
  note backstory.memory := case when tg_op = 'DELETE' then old else new end;
  current_version bigint;
begin
  -- That a text got its vectors is no news to anybody's laptop, and leaves the time of its change as it was.
  if note.source <> 'note' or (tg_op = 'UPDATE' and new.updated = old.updated) then return null; end if;
  insert into backstory.note_feed as f (org, project, version) values (note.org, note.project, 1)
    on conflict (org, project) do update set version = f.version + 1 returning f.version into current_version;
  insert into backstory.note_change as c (org, project, source_ref, reader, version, first_author, removed, removed_by)
  values (note.org, note.project, note.source_ref, note.reader, current_version, note.author,
    case when tg_op = 'DELETE' then now() end,
    case when tg_op = 'DELETE' then nullif(current_setting('backstory.person', true), '')::uuid end)
  on conflict (org, project, source_ref, reader) do update
    set version = excluded.version, removed = excluded.removed, removed_by = excluded.removed_by;
  return null;
end $$;
-- "Unsafe" says that a trigger could write rows of another worker. These do not.
set local citus.enable_unsafe_triggers = on;
create trigger note_recorded after insert or update or delete on backstory.memory
  for each row execute function backstory.record_note_change();
create trigger audit_stamped before insert on backstory.audit
  for each row execute function backstory.stamp_time();
create trigger audit_stays before update or delete on backstory.audit
  for each statement execute function backstory.refuse_change();
create trigger audit_not_truncated before truncate on backstory.audit
  for each statement execute function backstory.refuse_change();

-- As on one Postgres, but statement by statement: Citus does not plan several writes in one statement.
create or replace function backstory.drop_derived(memories text[]) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare
  here uuid := backstory.current_org();
  of_project uuid := backstory.current_project();
  gone bigint[];
  gone_terms bigint;
  state record;
  deleted bigint;
begin
  with deleted as (
    delete from backstory.chunk where org = here and project = of_project and source_id = any(memories)
    returning seq, length)
  select coalesce(array_agg(d.seq), '{}'), coalesce(sum(d.length), 0) into gone, gone_terms from deleted d;
  -- Before the counts of vectors, as when memories are saved, so that two writers do not wait for each other.
  update backstory.project set chunks = chunks - cardinality(gone), terms = terms - gone_terms
    where org = here and id = of_project;
  for state in select s.model from backstory.vector_state s where s.org = here and s.project = of_project loop
    delete from backstory.vector v where v.org = here and v.project = of_project and v.model = state.model
      and v.chunk = any(gone);
    get diagnostics deleted = row_count;
    if deleted > 0 then
      update backstory.vector_state set vectors = vectors - deleted
        where org = here and project = of_project and model = state.model;
    end if;
  end loop;
  delete from backstory.edge where org = here and project = of_project and memory = any(memories);
  delete from backstory.note_dispute where org = here and project = of_project and memory = any(memories);
end $$;

-- The functions of the gate keep their text, but for what Citus does otherwise.
grant create on schema backstory to backstory_gate;
set local citus.enable_ddl_propagation = off;
do $$
declare
  called record;
  tables_owner name := current_user;
begin
  for called in select p.oid, p.proowner::regrole::text as owner, pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'backstory'::regnamespace and p.prosrc ~ 'set_config\(''backstory.org''|force_generic_plan'
      or p.oid = 'backstory.search'::regproc
  loop
    execute format('set local role %s', called.owner);
    -- The plan of a distributed statement depends on the organisation. A comparison with null leaves a table without
    -- rows, and Citus then does not see that it belongs to the organisation.
    execute replace(replace(regexp_replace(called.definition,
      'set_config\(''backstory\.org'', (.*), true\),\s+set_config\(''backstory\.project'', (.*), true\);',
      'backstory.set_tenant(\1, \2);', 'g'), 'force_generic_plan', 'force_custom_plan'),
      'm.name = model_name', 'm.name = coalesce(model_name, '''')');
    execute format('set local role %I', tables_owner);
  end loop;
end $$;
set local role backstory_gate;

-- Citus does not plan the parameters of functions in SQL.
create or replace function backstory.find_webhook(in_webhook uuid, out kind text, out secret text, out project uuid)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
begin
  select w.kind, w.secret, w.project into kind, secret, project from backstory.webhook w where w.id = in_webhook;
end $$;

create function backstory.tenant_of_webhook(in_webhook uuid, out org uuid, out project uuid)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select w.org, w.project into org, project from backstory.webhook w where w.id = in_webhook;
  if not found then raise exception 'no such webhook' using errcode = 'BS401'; end if;
end $$;
revoke all on function backstory.tenant_of_webhook(uuid) from public;
grant execute on function backstory.tenant_of_webhook(uuid) to backstory_app;
drop function backstory.enter_webhook(uuid);

-- Due jobs are looked for on every worker and then claimed one by one, because a lock is taken on one worker.
create or replace function backstory.claim_jobs(most integer, lease interval)
returns table (org uuid, project uuid, attempts integer)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare due record;
begin
  for due in select d.org, d.project from backstory.job d
    where d.dead is null and d.run_at <= now() order by d.run_at limit most
  loop
    perform 1 from backstory.job d where d.org = due.org and d.project = due.project and d.dead is null
      and d.run_at <= now() for update skip locked;
    continue when not found;
    return query update backstory.job j set attempts = j.attempts + 1, run_at = now() + lease
      where j.org = due.org and j.project = due.project returning j.org, j.project, j.attempts;
  end loop;
end $$;

-- The transaction ids are those of the coordinator. A transaction of one organisation writes on one worker, and Citus
-- commits there before it commits on the coordinator. So an event below the coordinator's oldest transaction is visible.
create or replace function backstory.outbox_after(last_xact xid8, last_seq bigint, most integer)
returns table (org uuid, xact xid8, seq bigint, project uuid, kind text, ref text, reader uuid, payload jsonb, at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
begin
  return query select o.org, o.xact, o.seq, o.project, o.kind, o.ref, o.reader, o.payload, o.at from backstory.outbox o
    where (o.xact, o.seq) > (last_xact, last_seq) and o.xact < oldest order by o.xact, o.seq limit most;
end $$;
create or replace function backstory.outbox_head(out xact xid8, out seq bigint)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
begin
  select o.xact, o.seq into xact, seq from backstory.outbox o where o.xact < oldest
    order by o.xact desc, o.seq desc limit 1;
end $$;
reset role;
revoke create on schema backstory from backstory_gate;

-- As on one Postgres, but the server's role writes the time of the last delivery: in one transaction two roles cannot
-- write rows of one organisation. It still cannot read the secret.
create function backstory.enter_webhook(in_webhook uuid, out org uuid, out project uuid)
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare found_org uuid; found_project uuid;
begin
  select t.org, t.project into found_org, found_project from backstory.tenant_of_webhook(in_webhook) t;
  perform backstory.set_tenant(found_org::text, found_project::text);
  update backstory.webhook w set last_used = now() where w.org = found_org and w.id = in_webhook
    and (w.last_used is null or w.last_used < now() - interval '1 minute');
  org := found_org; project := found_project;
end $$;
revoke all on function backstory.enter_webhook(uuid) from public;
grant execute on function backstory.enter_webhook(uuid) to backstory_app;
set local citus.enable_ddl_propagation = on;
grant select (org, id, last_used), update (last_used) on backstory.webhook to backstory_app;
-- Citus moves a shard by logical replication, which needs a key to find changed rows by. These tables have no primary
-- key, because null is a value in their unique keys.
alter table backstory.note_change replica identity full;
alter table backstory.sign_in_domain replica identity full;
