import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ensurePrivateFile } from '../../base/files.ts';
import { openDatabase } from '../../base/sqlite.ts';
import { unicodeForms } from '../../base/unicode-forms.ts';
import { isOwnSessionSql } from '../../domain/agent-session.ts';
import {
  type Chunk,
  type ChunkFilter,
  indexedText,
  isUnreviewedTeamText,
  type NearChunk,
  type ScoredChunk,
  unconfirmedConcept,
} from '../../domain/chunk.ts';
import type { Edit } from '../../domain/edit.ts';
import type { Typist } from '../../domain/event.ts';
import type { MemoStep, MemoStepFilter } from '../../domain/memo.ts';
import { identWeight, originWeight, wordWeight } from '../../text/bm25.ts';
import { termsOf } from '../../text/words.ts';
import type {
  AgentTurn,
  EventRow,
  FileStep,
  ListOrder,
  LogChange,
  MessagePosition,
  NearestQuery,
  NoteStamp,
  NoteTies,
  ReadStep,
  SessionState,
  TermStatistics,
  TranscriptPosition,
  TurnEvidence,
} from '../store.ts';
import { createAgentSessions, minIdPrefix } from './agent-sessions.ts';
import { filterSql, unreviewedTeamSql } from './chunk-filter.ts';
import { packLine } from './compressed-lines.ts';
import { createEdits } from './edits.ts';
import { schemaSql } from './schema.ts';
import { RowSet } from './top-vectors.ts';
import { createVectors, type Vectors } from './vectors.ts';

type SameColumns =
  | 'id'
  | 'source'
  | 'kind'
  | 'origin'
  | 'trust'
  | 'agent'
  | 'turn'
  | 'branch'
  | 'at'
  | 'text';

interface ChunkRow extends Pick<Chunk, SameColumns> {
  row: number;
  source_id: string;
  agent_session: string;
  paths: string;
  concepts: string;
  pinned: number;
  failed: number;
  topic: string;
  score?: number;
}

const byOrigin = `case c.origin when 'assistant' then ${originWeight.assistant} when 'tool' then ${originWeight.tool}
  else ${originWeight.others} end`;

/** Enough for a short transaction of another connection. To wait for a whole drain, callers use the writer lock. */
const busyTimeoutMs = 2_000;

/** The index of one project in one SQLite file. Only the holder of the writer lock may write. */
export class SqliteLogIndex {
  readonly #database: DatabaseSync;
  readonly #project: string;
  readonly #prepared = new Map<string, StatementSync>();
  readonly edits = createEdits((text) => this.#sql(text));
  readonly sessions = createAgentSessions((text) => this.#sql(text));
  readonly #vectors: Vectors;

  constructor(path: string, project: string, mode: 'read' | 'write' | 'create', timeout = busyTimeoutMs) {
    this.#project = project;
    if (mode === 'create') ensurePrivateFile(path);
    this.#database = openDatabase(path, { readOnly: mode === 'read', timeout });
    this.#vectors = createVectors(this.#database);
    if (mode === 'read') {
      // One read transaction per query: all statements see the same state, and the file is locked only once.
      this.#database.exec('begin');
      return;
    }
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on');
    this.#database.exec('pragma trusted_schema = off');
    if (mode === 'create') this.#transaction(() => this.#database.exec(schemaSql));
  }

  #sql(text: string): StatementSync {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = this.#database.prepare(text);
      this.#prepared.set(text, statement);
    }
    return statement;
  }

  #transaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  /** Applies the whole change or nothing. Putting a chunk that is already there changes nothing. */
  async apply(change: { put: Chunk[]; dropSources: string[] }): Promise<void> {
    this.#transaction(() => this.#change(change));
  }

