import { hashId } from '../../base/hash.ts';
import { unreviewedTeamSql } from './chunk-filter.ts';
import { editTables } from './edits.ts';
import { vectorTables } from './vectors.ts';

/**
 * The index has no migrations. The schema name is a hash of everything that determines its content and is
 * part of the file names. A version of Backstory reads and writes only files of its own schema, so an old and
 * a new version can run side by side without rebuilding each other's index.
 */
export const schemaSql = `
create table progress (file text primary key, offset integer not null) without rowid;
create table event (
  id text primary key, kind text not null, state text not null, at integer not null,
  agent text not null, agent_session text not null, client_pid integer not null, turn text not null,
  file text not null, offset integer not null, source_file text not null, source_offset integer not null
) without rowid;
create index event_source on event (source_file, source_offset) where source_file <> '';
create index event_turn on event (turn) where turn <> '';
-- The lines of the log, so that what a damaged log has lost can be given back.
create table event_line (id text primary key, line blob not null);
create table memo_step (
  id text primary key, kind text not null, at integer not null, seq integer not null, agent_session text not null,
  client_pid integer not null, file_name text not null, step text not null
) without rowid;
create index memo_step_session on memo_step (agent_session, at);
create index memo_step_at on memo_step (at);
create index memo_step_file on memo_step (file_name, at) where file_name <> '';
create index memo_step_title on memo_step (at) where kind = 'title';
create index memo_step_client on memo_step (client_pid, at) where client_pid <> 0;
create table note (
  file text primary key, note text not null, stamp text not null, ties text not null
) without rowid;
create index note_id on note (note);
create table progress_mark (name text primary key, stamp text not null) without rowid;
create table tombstone (keyed_hash text primary key) without rowid;
create table chunk (
  row integer primary key, id text not null unique, source text not null, source_id text not null,
  kind text not null, origin text not null, trust integer not null, agent text not null,
  agent_session text not null, turn text not null, branch text not null, at integer not null,
  paths text not null, concepts text not null, pinned integer not null, failed integer not null, topic text not null, terms integer not null, text text not null
);
create index chunk_source on chunk (source_id);
create index chunk_recent on chunk (kind, at);
create index chunk_at on chunk (at);
create index chunk_order on chunk (row, origin, at, id);
create index chunk_turn on chunk (turn) where turn <> '';
create index chunk_team on chunk (row, terms) where ${unreviewedTeamSql('')};
create index chunk_session on chunk (agent_session, at, source_id, kind);
create table corpus (chunks integer not null, terms integer not null);
insert into corpus values (0, 0);
create table team_term (term text primary key, chunks integer not null) without rowid;
create table chunk_file (name text not null, path text not null, chunk integer not null);
create index chunk_file_name on chunk_file (name);
create index chunk_file_chunk on chunk_file (chunk);
create virtual table chunk_terms using fts5 (words, idents, content='', tokenize="ascii tokenchars '_$'");
create virtual table chunk_vocabulary using fts5vocab (chunk_terms, 'row');
insert into chunk_terms (chunk_terms, rank) values ('secure-delete', 1);
${editTables}${vectorTables}`;

/** Increment this if chunks are cut, split into terms, classified or embedded differently. */
const contentRevision = 13;

/** `salt` is set by tests that build a second, different version of the package. */
export const schemaNameWith = (salt: string): string =>
  `s${hashId(`${contentRevision}\n${salt}\n${schemaSql}`).slice(0, 10)}`;

/** Computed by scripts/build.ts, because the hash takes a hook three milliseconds. */
declare const BACKSTORY_SCHEMA_NAME: string | undefined;
export const schemaName =
  typeof BACKSTORY_SCHEMA_NAME === 'string' ? BACKSTORY_SCHEMA_NAME : schemaNameWith('');
