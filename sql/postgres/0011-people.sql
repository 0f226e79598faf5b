-- Accounts that people sign in with, what happens when they go, how long things are kept, and what was done by whom.

-- Which account of a sign-in provider is which person. Until it has come in once it is known by an address that an
-- operator wrote down; from then on by issuer and subject alone, because an address may be given to somebody else.
create table backstory.identity (
  org uuid not null,
  principal uuid not null,
  -- In small letters.
  email text,
  issuer text,
  subject text,
  created timestamptz not null default now(),
  bound timestamptz,
  primary key (org, principal),
  unique (org, issuer, subject),
  check ((issuer is null) = (subject is null)),
  check (email is not null or subject is not null),
  foreign key (org, principal) references backstory.principal on delete cascade
);
create unique index identity_email on backstory.identity (org, email) where subject is null;
-- Who comes is found before any tenant is known.
create index identity_account on backstory.identity (issuer, subject);

-- Whose addresses may come in without having been written down, and what they are then.
create table backstory.sign_in_domain (
  org uuid not null references backstory.org on delete cascade,
  domain text not null,
  -- Null: of no project, until somebody adds them to one.
  project uuid,
  role text not null default 'reader' check (role in ('owner', 'member', 'reader')),
  unique nulls not distinct (org, domain, project),
  foreign key (org, project) references backstory.project on delete cascade
);

-- A browser's session is a token of its person that a cookie carries: it ends by itself, and with whatever ends theirs.
alter table backstory.token add column is_browser_session boolean not null default false;

-- What a team has pinned goes with the rest only where the policy says so.
alter table backstory.retention add column with_pinned boolean not null default false;

do $$
declare name text;
begin
  foreach name in array array['identity', 'sign_in_domain'] loop
    execute format('alter table backstory.%I enable row level security', name);
    execute format('alter table backstory.%I force row level security', name);
    execute format('create policy own_org on backstory.%I using (org = (select backstory.current_org()))', name);
    execute format('create policy gate on backstory.%I for select to backstory_gate using (true)', name);
    execute format('grant select on backstory.%I to backstory_gate', name);
  end loop;
end $$;
grant select, insert, update on backstory.identity to backstory_app;
grant select on backstory.sign_in_domain to backstory_app;

-- Who stands behind an account that a provider has vouched for, and what to do about it:
--   known      has come in before             first     comes for the first time, as the person written down
--   newcomer   of a domain that may come in   removed   was one of us
--   taken      the address is somebody's who came with another account
--   unverified no address, or none that the provider has verified
--   several    of more than one organisation, and none was named     unknown   nobody
-- Like `enter_org` it opens the organisation for the rest of the transaction, where one is meant.
create function backstory.enter_account(in_issuer text, in_subject text, verified_email text, in_org text,
  out org uuid, out principal uuid, out outcome text)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare
  meant uuid[] := array(select o.org from backstory.org o where in_org is null or in_org in (o.org::text, o.name));
  orgs uuid[];
  is_gone boolean;
begin
  select array_agg(i.org), (array_agg(i.principal))[1], bool_or(p.disabled is not null) into orgs, principal, is_gone
    from backstory.identity i join backstory.principal p on p.org = i.org and p.id = i.principal
    where i.issuer = in_issuer and i.subject = in_subject and i.org = any(meant);
  outcome := case when is_gone then 'removed' else 'known' end;
  if orgs is null and verified_email is null then
    outcome := 'unverified';
  elsif orgs is null then
    select array_agg(i.org), (array_agg(i.principal))[1] into orgs, principal
      from backstory.identity i join backstory.principal p on p.org = i.org and p.id = i.principal
      where i.subject is null and i.email = verified_email and p.disabled is null and i.org = any(meant);
    outcome := 'first';
  end if;
  if orgs is null and verified_email is not null then
    if exists (select from backstory.identity i join backstory.principal p on p.org = i.org and p.id = i.principal
      where i.email = verified_email and p.disabled is null and i.org = any(meant)) then
      outcome := 'taken';
    else
      select array_agg(distinct d.org) into orgs from backstory.sign_in_domain d
        where d.domain = substring(verified_email from '@([^@]+)$') and d.org = any(meant);
      outcome := case when orgs is null then 'unknown' else 'newcomer' end;
    end if;
  end if;
  if cardinality(orgs) > 1 then
    outcome := 'several'; principal := null;
  else
    -- Also for who is sent away, where it is clear whose door it was: there it is written down.
    org := coalesce(orgs[1], case when cardinality(meant) = 1 then meant[1] end);
  end if;
  perform set_config('backstory.org', coalesce(org::text, ''), true), set_config('backstory.project', '', true);
end $$;

do $$
begin
  grant create on schema backstory to backstory_gate;
  alter function backstory.enter_account(text, text, text, text) owner to backstory_gate;
  revoke all on function backstory.enter_account(text, text, text, text) from public;
  grant execute on function backstory.enter_account(text, text, text, text) to backstory_app, backstory_gate;
  revoke create on schema backstory from backstory_gate;
end $$;

-- What was done stays written down: the server may add to it and neither say when nor take anything back, and nobody
-- changes or removes a line, the owner of the table included.
revoke all on backstory.audit from backstory_app;
grant select, insert (org, principal, action, project, subject, detail) on backstory.audit to backstory_app;
create index audit_time on backstory.audit (org, at, seq);
create function backstory.refuse_change() returns trigger
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'what was done stays written down';
end $$;
create trigger audit_stays before update or delete or truncate on backstory.audit
  for each statement execute function backstory.refuse_change();

-- Memories of the current project that go, with what was made of them; who listens
-- hears that they are gone, and laptops find them among the changes.
create function backstory.remove_memories(memories text[]) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare gone text[];
begin
  with old as (
    delete from backstory.memory m where m.org = backstory.current_org() and m.project = backstory.current_project()
      and m.id = any(memories) returning m.id, m.reader),
  told as (
    insert into backstory.outbox (org, project, kind, ref, reader)
    select backstory.current_org(), backstory.current_project(), 'memory:removed', o.id, o.reader from old o)
  select coalesce(array_agg(o.id), '{}') into gone from old o;
  perform backstory.drop_derived(gone);
  return cardinality(gone);
end $$;

-- One batch of what is older than its project wants to keep, so that nobody waits long for a project's row; zero when
-- nothing is left. What a memory says is not written down, how many went is.
drop function backstory.apply_retention();
create function backstory.apply_retention(most integer) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare policy record; removed integer := 0; gone integer;
begin
  for policy in select * from backstory.retention_policies() loop
    exit when removed >= most;
    perform set_config('backstory.org', policy.org::text, true),
      set_config('backstory.project', policy.project::text, true);
    gone := backstory.remove_memories(array(
      select m.id from backstory.memory m where m.org = policy.org and m.project = policy.project
        and m.source = policy.source and m.updated < now() - make_interval(days => policy.keep_days)
        and (policy.with_pinned or m.metadata -> 'pinned' is distinct from 'true'::jsonb)
      order by m.updated limit most - removed for update skip locked));
    if gone > 0 then
      insert into backstory.audit (org, action, project, subject, detail) values (policy.org, 'retention.apply',
        policy.project, policy.project::text, jsonb_build_object('source', policy.source, 'memories', gone));
    end if;
    removed := removed + gone;
  end loop;
  return removed;
end $$;
