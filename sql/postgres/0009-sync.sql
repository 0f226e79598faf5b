-- What laptops need to follow a project's notes: every change in an order without gaps, and what was removed.

-- Counted up by each transaction that changes notes of a project. Those already wait for each other at the project's
-- row, so the order of these numbers is the order of the commits, and a restored backup keeps its meaning.
create table backstory.note_feed (
  org uuid not null,
  project uuid not null,
  version bigint not null,
  primary key (org, project)
);

-- One row for each note there is or was, with its last change: a laptop that was away for a year reads no more than
-- there are notes. A row outlives its note, so that nobody brings it back.
create table backstory.note_change (
  org uuid not null,
  project uuid not null,
  source_ref text collate "C" not null,
  reader uuid,
  version bigint not null,
  -- Whose it is, whoever changed it later.
  first_author uuid,
  removed timestamptz,
  -- The person, where one took it back with their own device.
  removed_by uuid,
  unique nulls not distinct (org, project, source_ref, reader)
);
create index note_change_version on backstory.note_change (org, project, version, source_ref);

-- Whatever way a note is changed or removed by, it is written down here: by the API, by a policy, by an operator.
create function backstory.record_note_change() returns trigger
language plpgsql security invoker set search_path = pg_catalog, backstory, pg_temp as $$
begin
  -- That a text got its vectors is no news to anybody's laptop, and leaves the time of its change as it was.
  with news as (
    select * from touched t where t.source = 'note' and (tg_op <> 'UPDATE' or t.updated = now())),
  fed as (
    insert into backstory.note_feed as f (org, project, version)
    select distinct t.org, t.project, 1 from news t order by 1, 2
    on conflict (org, project) do update set version = f.version + 1
    returning f.org, f.project, f.version)
  insert into backstory.note_change as c
    (org, project, source_ref, reader, version, first_author, removed, removed_by)
  select t.org, t.project, t.source_ref, t.reader, fed.version, t.author,
    case when tg_op = 'DELETE' then now() end,
    case when tg_op = 'DELETE' then nullif(current_setting('backstory.person', true), '')::uuid end
  from news t join fed on fed.org = t.org and fed.project = t.project
  on conflict (org, project, source_ref, reader) do update
    set version = excluded.version, removed = excluded.removed, removed_by = excluded.removed_by;
  return null;
end $$;

create trigger note_added after insert on backstory.memory
  referencing new table as touched for each statement execute function backstory.record_note_change();
create trigger note_changed after update on backstory.memory
  referencing new table as touched for each statement execute function backstory.record_note_change();
create trigger note_removed after delete on backstory.memory
  referencing old table as touched for each statement execute function backstory.record_note_change();

-- Devices that wait for a person to let them in. Nobody knows yet which organisation they will belong to.
create table backstory.sign_in (
  org uuid not null default '00000000-0000-0000-0000-000000000000',
  -- What the person types.
  code text not null,
  -- Of the token that the device made for itself and has shown to nobody.
  hash bytea not null check (octet_length(hash) = 32),
  name text not null,
  expires timestamptz not null,
  primary key (org, code),
  unique (org, hash)
);

do $$
declare name text;
begin
  foreach name in array array['note_feed', 'note_change', 'sign_in'] loop
    execute format('alter table backstory.%I enable row level security', name);
    execute format('alter table backstory.%I force row level security', name);
  end loop;
  foreach name in array array['note_feed', 'note_change'] loop
    execute format('create policy own_project on backstory.%I
      using (org = (select backstory.current_org()) and project = (select backstory.current_project()))', name);
    execute format('grant select, insert, update on backstory.%I to backstory_app', name);
  end loop;
end $$;
-- Of no organisation, so that this lets nothing through; the three functions below are the only way.
create policy own_org on backstory.sign_in using (org = (select backstory.current_org()));
create policy gate on backstory.sign_in to backstory_gate using (true) with check (true);
grant select, insert, delete on backstory.sign_in to backstory_gate;

-- False when too many wait already: whoever asks here has shown no token.
create function backstory.ask_sign_in(in_code text, in_hash bytea, in_name text, lasts interval) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  delete from backstory.sign_in where expires < now();
  if (select count(*) from backstory.sign_in) >= 1000 then return false; end if;
  insert into backstory.sign_in (code, hash, name, expires) values (in_code, in_hash, in_name, now() + lasts)
    on conflict do nothing;
  return found;
end $$;

-- Each code is good once.
create function backstory.take_sign_in(in_code text, out hash bytea, out name text)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  delete from backstory.sign_in s where s.code = in_code and s.expires > now()
    returning s.hash, s.name into hash, name;
  if not found then raise exception 'no such code' using errcode = 'BS404'; end if;
end $$;

-- For a device that asks whether it has been let in; it names 256 bits that nobody can guess.
create function backstory.sign_in_state(in_hash bytea) returns text
language sql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
  select case
    when exists (select from backstory.token t where t.hash = in_hash and t.revoked is null) then 'approved'
    when exists (select from backstory.sign_in s where s.hash = in_hash and s.expires > now()) then 'waiting'
    else 'gone' end
$$;

-- Where a listener begins who has heard nothing yet: behind everything that no running transaction can come before.
create function backstory.outbox_head(out xact xid8, out seq bigint)
language sql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
  select o.xact, o.seq from backstory.outbox o where o.xact < pg_snapshot_xmin(pg_current_snapshot())
  order by o.xact desc, o.seq desc limit 1
$$;

do $$
declare called text;
begin
  grant create on schema backstory to backstory_gate;
  foreach called in array array['ask_sign_in(text, bytea, text, interval)', 'take_sign_in(text)', 'sign_in_state(bytea)',
    'outbox_head()'] loop
    execute format('alter function backstory.%s owner to backstory_gate', called);
    execute format('revoke all on function backstory.%s from public', called);
    execute format('grant execute on function backstory.%s to backstory_app, backstory_gate', called);
  end loop;
  revoke create on schema backstory from backstory_gate;
end $$;
