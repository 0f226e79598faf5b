import type { MemorySource } from '../../domain/memory.ts';
import type { OutboxEvent, OutboxPosition, TokenHash } from '../store/team-store.ts';
import type { Database, Query } from './connect.ts';
import { here } from './org-transaction.ts';
import { inProject } from './tenant.ts';

interface OutboxRow extends Omit<OutboxEvent, 'xact' | 'seq'> {
  xact: string;
  seq: string;
}

const eventOf = ({ xact, seq, ...row }: OutboxRow): OutboxEvent => ({
  ...row,
  xact: BigInt(xact),
  seq: BigInt(seq),
});

/** The columns of `memory` that an event is made from. */
export interface AnnouncedRow {
  id: string;
  source: MemorySource;
  source_ref: string;
  reader: string | null;
}

/**
 * Writes an event for each memory of the current project. This is not part of the statement that writes the memories,
 * because Citus would evaluate that on workers without any row of the organisation, and fail while one is down.
 */
export async function announce(
  query: Query,
  kind: 'memory:indexed' | 'memory:removed',
  memories: AnnouncedRow[],
): Promise<void> {
  if (memories.length === 0) return;
  await query(
    `insert into backstory.outbox (org, project, kind, ref, reader, payload)
     select backstory.current_org(), backstory.current_project(), $1::text, id, reader,
       jsonb_build_object('source', source, 'sourceRef', source_ref)
     from json_to_recordset($2) as told (id text, source text, source_ref text, reader uuid)
     -- Without this, Citus would use COPY, which policies do not allow.
     returning 1`,
    [kind, JSON.stringify(memories)],
  );
}

/**
 * Listeners poll this table of events. Postgres' NOTIFY in each write was measured to reduce the throughput of writes
 * to a twentieth.
 */
export const createOutbox = (database: Database) => ({
  async head(): Promise<OutboxPosition> {
    const [row] = await database.query<{ xact: string; seq: string }>(
      'select xact::text as xact, seq::text as seq from backstory.outbox_head()',
    );
    return { xact: BigInt(row?.xact ?? 0), seq: BigInt(row?.seq ?? 0) };
  },
  /** Names what the positions belong to. A database that was restored has another history than before. */
  async history(): Promise<string> {
    const [row] = await database.query<{ history: string }>(
      'select left(history::text, 8) as history from backstory.database_identity',
    );
    return row?.history ?? '';
  },
  /** Events of all tenants, for the broadcast of this process, which delivers to each listener only its own. */
  async after({ xact, seq }: OutboxPosition, limit: number) {
    const rows = await database.query<OutboxRow>(
      `select org, xact::text as xact, seq::text as seq, project, kind, ref, reader, payload, at
       from backstory.outbox_after($1::text::xid8, $2, $3)`,
      [String(xact), String(seq), limit],
    );
    return rows.map(eventOf);
  },
  /** Events of one project, for a client that was disconnected. */
  missed: (
    token: TokenHash,
    project: string,
    { from, upTo }: { from: OutboxPosition; upTo: OutboxPosition },
    limit: number,
  ) =>
    inProject(database, token, project, async (query, { person }) => {
      const rows = await query<OutboxRow>(
        `select org, xact::text as xact, seq::text as seq, project, kind, ref, reader, payload, at
         from backstory.outbox o where ${here()}
           and (reader is null or reader = $1)
           and (o.xact, o.seq) > ($2::text::xid8, $3) and (o.xact, o.seq) <= ($4::text::xid8, $5)
         -- Qualified, because the output columns are text, where 10 sorts before 9.
         order by o.xact, o.seq limit $6`,
        [person, String(from.xact), String(from.seq), String(upTo.xact), String(upTo.seq), limit],
      );
      return rows.map(eventOf);
    }),
});
