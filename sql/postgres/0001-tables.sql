-- The tables of a team server. Every row belongs to a project, and every key begins with its organisation: no query has
-- a reason to leave its project. An organisation is the tenant.

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
  -- The model whose vectors answer; null until something is embedded.
  model smallint,
  -- Kept with every write, because counting a project's rows would cost more than searching it.
  chunks bigint not null default 0,
  terms bigint not null default 0,
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
  scopes text[] not null check (scopes <@ array['read', 'write']),
  expires timestamptz,
  revoked timestamptz,
  -- A browser's session is a token of its person that a cookie carries: it ends by itself, and with whatever ends theirs.
  is_browser_session boolean not null default false,
  primary key (org, id),
  unique (org, hash),
  foreign key (org, principal) references backstory.principal on delete cascade
);
-- Who asks is found by the hash alone, before any tenant is known.
create index token_hash on backstory.token using hash (hash);

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

-- Ids compare by their bytes, whatever the locale of the database, as they do in the other stores.
create table backstory.chunk (
  org uuid not null default backstory.current_org(),
  project uuid not null,
  id text collate "C" not null,
  -- The order in which chunks were put.
  seq bigint generated always as identity,
  source text not null,
  source_id text collate "C" not null,
  at bigint not null,
  -- How many terms the text has, repetitions included.
  length integer not null,
  -- The terms as they were cut before they came here: words weigh A, parts of identifiers B.
  terms tsvector not null,
  text text not null,
  generation integer not null default 1,
  reader uuid,
  primary key (org, project, id)
);
create index chunk_source on backstory.chunk (project, source_id);
-- With the project in front: a word that other tenants use often costs this one nothing.
create index chunk_terms on backstory.chunk using gin (project, terms) with (gin_pending_list_limit = 512);
-- Finds the chunks that were put last.
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
-- The sweep reads this alone. Vectors of more than 1,024 dimensions would not fit into an index row.
create index vector_sweep on backstory.vector (org, project, model) include (chunk, reader, vec);

-- How many vectors a project has.
create table backstory.vector_state (
  org uuid not null,
  project uuid not null,
  model smallint not null,
  vectors bigint not null default 0,
  primary key (org, project, model)
);

-- What a memory speaks of: a file, an issue, a concept. Two memories that share a rare one belong together.
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

-- Projects whose vectors are to be made. Asked for twice, done once.
create table backstory.job (
  org uuid not null,
  project uuid not null,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  last_error text,
  -- After its last attempt it stays here for a person to look at.
  dead timestamptz,
  primary key (org, project)
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
  -- What a team has pinned goes with the rest only where the policy says so.
  with_pinned boolean not null default false,
  primary key (org, project, source),
  foreign key (org, project) references backstory.project on delete cascade
);

-- Who says that a teammate's note is wrong. A dispute is about one text: it goes when the text is replaced or removed.
create table backstory.note_dispute (
  org uuid not null,
  project uuid not null,
  memory text collate "C" not null,
  person uuid not null,
  at timestamptz not null default now(),
  -- The disputing person's own note that states what is right, by its reference.
  correction text collate "C",
  -- When the author of the note answered that it holds nevertheless.
  kept timestamptz,
  -- Whether it keeps the note from teammates' sessions. A person may silence only a few notes that nobody else disputes;
  -- further disputes are recorded and wait for somebody to agree.
  silences boolean not null default true,
  primary key (org, project, memory, person)
);

grant usage on schema backstory to backstory_app, backstory_gate;
grant select on backstory.migration, backstory.org to backstory_app;
grant select, insert, update, delete on backstory.project, backstory.principal, backstory.membership, backstory.token,
  backstory.model, backstory.memory, backstory.chunk, backstory.vector, backstory.vector_state,
  backstory.edge, backstory.job, backstory.retention, backstory.note_dispute to backstory_app;
grant select, insert on backstory.outbox to backstory_app;

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

-- Citus sends `set local` to the workers, but not `set_config`.
create function backstory.set_tenant(in_org uuid, in_project uuid) returns void
language plpgsql volatile security invoker set search_path = pg_catalog, pg_temp as $$
begin
  execute format('set local backstory.org = %L', coalesce(in_org::text, ''));
  execute format('set local backstory.project = %L', coalesce(in_project::text, ''));
