-- Who there is. An organisation is the tenant: every row of every table names it, and every unique key begins with it.

create extension if not exists btree_gin;
create extension if not exists vector;

-- Roles belong to the whole server, and other databases of it may have them already.
-- backstory_app is what the server works as: it owns nothing, and sees the rows of one tenant.
-- backstory_gate owns the few functions that look across tenants, to find out who asks; nobody logs in as it.
do $$
declare name text;
begin
  foreach name in array array['backstory_app', 'backstory_gate'] loop
    begin
      execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', name);
    exception when duplicate_object or unique_violation then null;
    end;
    if not pg_has_role(current_user, name, 'set') then
      execute format('grant %I to current_user with set true, inherit false', name);
    end if;
  end loop;
end $$;

-- Set for one transaction by `enter`; without it no policy lets any row through.
create function backstory.current_org() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('backstory.org', true), '')::uuid $$;
create function backstory.current_project() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('backstory.project', true), '')::uuid $$;

create table backstory.org (
  org uuid primary key,
  name text not null,
  created timestamptz not null default now()
);

create table backstory.project (
  org uuid not null references backstory.org on delete cascade,
  id uuid not null,
  name text not null,
  -- The model whose vectors answer, and the one that is being prepared to take over; null until something is embedded.
  model smallint,
  next_model smallint,
  -- Kept with every write, because counting a project's rows would cost more than searching it.
  chunks bigint not null default 0,
  terms bigint not null default 0,
  created timestamptz not null default now(),
  primary key (org, id)
);

create table backstory.principal (
  org uuid not null references backstory.org on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('user', 'device')),
  -- A device acts for its person, and may never do more than they may.
  person uuid,
  name text not null,
  org_role text not null default 'member' check (org_role in ('owner', 'member')),
  disabled timestamptz,
  created timestamptz not null default now(),
  primary key (org, id),
  unique (org, kind, name),
  check ((kind = 'device') = (person is not null)),
  foreign key (org, person) references backstory.principal on delete cascade
);

create table backstory.membership (
  org uuid not null,
  project uuid not null,
  principal uuid not null,
  role text not null check (role in ('owner', 'member', 'reader')),
  primary key (org, project, principal),
  foreign key (org, project) references backstory.project on delete cascade,
  foreign key (org, principal) references backstory.principal on delete cascade
);
create index membership_principal on backstory.membership (org, principal);

-- A token is 256 random bits, so a fast hash is as safe as a slow one and four thousand times cheaper.
create table backstory.token (
  org uuid not null,
  id uuid not null,
  principal uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  scopes text[] not null check (scopes <@ array['read', 'write', 'admin']),
  label text not null default '',
  created timestamptz not null default now(),
  expires timestamptz,
  revoked timestamptz,
  primary key (org, id),
  unique (org, hash),
  foreign key (org, principal) references backstory.principal on delete cascade
);
-- Who asks is found by the hash alone, before any tenant is known.
create index token_hash on backstory.token using hash (hash);
