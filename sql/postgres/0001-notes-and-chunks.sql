-- Every row belongs to a project, and every key begins with it: no query has a reason to leave its project.
-- Ids compare by their bytes, whatever the locale of the database, as they do in the other stores.

create table backstory.note (
  project text not null,
  id text collate "C" not null,
  kind text not null,
  title text not null,
  state text not null,
  trust smallint not null,
  pinned boolean not null,
  concepts text[] not null,
  files text[] not null,
  created text not null,
  updated text not null,
  rev integer not null,
  parents text[] not null,
  author text not null,
  visibility text not null,
  valid_from text not null,
  valid_to text not null,
  derived_from text[] not null,
  text text not null,
  primary key (project, id)
);

create table backstory.chunk (
  project text not null,
  id text collate "C" not null,
  -- The order in which chunks were put.
  seq bigint generated always as identity,
  source text not null,
  source_id text collate "C" not null,
  kind text not null,
  origin text not null,
  trust smallint not null,
  agent text not null,
  agent_session text not null,
  turn text not null,
  branch text not null,
  at bigint not null,
  paths text[] not null,
  concepts text[] not null,
  pinned boolean not null,
  -- How many terms the text has, repetitions included.
  length integer not null,
  -- The terms as they were cut before they came here: words weigh A, parts of identifiers B.
  terms tsvector not null,
  text text not null,
  primary key (project, id)
);

create index chunk_source on backstory.chunk (project, source_id);
-- Serves the newest first, and the count and average length of a project without reading its rows.
create index chunk_recent on backstory.chunk (project, at desc, id) include (length);
create index chunk_terms on backstory.chunk using gin (terms);