end $$;

-- Begins a transaction's work: after it the policies let through what belongs to this project, until it ends.
create function backstory.enter(token_hash bytea, in_project uuid,
  out org uuid, out principal uuid, out person uuid, out kind text, out scopes text[], out role text)
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select * into org, principal, person, kind, scopes, role from backstory.member(token_hash, in_project);
  perform backstory.set_tenant(org, in_project);
end $$;

-- The same where only the organisation is meant.
create function backstory.enter_org(token_hash bytea,
  out org uuid, out principal uuid, out person uuid, out kind text, out org_role text, out scopes text[])
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select * into org, principal, person, kind, org_role, scopes from backstory.identify(token_hash);
  perform backstory.set_tenant(org, null);
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

-- The next work, whoever's it is; each piece is out of others' sight for as long as the lease lasts. Claimed one by one,
-- because Citus takes a lock on one worker only.
create function backstory.claim_jobs(most integer, lease interval)
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

-- Work that was claimed goes on as its project, without anybody's token.
create function backstory.enter_job(in_org uuid, in_project uuid) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  if not exists (select from backstory.job j where j.org = in_org and j.project = in_project) then
    return false;
  end if;
  perform backstory.set_tenant(in_org, in_project);
  return true;
end $$;

-- What happened since, in an order in which nothing can appear later in front of what was read. On Citus the transaction
-- ids are those of the coordinator. A transaction of one organisation writes on one worker, and Citus commits there
-- before it commits on the coordinator. So an event below the coordinator's oldest transaction is visible.
create function backstory.outbox_after(last_xact xid8, last_seq bigint, most integer)
returns table (org uuid, xact xid8, seq bigint, project uuid, kind text, ref text, reader uuid, payload jsonb, at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
begin
  return query select o.org, o.xact, o.seq, o.project, o.kind, o.ref, o.reader, o.payload, o.at from backstory.outbox o
    where (o.xact, o.seq) > (last_xact, last_seq) and o.xact < oldest order by o.xact, o.seq limit most;
end $$;

-- Where a listener begins who has heard nothing yet: behind everything that no running transaction can come before.
create function backstory.outbox_head(out xact xid8, out seq bigint)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
#variable_conflict use_column
declare oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
begin
  select o.xact, o.seq into xact, seq from backstory.outbox o where o.xact < oldest
    order by o.xact desc, o.seq desc limit 1;
end $$;

-- What was made of memories of the current project goes with them, and is counted off, statement by statement, because
-- Citus does not plan several writes in one. The vectors of a slice are found by their whole key, model by model: without
-- the model, each slice that went had the keys of all vectors of its project read.
create function backstory.drop_derived(memories text[]) returns void
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

-- Whether a project has an index of its own for the vectors of this model. vector-indexes.ts gives it this name.
create function backstory.has_vector_index(in_org uuid, in_project uuid, in_model integer) returns boolean
language sql stable security invoker set search_path = pg_catalog, pg_temp as $$
  select exists (select from pg_index i where i.indisvalid and i.indexrelid = to_regclass(format(
    'backstory.vector_near_%s_%s_%s', replace(in_project::text, '-', ''), right(in_org::text, 8), in_model)))
$$;

-- Hybrid search in one call: who asks is found out once, then words, meaning and what belongs together are brought
-- into one measure as src/text/fuse.ts does, and the best go back with what each found. The weights come from the
-- caller, so that they are written down in one place only.

-- The settings of the extension are known to this connection once it is loaded, which only its first use does; until
-- then nobody but a superuser may name them.
select '[1]'::vector;

create function backstory.search(
  token_hash bytea,
  in_project uuid,
  -- Each a tsquery of one term, cut as chunks were.
  asked_terms text[],
  model_name text,
  -- Null when nothing could be made of the question.
  question halfvec,
  -- Files and issues that the question names.
  targets text[],
  -- Null for all.
  sources text[],
  -- How many go back.
  most integer,
  -- word, identifier part, k1, b; meaning, contrast, least nearness; graph.
  tuning float8[])
returns table (
  id text, source text, source_ref text, "text" text, metadata jsonb, updated timestamptz, embedded_at timestamptz,
  said text, nearness float8, graph float8,
  chunks bigint, average_terms float8, frequencies bigint[])
language plpgsql stable security definer
set search_path = pg_catalog, backstory, public, pg_temp
-- Planned once for each connection: planning took longer than searching.
set plan_cache_mode = force_generic_plan
-- Where a project has an index of its own: as many as are asked for, and on until so many passed the other conditions.
set hnsw.ef_search = 800
set hnsw.iterative_scan = 'strict_order'
as $$
#variable_conflict use_column
declare
  -- A word that stands in more chunks than this is common: it finds nothing by itself, and is only counted in what
  -- other words found. It would tell little and cost the most.
  most_places constant integer := 1000;
  -- So many of those that have the rarest words are looked at closely.
  most_ranked constant integer := 300;
  most_worded constant integer := 150;
  most_near constant integer := 100;
  who record;
  corpus record;
  queries tsquery[];
  weights float4[];
  counts bigint[];
  rarities float8[];
  found bigint[];
  near bigint[];
  nearness_of float8[];
begin
  who := backstory.member(token_hash, in_project);
  if not 'read' = any(who.scopes) then raise exception 'not for reading' using errcode = 'BS403'; end if;
  select p.chunks, p.terms::float8 / greatest(1, p.chunks) as average, p.model, m.dims
    into corpus from backstory.project p
    left join backstory.model m on m.org = p.org and m.id = p.model and m.name = coalesce(model_name, '')
    where p.org = who.org and p.id = in_project;

  if cardinality(asked_terms) > 0 then
    queries := array(select t::tsquery from unnest(asked_terms) with ordinality as u (t, place) order by place);
    weights := array[0.1, 0.1, tuning[2], tuning[1]];
    with places as materialized (
      select q.place, c.seq from unnest(queries) with ordinality as q (q, place)
      cross join lateral (select c.seq from backstory.chunk c
        where c.project = in_project and c.terms @@ q.q and c.org = who.org
          and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
        limit most_places + 1) c
    ), counted as (
      select p.place, count(s.seq) as n from generate_series(1, cardinality(queries)) as p (place)
      left join places s using (place) group by p.place
    ), telling as materialized (
      select place, ln(1 + (greatest(corpus.chunks, n) - n + 0.5::float8) / (n + 0.5::float8)) as rarity from counted
      where n between 1 and most_places
    ), best as (
      select p.seq from places p join telling t using (place) group by p.seq
      order by sum(t.rarity) desc, p.seq desc limit most_ranked)
    select (select array_agg(case when n > most_places then greatest(n, corpus.chunks / 2) else n end order by place)
        from counted),
      (select array_agg(seq) from best) into counts, found;
    -- Never negative, and never nothing: a word in most chunks still counts a little.
    rarities := array(select ln(1 + (greatest(corpus.chunks, n) - n + 0.5::float8) / (n + 0.5::float8))
      from unnest(counts) with ordinality as u (n, place) order by place);
    if found is null then
      -- Nothing but common words: those that have all of them; and if none has, whatever comes first.
      found := array(select c.seq from backstory.chunk c
        where c.project = in_project and c.terms @@ array_to_string(asked_terms, ' & ')::tsquery and c.org = who.org
          and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
        limit most_ranked);
      if found = '{}' then
        found := array(select c.seq from backstory.chunk c
          where c.project = in_project and c.terms @@ array_to_string(asked_terms, ' | ')::tsquery and c.org = who.org
            and (c.reader is null or c.reader = who.person) and (sources is null or c.source = any(sources))
          limit most_ranked);
      end if;
    end if;
  end if;

  if question is not null and corpus.dims = vector_dims(question) then
    if sources is not null or backstory.has_vector_index(who.org, in_project, corpus.model) then
      -- Written out, so that the planner knows project and model and may take the index that is theirs alone.
      execute format($q$
        select array_agg(n.chunk), array_agg(n.nearness) from (
          select v.chunk, -((v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s)) as nearness from backstory.vector v
          where v.org = %2$L and v.project = %3$L and v.model = %4$s and v.dims = %1$s
            and (v.reader is null or v.reader = %5$L) %6$s
          order by (v.vec::halfvec(%1$s)) <#> $1::halfvec(%1$s) limit %7$s) n $q$,
        corpus.dims, who.org, in_project, corpus.model, who.person,
        case when sources is null then '' else format('and v.chunk in (select c.seq from backstory.chunk c
          where c.org = %L and c.project = %L and c.source = any(%L))', who.org, in_project, sources) end,
        most_near) into near, nearness_of using question;
    else
      select array_agg(n.chunk), array_agg(n.nearness) into near, nearness_of from (
        select v.chunk, -(v.vec <#> question) as nearness from backstory.vector v
        where v.org = who.org and v.project = in_project and v.model = corpus.model
          and (v.reader is null or v.reader = who.person)
        order by v.vec <#> question limit most_near) n;
    end if;
  end if;

  return query
  with said as (
    select c.seq, (select sum(q.rarity * n.n * (tuning[3] + 1)
        / (n.n + tuning[3] * (1 - tuning[4] + tuning[4] * c.length / greatest(1, corpus.average))))
      from unnest(queries, rarities) as q (q, rarity)
      cross join lateral (select ts_rank_cd(weights, c.terms, q.q) as n offset 0) n where c.terms @@ q.q) as words
    from unnest(found) as f (seq)
    join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
  ), by_words as materialized (
    select s.seq, s.words from said s order by s.words desc, s.seq desc limit most_worded
  ), by_nearness as (
    select n.seq, n.nearness from unnest(near, nearness_of) as n (seq, nearness) where n.nearness >= tuning[7]
    union
    -- What was found by its words is judged by its meaning too, however far away it is.
    select v.chunk, -(v.vec <#> question) from by_words b
    join backstory.vector v on v.org = who.org and v.project = in_project and v.model = corpus.model and v.chunk = b.seq
    where near is not null
  ), telling as (
    select n.seq, n.nearness, n.nearness - tuning[6] * max(n.nearness) over () as told from by_nearness n
  ), fused as (
    select seq, t.nearness,
      coalesce(w.words / nullif(max(w.words) over (), 0), 0)
        + tuning[5] * coalesce(greatest(0, t.told) / nullif(max(t.told) over (), 0), 0) as score
    from by_words w full join telling t using (seq)
  ), leading_few as (
    -- Of one memory several slices may be found, so some more than wanted.
    select f.* from fused f where f.score > 0 order by f.score desc, f.seq desc limit most * 2
  ), best_slice as materialized (
    -- Slices of an older generation are on their way out.
    select distinct on (c.source_id) c.source_id as id, c.generation, c.at, c.text as said, f.nearness, f.score
    from leading_few f join backstory.chunk c on c.org = who.org and c.project = in_project and c.seq = f.seq
    order by c.source_id, f.score desc, c.seq
  ), foremost as (
    select b.id, b.score / max(b.score) over () as share from best_slice b order by b.score desc limit 8
  ), linked as (
    -- What the question names, and what the best speak of; the more share it, the less it says.
    select l.memory as id, max(s.share / (1 + ln(l.sharing))) as graph
    from (
      select e.target, max(b.share) as share from foremost b
      join backstory.edge e on e.org = who.org and e.project = in_project and e.memory = b.id group by e.target
      union all select t, 1 from unnest(targets) t) s
    cross join lateral (
      select e.memory, count(*) over () as sharing from (select e.memory from backstory.edge e
        where e.org = who.org and e.project = in_project and e.target = s.target limit 50) e) l
    group by l.memory
  ), pooled as (
    select id, b.generation, b.at, b.said, b.nearness, l.graph,
      coalesce(b.score, 0) + tuning[8] * coalesce(l.graph, 0) as score
    from best_slice b full join linked l using (id) order by score desc, id desc limit most
  )
  -- When its source was changed, which may be long before it came here.
  select m.id, m.source, m.source_ref, m.text, m.metadata, coalesce(to_timestamp(p.at / 1000.0), m.updated), m.embedded_at,
    nullif(p.said, m.text), coalesce(p.nearness, 0)::float8, coalesce(p.graph, 0)::float8, corpus.chunks, corpus.average,
    -- Once is enough.
    case when row_number() over (order by p.score desc, m.id desc) = 1 then counts end
  from pooled p join backstory.memory m on m.org = who.org and m.id = p.id
  where m.project = in_project and (m.reader is null or m.reader = who.person)
    and m.generation = coalesce(p.generation, m.generation) and (sources is null or m.source = any(sources))
  order by p.score desc, m.id desc;
end $$;

-- What laptops need to follow a project's notes: every change in an order without gaps, and what was removed.

-- Counted up by each transaction that changes notes of a project. Those already wait for each other at the project's
-- row, so the order of these numbers is the order of the commits, and a restored backup keeps its meaning.
create table backstory.note_feed (
  org uuid not null,
  project uuid not null,
  version bigint not null,
  -- Another one after a backup was brought back: the count of changes may by then be where a laptop left it, and its
  -- numbers mean something else.
  epoch uuid not null default gen_random_uuid(),
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
create trigger note_recorded after insert or update or delete on backstory.memory
  for each row execute function backstory.record_note_change();

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

grant select, insert, update on backstory.note_feed, backstory.note_change to backstory_app;
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
  kind text not null check (kind in ('github', 'gitlab', 'linear', 'jira', 'signed')),
  secret text not null check (length(secret) >= 32),
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

grant select, insert, update on backstory.source_state to backstory_app;
grant select, insert on backstory.webhook_delivery to backstory_app;
-- Whose secret it is stays out of the server's reach, but for the function below.
create policy gate on backstory.webhook for select to backstory_gate using (true);
grant select on backstory.webhook to backstory_gate;
grant select (org, id, last_used), update (last_used) on backstory.webhook to backstory_app;

-- What a signature is checked against. Nothing is entered yet: whoever asks has proved nothing.
create function backstory.find_webhook(in_webhook uuid, out org uuid, out project uuid, out kind text, out secret text)
language plpgsql stable security definer set search_path = pg_catalog, backstory, pg_temp as $$
begin
  select w.org, w.project, w.kind, w.secret into org, project, kind, secret from backstory.webhook w
    where w.id = in_webhook;
end $$;

-- After the signature was found good: the rest of the transaction is the project's, without anybody's token. With the
-- rights of the server, because on Citus two roles cannot write rows of one organisation in one transaction.
create function backstory.enter_webhook(in_webhook uuid, out org uuid, out project uuid)
language plpgsql volatile security invoker set search_path = pg_catalog, backstory, pg_temp as $$
declare found_org uuid; found_project uuid;
begin
  select w.org, w.project into found_org, found_project from backstory.find_webhook(in_webhook) w;
  if found_org is null then raise exception 'no such webhook' using errcode = 'BS401'; end if;
  perform backstory.set_tenant(found_org, found_project);
  -- Once a minute is enough to know that it is in use, and a row written with every delivery is one to wait for.
  update backstory.webhook w set last_used = now() where w.org = found_org and w.id = in_webhook
    and (w.last_used is null or w.last_used < now() - interval '1 minute');
  org := found_org; project := found_project;
end $$;
revoke all on function backstory.enter_webhook(uuid) from public;
grant execute on function backstory.enter_webhook(uuid) to backstory_app;

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
  primary key (org, principal),
  unique (org, issuer, subject),
  check ((issuer is null) = (subject is null)),
  check (email is not null or subject is not null),
  foreign key (org, principal) references backstory.principal on delete cascade
);
create unique index identity_email on backstory.identity (org, email) where subject is null;
-- Who comes is found before any tenant is known.
create index identity_account on backstory.identity (issuer, subject);

-- Which account of an issue tracker is which person, as an operator says. What an account writes is told to the
-- sessions of those who trust its person.
create table backstory.forge_account (
  org uuid not null,
  -- Tracker, host and the id that survives renaming: `github:github.com:583231`.
  account text collate "C" not null,
  name text not null,
  principal uuid not null,
  primary key (org, account),
  foreign key (org, principal) references backstory.principal on delete cascade
);
grant select on backstory.forge_account to backstory_app;

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
  perform backstory.set_tenant(org, null);
end $$;

-- What was done stays written down: the server may add to it and neither say when nor take anything back, and nobody
-- changes or removes a line, the owner of the table included.
grant select, insert (org, principal, action, project, subject, detail) on backstory.audit to backstory_app;
create index audit_time on backstory.audit (org, at, seq);
create function backstory.refuse_change() returns trigger
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'what was done stays written down';
end $$;
create trigger audit_stays before update or delete or truncate on backstory.audit
  for each statement execute function backstory.refuse_change();

-- Identifies the database that the rows belong to. pg_restore brings this row back as it was in the dump, so in a
-- restored or copied database it names another one.
create table backstory.database_identity (
  system_identifier bigint not null,
  database_oid oid not null,
  -- New after each restore. Part of every event id, because transaction ids of two servers may be equal.
  history uuid not null
);
insert into backstory.database_identity
  select s.system_identifier, d.oid, gen_random_uuid() from pg_control_system() s, pg_database d
  where d.datname = current_database();
grant select on backstory.database_identity to backstory_app;

-- The second line of defence: whatever a query forgets to ask for, a row of another tenant is not there.
-- Enabled and forced, so that not even the owner of the tables sees past it.
do $$
declare name text;
begin
  for name in select c.relname from pg_class c where c.relnamespace = 'backstory'::regnamespace and c.relkind = 'r'
    and c.relname not in ('migration', 'database_identity')
  loop
    execute format('alter table backstory.%I enable row level security', name);
    execute format('alter table backstory.%I force row level security', name);
  end loop;
  -- Of one project at a time.
  foreach name in array array['memory', 'chunk', 'vector', 'vector_state', 'edge', 'job', 'retention',
    'note_dispute', 'note_feed', 'note_change', 'source_state'] loop
    execute format('create policy own_project on backstory.%I
      using (org = (select backstory.current_org()) and project = (select backstory.current_project()))', name);
  end loop;
  -- Of the organisation. `sign_in` is of none, so nothing of it is let through: its three functions are the only way.
  foreach name in array array['org', 'project', 'principal', 'membership', 'token', 'model', 'outbox', 'audit',
    'sign_in', 'webhook', 'webhook_delivery', 'identity', 'forge_account', 'sign_in_domain'] loop
    execute format('create policy own_org on backstory.%I using (org = (select backstory.current_org()))', name);
  end loop;
  -- A policy that is always true leaves the planner free: below any other one, the index for words goes unused,
  -- and a search takes thirty times as long.
  foreach name in array array['org', 'project', 'principal', 'membership', 'token', 'model', 'memory', 'chunk',
    'vector', 'vector_state', 'edge', 'outbox', 'job', 'retention', 'webhook_delivery', 'identity',
    'forge_account', 'sign_in_domain'] loop
    execute format('create policy gate on backstory.%I for select to backstory_gate using (true)', name);
    execute format('grant select on backstory.%I to backstory_gate', name);
  end loop;
end $$;
grant update (attempts, run_at) on backstory.job to backstory_gate;
create policy gate_claims on backstory.job for update to backstory_gate using (true);

-- The functions that look across tenants are the gate's; only the server may call them. They are granted as
-- backstory_gate: as the owner of the tables Postgres ignores the revoke, with a warning only, if that owner does not
-- inherit the rights of backstory_gate.
do $$
declare
  tables_owner name := current_user;
  called regprocedure;
begin
  grant create on schema backstory to backstory_gate;
  for called in select p.oid from pg_proc p where p.pronamespace = 'backstory'::regnamespace and p.prosecdef loop
    execute format('alter function %s owner to backstory_gate', called);
  end loop;
  revoke create on schema backstory from backstory_gate;
  set local role backstory_gate;
  for called in select p.oid from pg_proc p where p.pronamespace = 'backstory'::regnamespace and p.prosecdef loop
    execute format('revoke all on function %s from public', called);
    execute format('grant execute on function %s to backstory_app, %I', called, tables_owner);
  end loop;
end $$;
reset role;
