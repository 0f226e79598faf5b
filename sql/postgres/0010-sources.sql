-- What comes from elsewhere: issues, comments and jobs where they live, who may tell of them, and what was told.

-- One row for each issue, comment or job that was ever told of. It outlives its memory, so that a late delivery
-- neither brings back an older text nor what was deleted.
create table backstory.source_state (
  org uuid not null,
  project uuid not null,
  source text not null check (source in ('issue', 'comment', 'job')),
  source_ref text collate "C" not null,
  -- The issue that a comment stands under: both go together.
  parent text collate "C",
  -- By the source's own clock: ours says only when a delivery arrived.
  at timestamptz not null,
  removed timestamptz,
  primary key (org, project, source, source_ref),
  foreign key (org, project) references backstory.project on delete cascade
);
create index source_state_parent on backstory.source_state (org, project, parent) where parent is not null;

-- A place where a forge may tell of changes. The secret is kept as it is: without it no signature can be checked.
create table backstory.webhook (
  org uuid not null,
  id uuid not null,
  project uuid not null,
  kind text not null check (kind in ('github', 'gitlab', 'signed')),
  secret text not null check (length(secret) >= 32),
  label text not null default '',
  created timestamptz not null default now(),
  last_used timestamptz,
  primary key (org, id),
  foreign key (org, project) references backstory.project on delete cascade
);
-- Found by its id alone, before any tenant is known.
create index webhook_id on backstory.webhook using hash (id);

-- What was told already; told again, it changes nothing. Forgotten after a while by `team tend`.
create table backstory.webhook_delivery (
  org uuid not null,
  project uuid not null,
  webhook uuid not null,
  delivery text collate "C" not null,
  at timestamptz not null default now(),
  primary key (org, webhook, delivery),
  foreign key (org, project) references backstory.project on delete cascade
);
create index webhook_delivery_at on backstory.webhook_delivery (org, at);

-- That somebody wants the knowledge of a project's files brought anew, and when a laptop brought it last.
create table backstory.knowledge_wish (
  org uuid not null,
  project uuid not null,
  wanted timestamptz,
  brought timestamptz,
  primary key (org, project),
  foreign key (org, project) references backstory.project on delete cascade
);

do $$
declare name text;
begin
  foreach name in array array['source_state', 'webhook', 'webhook_delivery', 'knowledge_wish'] loop
    execute format('alter table backstory.%I enable row level security', name);
    execute format('alter table backstory.%I force row level security', name);
  end loop;
  foreach name in array array['source_state', 'knowledge_wish'] loop
    execute format('create policy own_project on backstory.%I
      using (org = (select backstory.current_org()) and project = (select backstory.current_project()))', name);
    execute format('grant select, insert, update on backstory.%I to backstory_app', name);
  end loop;
  -- Made, listed, pruned and removed by an operator, who works for a whole organisation.
  foreach name in array array['webhook', 'webhook_delivery'] loop
    execute format('create policy own_org on backstory.%I using (org = (select backstory.current_org()))', name);
  end loop;
end $$;
grant select, insert on backstory.webhook_delivery to backstory_app;
-- Whose secret it is stays out of the server's reach, but for the function below.
create policy gate on backstory.webhook to backstory_gate using (true) with check (true);
grant select, update (last_used) on backstory.webhook to backstory_gate;
-- For the doctor.
create policy gate on backstory.webhook_delivery for select to backstory_gate using (true);
grant select on backstory.webhook_delivery to backstory_gate;

-- What a signature is checked against. Nothing is entered yet: whoever asks has proved nothing.
create function backstory.find_webhook(in_webhook uuid, out kind text, out secret text, out project uuid)
language sql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
  select w.kind, w.secret, w.project from backstory.webhook w where w.id = in_webhook
$$;

-- After the signature was found good: the rest of the transaction is the project's, without anybody's token.
create function backstory.enter_webhook(in_webhook uuid, out org uuid, out project uuid)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select w.org, w.project into org, project from backstory.webhook w where w.id = in_webhook;
  if not found then raise exception 'no such webhook' using errcode = 'BS401'; end if;
  -- Once a minute is enough to know that it is in use, and a row written with every delivery is one to wait for.
  update backstory.webhook w set last_used = now()
    where w.id = in_webhook and (w.last_used is null or w.last_used < now() - interval '1 minute');
  perform set_config('backstory.org', org::text, true), set_config('backstory.project', project::text, true);
end $$;

do $$
declare called text;
begin
  grant create on schema backstory to backstory_gate;
  foreach called in array array['find_webhook(uuid)', 'enter_webhook(uuid)'] loop
    execute format('alter function backstory.%s owner to backstory_gate', called);
    execute format('revoke all on function backstory.%s from public', called);
    execute format('grant execute on function backstory.%s to backstory_app, backstory_gate', called);
  end loop;
  revoke create on schema backstory from backstory_gate;
end $$;
