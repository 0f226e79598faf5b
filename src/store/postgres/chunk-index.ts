import type { Chunk, ChunkFilter, ScoredChunk } from '../../domain/chunk.ts';
import { originWeight } from '../../text/bm25.ts';
import type { ChunkChange, ChunkIndex, ListOrder, SpokenPlace, TermStatistics } from '../store.ts';
import { type Bind, filterSql } from './chunk-filter.ts';
import { type ChunkRow, chunkColumns, chunkOf, insertable, insertChunks } from './chunk-row.ts';
import type { Database } from './connect.ts';
import { plainText, plainTexts } from './plain-text.ts';
import { scoreSql } from './score.ts';
import { anyOf, askable, queryOf } from './terms.ts';

const minIdPrefix = 8;
/** Above every id that begins with what stands before it. */
const lastCharacter = '\u{10FFFF}';
const byOrigin = `case c.origin when 'assistant' then ${originWeight.assistant} when 'tool' then ${originWeight.tool}
  else ${originWeight.others} end`;
const putBatch = 500;
/** Keeps the locks of projects apart from other advisory locks. */
const projectLock = 1;

/** The chunks of one project in a database of many. */
export class PostgresChunkIndex implements ChunkIndex {
  readonly #database: Database;
  readonly #project: string;

  constructor(database: Database, project: string) {
    this.#database = database;
    this.#project = project;
  }

  async apply({ put, dropSources }: ChunkChange): Promise<void> {
    await this.#database.transaction(async (query) => {
      // Writers of one project take turns: two that put the same chunks in another order would deadlock.
      await query('select pg_advisory_xact_lock($1, hashtext($2))', [projectLock, this.#project]);
      await query('delete from backstory.chunk where project = $1 and source_id = any($2)', [
        this.#project,
        plainTexts(dropSources),
      ]);
      for (let from = 0; from < put.length; from += putBatch) {
        const batch = put.slice(from, from + putBatch).map(insertable);
        await query(insertChunks, [this.#project, JSON.stringify(batch)]);
      }
    });
  }

  async search(
    terms: string[],
    filter: ChunkFilter,
    limit: number,
    lastPut?: number,
  ): Promise<ScoredChunk[]> {
    const asked = askable(terms);
    if (asked.length === 0) return [];
    const corpus = await this.statistics(asked);
    const { values, bind } = binding(this.#project);
    const score = `(${scoreSql(asked, corpus, bind)}) * ${byOrigin}`;
    const conditions = [
      'c.project = $1',
      `c.terms @@ ${bind(anyOf(asked))}::tsquery`,
      ...filterSql(filter, bind),
    ];
    if (lastPut !== undefined) {
      conditions.push(
        `c.seq > (select max(seq) from backstory.chunk where project = $1) - ${bind(lastPut)}::bigint`,
      );
    }
    const rows = await this.#database.query<ChunkRow & { score: number }>(
      `select ${chunkColumns}, ${score} as score from backstory.chunk c where ${conditions.join(' and ')}
       order by score desc, c.at desc, c.id limit ${bind(limit)}`,
      values,
    );
    return rows.map((row) => ({ chunk: chunkOf(row, this.#project), score: row.score }));
  }

  async list(filter: ChunkFilter, limit: number, order: ListOrder = 'newest'): Promise<Chunk[]> {
    const { values, bind } = binding(this.#project);
    const conditions = ['c.project = $1', ...filterSql(filter, bind)];
    return this.#chunks(
      `select ${chunkColumns} from backstory.chunk c where ${conditions.join(' and ')}
       order by ${order === 'newest' ? 'c.at desc, c.id' : 'c.at, c.id desc'} limit ${bind(limit)}`,
      values,
    );
  }

  async spokenAround(place: SpokenPlace, reach: number): Promise<SpokenPlace[]> {
    const side = (comparison: '<' | '>', direction: '' | 'desc') =>
      this.#database.query<{ at: string; sourceId: string }>(
        `select at, source_id as "sourceId" from backstory.chunk
         where project = $1 and agent_session = $2 and (at, source_id) ${comparison} ($3, $4)
           and kind in ('prompt', 'answer')
         group by at, source_id order by at ${direction}, source_id ${direction} limit $5`,
        [this.#project, plainText(place.agentSession), place.at, plainText(place.sourceId), reach],
      );
    const rows = [...(await side('<', 'desc')).reverse(), ...(await side('>', ''))];
    return rows.map(({ at, sourceId }) => ({ agentSession: place.agentSession, at: Number(at), sourceId }));
  }

  async get(ids: string[]): Promise<Chunk[]> {
    const starts = plainTexts(ids).filter((id) => id.length >= minIdPrefix);
    return this.#chunks(
      `select ${chunkColumns} from unnest($2::text[]) with ordinality as asked (start, place)
       cross join lateral (
         select id from backstory.chunk where project = $1 and id >= start and id < start || $3
         union
         select id from backstory.chunk where project = $1 and source_id >= start and source_id < start || $3
       ) found
       join backstory.chunk c on c.project = $1 and c.id = found.id
       order by place, c.seq`,
      [this.#project, starts, lastCharacter],
    );
  }

  async #chunks(text: string, values: unknown[]): Promise<Chunk[]> {
    const rows = await this.#database.query<ChunkRow>(text, values);
    return rows.map((row) => chunkOf(row, this.#project));
  }

  async statistics(terms: string[]): Promise<TermStatistics> {
    const asked = askable(terms);
    const [totals] = await this.#database.query<{ chunks: number; average: number; frequencies: number[] }>(
      `select count(*)::integer as chunks, coalesce(avg(length), 0)::float8 as average,
         array(select (select count(*)::integer from backstory.chunk c where c.project = $1 and c.terms @@ asked.query::tsquery)
           from unnest($2::text[]) with ordinality as asked (query, place) order by place) as frequencies
       from backstory.chunk where project = $1`,
      [this.#project, asked.map(queryOf)],
    );
    const found = new Map(asked.map((term, at) => [term, totals?.frequencies[at] ?? 0]));
    return {
      chunks: totals?.chunks ?? 0,
      averageTerms: totals?.average ?? 0,
      frequency: new Map(terms.map((term) => [term, found.get(term) ?? 0])),
    };
  }

  /** Nothing is held open: the connections belong to whoever made the database. */
  async close(): Promise<void> {}
}

function binding(...values: unknown[]): { values: unknown[]; bind: Bind } {
  return { values, bind: (value) => `$${values.push(value)}` };
}
