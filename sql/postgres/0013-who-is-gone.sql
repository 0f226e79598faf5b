-- As before, but who was removed before they ever signed in stays out: a rule for their domain let them in as somebody new.
grant create on schema backstory to backstory_gate;
set local role backstory_gate;

create or replace function backstory.enter_account(in_issuer text, in_subject text, verified_email text, in_org text,
  out org uuid, out principal uuid, out outcome text)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare
  meant uuid[] := array(select o.org from backstory.org o where in_org is null or in_org in (o.org::text, o.name));
  orgs uuid[];
  is_gone boolean;
  gone uuid[];
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
      gone := array(select i.org from backstory.identity i
        join backstory.principal p on p.org = i.org and p.id = i.principal
        where i.subject is null and i.email = verified_email and p.disabled is not null and i.org = any(meant));
      select array_agg(distinct d.org) into orgs from backstory.sign_in_domain d
        where d.domain = substring(verified_email from '@([^@]+)$') and d.org = any(meant) and d.org <> all(gone);
      outcome := case when orgs is not null then 'newcomer' when cardinality(gone) > 0 then 'removed' else 'unknown' end;
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

reset role;
revoke create on schema backstory from backstory_gate;

-- As before, but who listens hears of which source it was, as when somebody removes a memory by hand.
create or replace function backstory.remove_memories(memories text[]) returns integer
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare gone text[];
begin
  with old as (
    delete from backstory.memory m where m.org = backstory.current_org() and m.project = backstory.current_project()
      and m.id = any(memories) returning m.id, m.source, m.source_ref, m.reader),
  told as (
    insert into backstory.outbox (org, project, kind, ref, reader, payload)
    select backstory.current_org(), backstory.current_project(), 'memory:removed', o.id, o.reader,
      jsonb_build_object('source', o.source, 'sourceRef', o.source_ref) from old o)
  select coalesce(array_agg(o.id), '{}') into gone from old o;
  perform backstory.drop_derived(gone);
  return cardinality(gone);
end $$;

-- Another one after a backup was brought back: the count of changes may by then be where a laptop left it, and its
-- numbers mean something else.
alter table backstory.note_feed add column epoch uuid not null default gen_random_uuid();
