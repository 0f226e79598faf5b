import type { Chunk } from '../../domain/chunk.ts';
import { termsOf } from '../../text/words.ts';
import { plainText, plainTexts } from './plain-text.ts';
import { vectorOf } from './terms.ts';

export interface ChunkRow extends Omit<Chunk, 'project' | 'at'> {
  /** A bigint, which the driver hands over as text. */
  at: string;
}

/** A chunk's columns under the names of its fields. */
export const chunkColumns = `c.id, c.source, c.source_id as "sourceId", c.kind, c.origin, c.trust, c.agent,
  c.agent_session as "agentSession", c.turn, c.branch, c.at, c.paths, c.concepts, c.pinned, c.text`;

export const chunkOf = (row: ChunkRow, project: string): Chunk => ({
  id: row.id,
  project,
  source: row.source,
  sourceId: row.sourceId,
  kind: row.kind,
  origin: row.origin,
  trust: row.trust,
  agent: row.agent,
  agentSession: row.agentSession,
  turn: row.turn,
  branch: row.branch,
  at: Number(row.at),
  paths: row.paths,
  concepts: row.concepts,
  pinned: row.pinned,
  text: row.text,
});

/** Takes `$1` the project and `$2` a JSON array of what `insertable` makes. */
export const insertChunks = `
  insert into backstory.chunk (project, id, source, source_id, kind, origin, trust, agent, agent_session, turn, branch,
    at, paths, concepts, pinned, length, terms, text)
  select $1::uuid, id, source, source_id, kind, origin, trust, agent, agent_session, turn, branch,
    at, paths, concepts, pinned, length, terms, text
  from json_to_recordset($2) as put (id text, source text, source_id text, kind text, origin text, trust smallint,
    agent text, agent_session text, turn text, branch text, at bigint, paths text[], concepts text[], pinned boolean,
    length integer, terms tsvector, text text)
  on conflict (org, project, id) do nothing`;

export function insertable(chunk: Chunk): Record<string, unknown> {
  // Before U+0000 is taken out: it parts two words, and must part them in every store.
  const terms = termsOf(chunk.text);
  return {
    id: plainText(chunk.id),
    source: chunk.source,
    source_id: plainText(chunk.sourceId),
    kind: chunk.kind,
    origin: chunk.origin,
    trust: chunk.trust,
    agent: chunk.agent,
    agent_session: plainText(chunk.agentSession),
    turn: plainText(chunk.turn),
    branch: plainText(chunk.branch),
    at: chunk.at,
    paths: plainTexts(chunk.paths),
    concepts: plainTexts(chunk.concepts),
    pinned: chunk.pinned,
    length: terms.words.length + terms.idents.length,
    terms: vectorOf(terms),
    text: plainText(chunk.text),
  };
}
