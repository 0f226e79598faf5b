import { sleep } from '../../harness/program.ts';
import type { TeamDatabase } from '../../harness/team/database.ts';
import { hangMs } from '../../support/until.ts';
import type { Subscriber } from './subscriber.ts';

/** The final state of one project in the database. */
export interface Verdict {
  kept: number;
  lost: number;
  /** Memories stored twice, or with missing or surplus derived rows. */
  inconsistent: number;
  /** Counters of the project that differ from the rows. */
  miscounted: number;
  /** Memories not announced exactly once. */
  notAnnouncedOnce: number;
  /** Announced events that the subscriber did not receive exactly once and in order. */
  notReceivedOnce: number;
}

interface KeptRow {
  ref: string;
  n: number;
  chunks: number;
  vectors: number;
  told: number;
}

/** Every text is one chunk, so one memory has one chunk, one vector and one event. */
export async function judge(
  { owner }: TeamDatabase,
  project: string,
  acknowledged: Iterable<string>,
  listener?: Subscriber,
): Promise<Verdict> {
  const rows = await owner.query<KeptRow>(
    `select m.source_ref as ref, (count(*) over (partition by m.source, m.source_ref))::int as n, c.chunks, c.vectors,
       (select count(*)::int from backstory.outbox o where o.org = m.org and o.project = m.project and o.ref = m.id
         and o.kind = 'memory:indexed') as told
     from backstory.memory m cross join lateral (
       select count(*)::int as chunks, count(v.chunk)::int as vectors from backstory.chunk c
       left join backstory.vector v on v.org = c.org and v.project = c.project and v.chunk = c.seq
       where c.org = m.org and c.project = m.project and c.source_id = m.id and c.generation = m.generation) c
     where m.project = $1`,
    [project],
  );
  const [counts] = await owner.query<{ off: number }>(
    `select ((p.chunks <> (select count(*) from backstory.chunk c where c.project = p.id))::int
       + (coalesce((select sum(vectors) from backstory.vector_state s where s.project = p.id), 0)
         <> (select count(*) from backstory.vector v where v.project = p.id))::int) as off
     from backstory.project p where p.id = $1`,
    [project],
  );
  const refs = new Set(rows.map(({ ref }) => ref));
  const announced = await owner.query<{ id: string }>(
    `select xact::text || '-' || seq || '-' || left(i.history::text, 8) as id
     from backstory.outbox, backstory.database_identity i where project = $1 order by xact, seq`,
    [project],
  );
  return {
    kept: rows.length,
    lost: [...acknowledged].filter((ref) => !refs.has(ref)).length,
    inconsistent: rows.filter(({ n, chunks, vectors }) => n !== 1 || chunks !== 1 || vectors !== 1).length,
    miscounted: counts?.off ?? Number.NaN,
    notAnnouncedOnce: rows.filter((row) => row.told !== 1).length,
    notReceivedOnce:
      listener === undefined
        ? 0
        : await misheard(
            announced.map(({ id }) => id),
            listener,
          ),
  };
}

async function misheard(told: string[], { received }: Subscriber): Promise<number> {
  const end = performance.now() + hangMs;
  while (received.length < told.length && performance.now() < end) await sleep(100);
  return Array.from({ length: Math.max(told.length, received.length) }).filter(
    (_, at) => received[at]?.id !== told[at],
  ).length;
}

export const isClean = ({
  lost,
  inconsistent,
  miscounted,
  notAnnouncedOnce,
  notReceivedOnce,
}: Verdict): boolean => lost + inconsistent + miscounted + notAnnouncedOnce + notReceivedOnce === 0;

export const sumOf = (verdicts: Verdict[]): Verdict =>
  verdicts.reduce((sum, verdict) => ({
    kept: sum.kept + verdict.kept,
    lost: sum.lost + verdict.lost,
    inconsistent: sum.inconsistent + verdict.inconsistent,
    miscounted: sum.miscounted + verdict.miscounted,
    notAnnouncedOnce: sum.notAnnouncedOnce + verdict.notAnnouncedOnce,
    notReceivedOnce: sum.notReceivedOnce + verdict.notReceivedOnce,
  }));