  async applyLog(change: LogChange): Promise<void> {
    this.#transaction(() => {
      this.#change(change);
      for (const row of change.events) {
        this.#sql(
          `insert or replace into event values (:id, :kind, :state, :at, :agent, :agentSession, :clientPid, :turn, :file,
           :offset, :sourceFile, :sourceOffset)`,
        ).run({ ...row });
        if (row.state === 'forgotten') this.#sql('delete from event_line where id = ?').run(row.id);
      }
      for (const { id, line } of change.lines) {
        this.#sql('insert or replace into event_line values (?, ?)').run(id, packLine(line));
      }
      for (const step of change.steps) {
        this.#sql('insert or replace into memo_step values (?, ?, ?, ?, ?, ?, ?, ?)').run(
          step.id,
          step.kind,
          step.at,
          step.seq,
          step.agentSession,
          step.clientPid,
          'path' in step ? step.path.slice(step.path.lastIndexOf('/') + 1) : '',
          JSON.stringify(step),
        );
      }
      for (const edit of change.edits) this.edits.put(edit);
      for (const file of change.dropNotes) this.#sql('delete from note where file = ?').run(file);
      for (const { file, note, stamp, ties } of change.notes) {
        this.#sql('insert or replace into note values (?, ?, ?, ?)').run(
          file,
          note,
          stamp,
          JSON.stringify(ties),
        );
      }
      for (const [hash, isSet] of change.tombstones)
        this.#sql(
          isSet ? 'insert or ignore into tombstone values (?)' : 'delete from tombstone where keyed_hash = ?',
        ).run(hash);
      for (const [file, offset] of Object.entries(change.progress)) {
        this.#sql('insert or replace into progress values (?, ?)').run(file, offset);
      }
    });
  }

  #change({ put, dropSources }: { put: Chunk[]; dropSources: string[] }): void {
    const grown = { chunks: 0, terms: 0 };
    for (const source of dropSources) {
      this.#sql('delete from memo_step where id = ?').run(source);
      this.edits.remove(source);
      const rows = this.#sql(
        `select row, source, kind, topic, text, ${unreviewedTeamSql('')} as isTeam from chunk where source_id = ?`,
      ).all(source) as unknown as (ChunkRow & { isTeam: number })[];
      if (rows.length > 0) this.#vectors.remove(rows.map(({ row }) => row));
      for (const row of rows) {
        grown.chunks -= 1;
        grown.terms -= this.#drop(row.row, indexedText(row), row.isTeam === 1);
      }
    }
    for (const chunk of put) {
      const terms = this.#put(chunk);
      if (terms === undefined) continue;
      grown.chunks += 1;
      grown.terms += terms;
    }
    // Totals are stored, because counting rows for every query would read them all.
    if (grown.chunks !== 0 || grown.terms !== 0) {
      this.#sql('update corpus set chunks = chunks + ?, terms = terms + ?').run(grown.chunks, grown.terms);
    }
  }

  /**
   * Removes a chunk and returns its number of terms. The index does not store the terms of a chunk, so its text is
   * split again, exactly as when it was added.
   */
  #drop(row: number, text: string, isTeam: boolean): number {
    const { words, idents } = termsOf(text);
    if (isTeam) this.#countTeamTerms([...words, ...idents], -1);
    this.#sql(`insert into chunk_terms (chunk_terms, rowid, words, idents) values ('delete', ?, ?, ?)`).run(
      row,
      words.join(' '),
      idents.join(' '),
    );
    this.#sql('delete from chunk_file where chunk = ?').run(row);
    this.#sql('delete from chunk where row = ?').run(row);
    return words.length + idents.length;
  }

  /** Counts in how many chunks of unreviewed team texts a term is, so that statistics can leave these out. */
  #countTeamTerms(terms: string[], change: 1 | -1): void {
    const add = this.#sql(
      `insert into team_term values (?, ?) on conflict (term) do update set chunks = chunks + excluded.chunks`,
    );
    for (const term of new Set(terms)) add.run(term, change);
    if (change === -1) this.#sql('delete from team_term where chunks <= 0').run();
  }

  /** Adds a chunk. Returns the number of its terms; undefined if the chunk was there already. */
  #put(chunk: Chunk): number | undefined {
    const text = storable(chunk.text);
    const topic = storable(chunk.topic ?? '');
    const { words, idents } = termsOf(indexedText({ ...chunk, topic, text }));
    const added = this.#sql(
      `insert into chunk (id, source, source_id, kind, origin, trust, agent, agent_session, turn, branch, at,
       paths, concepts, pinned, failed, topic, terms, text) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do nothing`,
    ).run(
      chunk.id,
      chunk.source,
      chunk.sourceId,
      chunk.kind,
      chunk.origin,
      chunk.trust,
      chunk.agent,
      chunk.agentSession,
      chunk.turn,
      chunk.branch,
      chunk.at,
      JSON.stringify(chunk.paths),
      JSON.stringify(chunk.concepts),
      chunk.pinned ? 1 : 0,
      chunk.isFailed === true ? 1 : 0,
      topic,
      words.length + idents.length,
      text,
    );
    if (added.changes === 0) return undefined;
    if (isUnreviewedTeamText(chunk)) this.#countTeamTerms([...words, ...idents], 1);
    const row = added.lastInsertRowid;
    this.#sql('insert into chunk_terms (rowid, words, idents) values (?, ?, ?)').run(
      row,
      words.join(' '),
      idents.join(' '),
    );
    for (const path of chunk.paths) {
      this.#sql('insert into chunk_file values (?, ?, ?)').run(
        path.slice(path.lastIndexOf('/') + 1),
        path,
        row,
      );
    }
    return words.length + idents.length;
  }

  /**
   * Returns chunks with any of the terms, best first; equal scores are ordered newest first, then by id. Text
   * from users weighs more than that of agents and tools, whose long answers would otherwise fill the result.
   */
  async search(terms: string[], filter: ChunkFilter, limit: number): Promise<ScoredChunk[]> {
    const searchable = terms.filter((term) => possibleTerm.test(term));
    if (searchable.length === 0) return [];
    const { conditions, values } = filterSql(filter);
    const where = ['chunk_terms match ?', ...conditions].join(' and ');
    // Sort without the text, which is read only for the rows that are left, because sorting copies every
    // column. The sort columns are in one index, so that a common word does not read every chunk that
    // contains it.
    const by = conditions.length === 0 ? 'indexed by chunk_order' : '';
    const rows = this.#sql(
      `select c.*, best.score as score from (
         select c.row as row, -bm25(chunk_terms, ${wordWeight}, ${identWeight}) * ${byOrigin} as score
         from chunk_terms join chunk c ${by} on c.row = chunk_terms.rowid where ${where}
         order by score desc, c.at desc, c.id limit ?
       ) best join chunk c on c.row = best.row order by best.score desc, c.at desc, c.id`,
    ).all(matchAny(searchable), ...values, limit) as unknown as ChunkRow[];
    return rows.map((row) => ({ chunk: this.#chunkOf(row), score: row.score ?? 0 }));
  }

  /** Sorted newest first, then by id; `oldest` is the reverse. */
  async list(filter: ChunkFilter, limit: number, order: ListOrder = 'newest'): Promise<Chunk[]> {
    const { conditions, values } = filterSql(filter);
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const by = order === 'newest' ? 'c.at desc, c.id' : 'c.at, c.id desc';
    const rows = this.#sql(`select c.* from chunk c ${where} order by ${by} limit ?`).all(
      ...values,
      limit,
    ) as unknown as ChunkRow[];
    return rows.map((row) => this.#chunkOf(row));
  }

  /** Up to `count` prompts and answers on each side of a position, ordered by time and id. */
  async adjacentMessages(
    { agentSession, at, sourceId }: MessagePosition,
    count: number,
  ): Promise<MessagePosition[]> {
    const side = (comparison: '<' | '>', direction: '' | 'desc') =>
      this.#sql(
        `select agent_session as agentSession, at, source_id as sourceId from chunk
         where agent_session = ? and (at, source_id) ${comparison} (?, ?) and kind in ('prompt', 'answer')
         group by at, source_id order by at ${direction}, source_id ${direction} limit ?`,
      ).all(agentSession, at, sourceId, count) as unknown as MessagePosition[];
    return [...side('<', 'desc').reverse(), ...side('>', '')].map((place) => ({ ...place }));
  }

  /**
   * Finds chunks by chunk id, event id or note id; a prefix of eight or more characters is enough. Results
   * are in the order of the ids, and for each id in the order in which the chunks were put.
   */
  async get(ids: string[]): Promise<Chunk[]> {
    return ids.flatMap((id) => {
      const [low, high] = [id, `${id}\uffff`];
      const rows =
        id.length < minIdPrefix
          ? []
          : this.#sql(
              `select * from chunk where (id >= ? and id < ?) or (source_id >= ? and source_id < ?) order by row`,
            ).all(low, high, low, high);
      return (rows as unknown as ChunkRow[]).map((row) => this.#chunkOf(row));
    });
  }

  #chunkOf(row: ChunkRow): Chunk {
    return {
      id: row.id,
      project: this.#project,
      source: row.source,
      sourceId: row.source_id,
      kind: row.kind,
      origin: row.origin,
      trust: row.trust,
      agent: row.agent,
      agentSession: row.agent_session,
      turn: row.turn,
      branch: row.branch,
      at: row.at,
      paths: listOf(row.paths),
      concepts: listOf(row.concepts),
      pinned: row.pinned === 1,
      ...(row.failed === 1 ? { isFailed: true as const } : {}),
      ...(row.topic === '' ? {} : { topic: row.topic }),
      text: row.text,
    };
  }

  /** `isWithoutTeam`: without texts of a team that the user has not accepted. */
  async statistics(terms: string[], isWithoutTeam = false): Promise<TermStatistics> {
    const all = this.#sql('select chunks, terms from corpus').get() as { chunks: number; terms: number };
    const isTeam = unreviewedTeamSql('');
    const team = isWithoutTeam
      ? (this.#sql(`select count(*) as chunks, total(terms) as terms from chunk where ${isTeam}`).get() as {
          chunks: number;
          terms: number;
        })
      : { chunks: 0, terms: 0 };
    const frequency = new Map<string, number>();
    for (const term of terms) {
      const row = this.#sql('select doc from chunk_vocabulary where term = ?').get(term) as
        | { doc: number }
        | undefined;
      const ofTeam =
        team.chunks === 0
          ? undefined
          : (this.#sql('select chunks from team_term where term = ?').get(term) as
              | { chunks: number }
              | undefined);
      frequency.set(term, (row?.doc ?? 0) - (ofTeam?.chunks ?? 0));
    }
    const chunks = all.chunks - team.chunks;
    return { chunks, averageTerms: chunks === 0 ? 0 : (all.terms - team.terms) / chunks, frequency };
  }

  /** Chunks to embed. `row` identifies a chunk within this index only. */
  async unembedded(limit: number) {
    return this.#vectors.missing(limit);
  }

  async storeVectors(vectors: { row: number; vector: Float32Array }[]): Promise<void> {
    this.#transaction(() => this.#vectors.put(vectors));
  }

  /** Returns the chunks nearest to each vector and the `wanted` ones, with their similarity to every vector. */
  async nearest({ vectors, filter, limit, wanted }: NearestQuery): Promise<NearChunk[]> {
    const rowsOf = (rows: unknown[], isExcept = false): RowSet =>
      new RowSet(
        (rows as { row: number }[]).map(({ row }) => row),
        isExcept,
      );
    const rowOf = this.#sql('select row from chunk where id = ?');
    const hits = this.#vectors.search({
      queries: vectors,
      limit,
      allowed: this.#allowedRows(filter, rowsOf),
      wanted: rowsOf(wanted.map((id) => rowOf.get(id)).filter((row) => row !== undefined)),
    });
    return hits.map(({ row, scores }) => {
      const found = this.#sql('select * from chunk where row = ?').get(row) as unknown as ChunkRow;
      return { chunk: this.#chunkOf(found), scores };
    });
  }

  /** All rows that match a filter; undefined if all do. */
  #allowedRows(
    { unreviewedTeamText, ...rest }: ChunkFilter,
    rowsOf: (rows: unknown[], isExcept?: boolean) => RowSet,
  ): RowSet | undefined {
    const isOwnOnly = unreviewedTeamText === false && filterSql(rest).conditions.length === 0;
    // The texts of the team are few, and everything else may be very much.
    if (isOwnOnly)
      return rowsOf(this.#sql(`select row from chunk where ${unreviewedTeamSql('')}`).all(), true);
    const filter = unreviewedTeamText === undefined ? rest : { ...rest, unreviewedTeamText };
    const { conditions, values } = filterSql(filter);
    if (conditions.length === 0) return undefined;
    return rowsOf(this.#sql(`select c.row from chunk c where ${conditions.join(' and ')}`).all(...values));
  }

  async progress(): Promise<Record<string, number>> {
    const rows = this.#sql('select file, offset from progress').all() as { file: string; offset: number }[];
    return Object.fromEntries(rows.map(({ file, offset }) => [file, offset]));
  }

  async events(ids: string[]): Promise<Map<string, EventRow>> {
    const rows = this.#sql(
      `select id, kind, state, at, agent, agent_session as agentSession, client_pid as clientPid, turn, file, offset,
       source_file as sourceFile, source_offset as sourceOffset
       from event where id in (select value from json_each(?))`,
    ).all(JSON.stringify(ids)) as unknown as EventRow[];
    return new Map(rows.map((row) => [row.id, { ...row }]));
  }

  /** For each agent transcript, returns where to resume reading: at the start of its last turn. */
  async transcriptCursors(): Promise<Map<string, TranscriptPosition>> {
    const rows = this.#sql(
      `select last.source_file as file, last.agent as agent, last.turn as turn,
         (select min(e.source_offset) from event e where e.source_file = last.source_file and e.turn = last.turn) as offset
       from event last join (select source_file, max(source_offset) as furthest from event where source_file <> ''
         group by source_file) f on f.source_file = last.source_file and f.furthest = last.source_offset
       where last.source_file <> ''`,
    ).all() as unknown as ({ file: string } & TranscriptPosition)[];
    return new Map(rows.map(({ file, ...position }) => [file, position]));
  }

  /** Agent sessions with a prompt, answer, edit or command, newest first. */
  async sessionStates(): Promise<SessionState[]> {
    const rows = this.#sql(
      `select agent_session as agentSession, count(*) as events, max(at) as last from event
       where state = 'live' and agent_session <> '' and ${isOwnSessionSql}
         and kind in ('prompt', 'answer', 'edit', 'command')
       group by agent_session order by last desc, agent_session`,
    ).all() as unknown as SessionState[];
    return rows.map((row) => ({ ...row }));
  }

  async findCommit(hash: string): Promise<Chunk | undefined> {
    // A commit's text starts with the first twelve characters of its hash.
    const start = `commit ${hash.slice(0, 12)}`;
    const row = this.#sql(
      `select * from chunk where kind = 'commit' and text >= ? and text < ? order by row limit 1`,
    ).get(start, `${start}\uffff`);
    return row === undefined ? undefined : this.#chunkOf(row as unknown as ChunkRow);
  }

  async eventsOfSession(agentSession: string, limit: number): Promise<EventRow[]> {
    const ids = this.sessions.eventIds(agentSession, limit);
    const rows = await this.events(ids);
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** An event without a turn counts as a turn of its own. */
  async agentTurns(since: number): Promise<AgentTurn[]> {
    const rows = this.#sql(
      `select t.agent_session as agentSession, min(t.at) as first, max(t.at) as last,
         max(t.kind = 'answer' and t.source_file = '') as isEnded, coalesce(s.at, 0) as sessionBoundary
       from event t left join (
         select agent_session, max(at) as at from event where kind = 'session' and at >= ? group by agent_session
       ) s on s.agent_session = t.agent_session
       where t.at >= ? and t.agent_session <> '' and t.${isOwnSessionSql} and t.agent not in ('', 'backstory') and t.state <> 'forgotten'
         and t.kind in ('prompt', 'answer', 'edit', 'command', 'read', 'tool', 'compaction')
       group by t.agent_session, case t.turn when '' then t.id else t.turn end`,
    ).all(since, since) as unknown as (Omit<AgentTurn, 'isEnded'> & { isEnded: number })[];
    return rows.map((row) => ({ ...row, isEnded: row.isEnded === 1 }));
  }

  async steps({ agentSession, clientPid, kinds, since }: MemoStepFilter): Promise<MemoStep[]> {
    const conditions = ['true'];
    const values: (string | number)[] = [];
    const where = (condition: string, ...given: (string | number)[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    if (agentSession !== undefined) where('agent_session = ?', agentSession);
    if (clientPid !== undefined) where('client_pid = ? and client_pid <> 0', clientPid);
    if (kinds !== undefined) where(`kind in (${kinds.map(() => '?').join(', ')})`, ...kinds);
    if (since !== undefined) where('at >= ?', since);
    const rows = this.#sql(
      `select step from memo_step where ${conditions.join(' and ')} order by at, seq, id`,
    ).all(...values) as { step: string }[];
    return rows.map(({ step }) => JSON.parse(step) as MemoStep);
  }

  /** Reads and edits of a file, newest first. The end of its path is enough. */
  async stepsOfFile(file: string, limit: number): Promise<FileStep[]> {
    const forms = unicodeForms(file.replaceAll('\\', '/').replace(/^\.?\/+/, ''));
    const isFile =
      "file_name = ? and file_name <> '' and substr('/' || json_extract(step, '$.path'), -length(?)) = ?";
    const rows = this.#sql(
      `select step from memo_step where ${forms.map(() => `(${isFile})`).join(' or ')}
       order by at desc, seq desc, id limit ?`,
    ).all(
      ...forms.flatMap((form) => [form.slice(form.lastIndexOf('/') + 1), `/${form}`, `/${form}`]),
      limit,
    ) as { step: string }[];
    return rows.map(({ step }) => JSON.parse(step) as FileStep);
  }

  /** Returns edits and reads of these turns, ordered by time; of each kind only the newest `limit`. */
  async evidenceOfTurns(turns: string[], limit: number): Promise<TurnEvidence> {
    const turnList = JSON.stringify(turns.filter((turn) => turn !== ''));
    const inTurns = `from event v cross join {} on {}.id = v.id where v.turn <> ''
      and v.turn in (select value from json_each(?)) and v.kind = ? and v.state = 'live'
      order by v.at desc, v.id limit ?`;
    const found = (table: string, column: string, kind: string) =>
      this.#sql(`select {}.${column} as found ${inTurns}`.replaceAll('{}', table)).all(
        turnList,
        kind,
        limit,
      ) as { found: string }[];
    const newestLast = <T>(rows: { found: string }[]): T[] =>
      rows.reverse().map((row) => JSON.parse(row.found) as T);
    return {
      edits: newestLast<Edit>(found('edit', 'edit', 'edit')),
      reads: newestLast<ReadStep>(found('memo_step', 'step', 'read')),
    };
  }

  /** How far transcripts, sessions and checkouts were processed: a stamp by the name of each. */
  async progressMarks(): Promise<Map<string, string>> {
    const rows = this.#sql('select name, stamp from progress_mark').all() as {
      name: string;
      stamp: string;
    }[];
    return new Map(rows.map(({ name, stamp }) => [name, stamp]));
  }

  async setProgressMark(name: string, stamp: string): Promise<void> {
    this.#sql('insert or replace into progress_mark values (?, ?)').run(name, stamp);
  }

  async newestTime(): Promise<number> {
    return (this.#sql('select coalesce(max(at), 0) as newest from event').get() as { newest: number }).newest;
  }

  /** Whether a text with one of these keyed hashes was forgotten. */
  async isTombstoned(...hashes: string[]): Promise<boolean> {
    const find = this.#sql('select 1 from tombstone where keyed_hash = ?');
    return hashes.some((hash) => find.get(hash) !== undefined);
  }

  async noteStamps(): Promise<Map<string, NoteStamp>> {
    const rows = this.#sql('select file, note, stamp from note').all() as unknown as NoteStamp[];
    return new Map(rows.map((row) => [row.file, { ...row }]));
  }

  /** Returns the links of these notes to events, files and code, by note id. */
  async noteTies(notes: string[]): Promise<Map<string, NoteTies>> {
    const rows = this.#sql(
      'select ties from note where note in (select value from json_each(?)) order by file',
    ).all(JSON.stringify(notes)) as { ties: string }[];
    return new Map(rows.map(({ ties }) => JSON.parse(ties) as NoteTies).map((ties) => [ties.note, ties]));
  }

  /** The prompts of each typist. `waiting`: those of which a person can still say whether they are theirs. */
  async prompts(): Promise<Record<Typist | 'waiting', number>> {
    const count = (condition: string): string => `count(distinct case when ${condition} then source_id end)`;
    const row = this.#sql(
      `select ${count('trust >= 2')} as person, ${count(`trust < 2 and origin = 'unconfirmed'`)} as unconfirmed,
         ${count(`trust < 2 and origin not in ('unconfirmed', 'teammate')`)} as agent,
         ${count(`concepts like '%"${unconfirmedConcept}"%'`)} as waiting
       from chunk where source = 'event' and kind = 'prompt'`,
    ).get();
    return { ...row } as Record<Typist | 'waiting', number>;
  }

  /** Live events per kind, and the time of each agent's last captured event. Calls of MCP tools and probes are not captured. */
  async summary(): Promise<{ events: Record<string, number>; lastByAgent: Record<string, number> }> {
    const kinds = this.#sql(
      `select kind, count(*) as n from event where state = 'live' group by kind order by kind`,
    );
    const agents = this.#sql(
      `select agent, max(at) as at from event where agent not in ('', 'backstory') and kind not in ('served', 'probe') group by agent`,
    );
    return {
      events: Object.fromEntries(
        (kinds.all() as { kind: string; n: number }[]).map(({ kind, n }) => [kind, n]),
      ),
      lastByAgent: Object.fromEntries(
        (agents.all() as { agent: string; at: number }[]).map(({ agent, at }) => [agent, at]),
      ),
    };
  }

  /** Throws if the file is not a database with our tables. */
  check(): void {
    this.#sql('select count(*) from progress').get();
    this.#sql('select row from chunk limit 1').get();
  }

  /** Whether SQLite finds no damage. It reads the whole file, so call it only after an unclean end. */
  isSound(): boolean {
    const row = this.#sql('pragma quick_check(1)').get() as { quick_check: string };
    if (row.quick_check !== 'ok') return false;
    this.#database.exec(`insert into chunk_terms (chunk_terms) values ('integrity-check')`);
    return true;
  }

  /**
   * SQLite overwrites removed rows and terms, but a page that was rebalanced may keep bytes of them in its
   * gaps. Only rewriting the whole file removes them.
   */
  async scrub(): Promise<void> {
    this.#database.exec('vacuum');
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }

  async close(): Promise<void> {
    this.#prepared.clear();
    this.#database.close();
  }
}

/**
 * Text exactly as it will be read back: on the oldest supported Node, text ends at U+0000, and removing the chunk would
 * leave terms behind.
 */
const storable = (text: string): string => text.replaceAll('\0', ' ').toWellFormed();

/** Skips JSON.parse for empty lists, which most are; a query reads hundreds of them. */
const listOf = (json: string): string[] => (json === '[]' ? [] : (JSON.parse(json) as string[]));

/** Terms that are one token in the index. No chunk contains others; FTS5 would split them, or stop at U+0000. */
const possibleTerm = /^[a-z0-9_$\u{80}-\u{10ffff}]+$/u;

/** Quotes each term, so that user input is never FTS5 syntax. */
const matchAny = (terms: string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
