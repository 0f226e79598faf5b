-- What a team knows. `memory` is truth; chunks, vectors and edges are made from it and can be made again.

create table backstory.memory (
  org uuid not null,
  project uuid not null,
  id text collate "C" not null,
  source text not null check (source in ('issue', 'comment', 'job', 'note', 'knowledge')),
  source_ref text collate "C" not null,
  text text not null,
  metadata jsonb not null default '{}',
  -- Of text and metadata: the same thing saved again changes nothing.
  hash bytea not null,
  -- Raised by every change; chunks carry the generation they were cut from and count only while it is this one.
  generation integer not null default 1,
  author uuid,
  -- Null for what the whole project may read; else the one person who may.
  reader uuid,
  created timestamptz not null default now(),
  updated timestamptz not null default now(),
  -- Null while no vector of the project's model stands for this generation.
  embedded_at timestamptz,
  primary key (org, id),
  -- Two people may each keep something about the same thing to themselves.
  unique nulls not distinct (org, project, source, source_ref, reader)
);
create index memory_project on backstory.memory (org, project, updated desc, id);
create index memory_unembedded on backstory.memory (org, project) where embedded_at is null;

-- Names and exact weights of models, numbered so that a vector can carry one in two bytes.
create table backstory.model (
  org uuid not null references backstory.org on delete cascade,
  id smallint not null,
  name text not null,
  dims integer not null,
  primary key (org, id),
  unique (org, name)
);

-- Until now a row named its project alone; nothing but tests has written any.
alter table backstory.note add column org uuid not null default backstory.current_org(),
  alter column project type uuid using project::uuid,
  drop constraint note_pkey, add primary key (org, project, id);
alter table backstory.chunk add column org uuid not null default backstory.current_org(),
  alter column project type uuid using project::uuid,
  add column generation integer not null default 1,
  add column reader uuid,
  drop constraint chunk_pkey, add primary key (org, project, id);

-- With the project in front: a word that other tenants use often costs this one nothing.
drop index backstory.chunk_terms;
create index chunk_terms on backstory.chunk using gin (project, terms) with (gin_pending_list_limit = 512);
drop index backstory.chunk_seq;
create unique index chunk_seq on backstory.chunk (org, project, seq);

-- Narrow, so that all vectors of a project are read in one sweep. Nearest neighbours are found by looking at every
-- one of them: exact, and quick enough up to some thirty thousand. One index over all projects was measured to miss
-- half of the answers once they are filtered by project.
create table backstory.vector (
  org uuid not null,
  project uuid not null,
  model smallint not null,
  -- `chunk.seq`
  chunk bigint not null,
  dims smallint not null,
  reader uuid,
  vec halfvec not null,
  primary key (org, project, model, chunk)
);
alter table backstory.vector alter column vec set storage plain;
-- The sweep reads this alone. Longer vectors do not fit into an index row.
create index vector_sweep on backstory.vector (org, project, model) include (chunk, reader, vec) where dims <= 1024;

-- Which vectors a project has, and from when on an index of its own serves it.
create table backstory.vector_state (
  org uuid not null,
  project uuid not null,
  model smallint not null,
  vectors bigint not null default 0,
  promoted timestamptz,
  primary key (org, project, model)
);

-- What a memory speaks of: a file, an issue, another memory. Two memories that share a rare one belong together.
create table backstory.edge (
  org uuid not null,
  project uuid not null,
  memory text collate "C" not null,
  relation text not null,
  target text collate "C" not null,
  primary key (org, project, memory, relation, target)
);
create index edge_target on backstory.edge (org, project, target, relation);

-- What happened, for those who listen. Read in the order of (xact, seq) and only below the oldest transaction still
-- under way: a plain sequence shows a later row before an earlier one has been committed, and a reader misses it.
create table backstory.outbox (
  org uuid not null,
  seq bigint generated always as identity,
  xact xid8 not null default pg_current_xact_id(),
  project uuid not null,
  kind text not null,
  ref text not null,
  reader uuid,
  payload jsonb not null default '{}',
  at timestamptz not null default now(),
  primary key (org, seq)
);
create index outbox_order on backstory.outbox (xact, seq);

create table backstory.job (
  org uuid not null,
  id bigint generated always as identity,
  project uuid not null,
  kind text not null,
  -- Asked for twice, done once.
  key text not null,
  payload jsonb not null default '{}',
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  last_error text,
  -- After its last attempt it stays here for a person to look at.
  dead timestamptz,
  created timestamptz not null default now(),
  primary key (org, id),
  unique (org, project, kind, key)
);
create index job_due on backstory.job (run_at) where dead is null;

create table backstory.audit (
  org uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null default now(),
  principal uuid,
  action text not null,
  project uuid,
  subject text not null default '',
  detail jsonb not null default '{}',
  primary key (org, seq)
);

create table backstory.retention (
  org uuid not null,
  project uuid not null,
  source text not null check (source in ('issue', 'comment', 'job', 'note', 'knowledge')),
  keep_days integer not null check (keep_days > 0),
  primary key (org, project, source),
  foreign key (org, project) references backstory.project on delete cascade
);
