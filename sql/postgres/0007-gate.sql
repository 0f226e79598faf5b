-- The first line of defence: the only ways in. Each finds out once who asks and what they may, and raises
-- BS401 for a token that opens nothing, or BS404 for whatever the asker may not know to exist.
-- They belong to backstory_gate, which may read every table and write none but what is listed at the end.

create function backstory.identify(token_hash bytea,
  out org uuid, out principal uuid, out person uuid, out kind text, out org_role text, out scopes text[])
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select t.org, p.id, coalesce(p.person, p.id), p.kind, h.org_role, t.scopes
    into org, principal, person, kind, org_role, scopes
    from backstory.token t
    join backstory.principal p on p.org = t.org and p.id = t.principal
    -- A device may do what its person may, and nothing once they are gone.
    join backstory.principal h on h.org = t.org and h.id = coalesce(p.person, p.id)
    where t.hash = token_hash and t.revoked is null and (t.expires is null or t.expires > now())
      and p.disabled is null and h.disabled is null;
  if not found then raise exception 'no such token' using errcode = 'BS401'; end if;
end $$;

create function backstory.member(token_hash bytea, in_project uuid,
  out org uuid, out principal uuid, out person uuid, out kind text, out scopes text[], out role text)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
declare who record;
begin
  who := backstory.identify(token_hash);
  select case when who.org_role = 'owner' then 'owner' else m.role end into role
    from backstory.project p
    left join backstory.membership m on m.org = p.org and m.project = p.id and m.principal = who.person
    where p.org = who.org and p.id = in_project;
  if role is null then raise exception 'no such project' using errcode = 'BS404'; end if;
  org := who.org; principal := who.principal; person := who.person; kind := who.kind; scopes := who.scopes;
end $$;

-- Begins a transaction's work: after it the policies let through what belongs to this project, until it ends.
create function backstory.enter(token_hash bytea, in_project uuid,
  out org uuid, out principal uuid, out person uuid, out kind text, out scopes text[], out role text)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
declare who record;
begin
  who := backstory.member(token_hash, in_project);
  perform set_config('backstory.org', who.org::text, true), set_config('backstory.project', in_project::text, true);
  org := who.org; principal := who.principal; person := who.person; kind := who.kind; scopes := who.scopes;
  role := who.role;
end $$;

-- The same where only the organisation is meant.
create function backstory.enter_org(token_hash bytea,
  out org uuid, out principal uuid, out person uuid, out kind text, out org_role text, out scopes text[])
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
declare who record;
begin
  who := backstory.identify(token_hash);
  perform set_config('backstory.org', who.org::text, true), set_config('backstory.project', '', true);
  org := who.org; principal := who.principal; person := who.person; kind := who.kind; org_role := who.org_role;
  scopes := who.scopes;
end $$;

-- In which project a memory is, for those who may know.
create function backstory.project_of(token_hash bytea, in_memory text) returns uuid
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
declare who record; found_in uuid;
begin
  who := backstory.identify(token_hash);
  select m.project into found_in from backstory.memory m
    where m.org = who.org and m.id = in_memory and (m.reader is null or m.reader = who.person);
  if found_in is null then raise exception 'no such memory' using errcode = 'BS404'; end if;
  perform backstory.member(token_hash, found_in);
  return found_in;
end $$;

-- The next work, whoever's it is; each piece is out of others' sight for as long as the lease lasts.
create function backstory.claim_jobs(kinds text[], most integer, lease interval)
returns table (org uuid, project uuid, id bigint, kind text, key text, payload jsonb, attempts integer)
language sql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
  update backstory.job j set attempts = j.attempts + 1, run_at = now() + lease
  from (select d.org, d.id from backstory.job d where d.dead is null and d.run_at <= now() and d.kind = any(kinds)
    order by d.run_at limit most for update skip locked) due
  where j.org = due.org and j.id = due.id
  returning j.org, j.project, j.id, j.kind, j.key, j.payload, j.attempts
$$;

-- Work that was claimed goes on as its project, without anybody's token.
create function backstory.enter_job(in_org uuid, in_job bigint) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
declare of_project uuid;
begin
  select j.project into of_project from backstory.job j where j.org = in_org and j.id = in_job;
  if of_project is null then return false; end if;
  perform set_config('backstory.org', in_org::text, true), set_config('backstory.project', of_project::text, true);
  return true;
end $$;

-- What happened since, in an order in which nothing can appear later in front of what was read.
create function backstory.outbox_after(last_xact xid8, last_seq bigint, most integer)
returns table (org uuid, xact xid8, seq bigint, project uuid, kind text, ref text, reader uuid, payload jsonb, at timestamptz)
language sql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
  select o.org, o.xact, o.seq, o.project, o.kind, o.ref, o.reader, o.payload, o.at from backstory.outbox o
  where (o.xact, o.seq) > (last_xact, last_seq) and o.xact < pg_snapshot_xmin(pg_current_snapshot())
  order by o.xact, o.seq limit most
$$;

-- Takes away what is older than its project wants to keep; one call goes through all tenants.
create function backstory.apply_retention() returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare policy record; removed integer := 0; gone text[];
begin
  for policy in select * from backstory.retention_policies() loop
    perform set_config('backstory.org', policy.org::text, true),
      set_config('backstory.project', policy.project::text, true);
    with old as (
      delete from backstory.memory m where m.org = policy.org and m.project = policy.project
        and m.source = policy.source and m.updated < now() - make_interval(days => policy.keep_days)
      returning m.id, m.reader),
    told as (
      insert into backstory.outbox (org, project, kind, ref, reader)
      select policy.org, policy.project, 'memory:removed', o.id, o.reader from old o)
    select coalesce(array_agg(o.id), '{}') into gone from old o;
    perform backstory.drop_derived(gone);
    removed := removed + cardinality(gone);
  end loop;
  return removed;
end $$;

create function backstory.retention_policies() returns setof backstory.retention
language sql stable security definer set search_path = pg_catalog, backstory, pg_temp as
  $$ select * from backstory.retention $$;

-- What was made of memories of the current project goes with them, and is counted off.
create function backstory.drop_derived(memories text[]) returns void
language sql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
  with gone as (
    delete from backstory.chunk where org = backstory.current_org() and project = backstory.current_project()
      and source_id = any(memories) returning seq, length),
  vectors as (
    delete from backstory.vector v using gone where v.org = backstory.current_org()
      and v.project = backstory.current_project() and v.chunk = gone.seq returning v.model),
  counted as (
    update backstory.vector_state s set vectors = s.vectors - g.n
    from (select model, count(*) n from vectors group by 1) g
    where s.org = backstory.current_org() and s.project = backstory.current_project() and s.model = g.model),
  links as (
    delete from backstory.edge where org = backstory.current_org() and project = backstory.current_project()
      and memory = any(memories))
  update backstory.project p set chunks = p.chunks - g.n, terms = p.terms - g.terms
  from (select count(*) n, coalesce(sum(length), 0) terms from gone) g
  where p.org = backstory.current_org() and p.id = backstory.current_project()
$$;
