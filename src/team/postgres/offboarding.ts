import type { Mention } from '../store/team-people.ts';
import type { PreparedMemory } from '../store/team-store.ts';
import type { Database, Query } from './connect.ts';
import { removeMemories, saveMemories } from './memories.ts';
import { dropDisputesOf } from './note-disputes.ts';
import { acrossTenants, here, withinOrg, withinProject, writeAudit } from './org-transaction.ts';

/** Memories per transaction. Limits how long other writers of the project wait. */
const batchSize = 500;

/** SQL for the ids of the person ($1) and their devices. */
const ownPrincipals = `(select p.id from backstory.principal p where p.org = backstory.current_org() and $1 in (p.id, p.person))`;
const isPrivate = 'm.reader = $1';
/** A team note belongs to the person who first wrote it, and to the person who last changed it. */
const isShared = `m.reader is null and (m.author in ${ownPrincipals} or m.source = 'note' and exists (
  select from backstory.note_change c where ${here('c')} and c.source_ref = m.source_ref
    and c.reader is null and c.first_author in ${ownPrincipals}))`;

/** Reassigns, deletes or anonymises what a person leaves behind. Each step can be interrupted and repeated. */
export function createOffboarding(database: Database) {
  const projectsOf = async (org: string): Promise<string[]> =>
    (
      await withinOrg(database, org, (query) =>
        query<{ id: string }>('select id from backstory.project where org = $1 order by id', [org]),
      )
    ).map(({ id }) => id);
  /** Runs batches in every project until one is not full. Returns the total number of changes. */
  const inBatches = async (org: string, batch: (query: Query) => Promise<number>): Promise<number> => {
    let total = 0;
    for (const project of await projectsOf(org))
      for (let changed = batchSize; changed === batchSize; total += changed)
        changed = await withinProject(database, org, project, batch);
    return total;
  };

  return {
    /**
     * Counts a person's memories: team memories that they or their devices first wrote or last changed, and private ones.
     * Also counts all memories that contain one of the names.
     */
    async belongings(org: string, person: string, names: string[]) {
      const sum = { team: 0, private: 0, mentions: 0 };
      for (const project of await projectsOf(org)) {
        const counted = await withinProject(database, org, project, (query) =>
          query<typeof sum>(
            `select count(*) filter (where ${isShared})::int as team, count(*) filter (where ${isPrivate})::int as private,
               count(*) filter (where m.text ~* $2 or m.metadata::text ~* $2)::int as mentions
             from backstory.memory m where ${here('m')}`,
            [person, patternOf(names)],
          ),
        );
        for (const { team, private: own, mentions } of counted) {
          sum.team += team;
          sum.private += own;
          sum.mentions += mentions;
        }
      }
      return sum;
    },

    async reassign(org: string, person: string, to: string) {
      const changed = await inBatches(org, async (query) => {
        // Do not change `updated`: the text is the same, so laptops need not fetch it again.
        const rows = await query(
          `update backstory.memory set author = $2 where org = backstory.current_org() and id in (
             select m.id from backstory.memory m where ${here('m')} and m.reader is null and m.author in ${ownPrincipals}
             limit ${batchSize}) returning id`,
          [person, to],
        );
        await query(
          `update backstory.note_change set first_author = $2 where ${here()} and reader is null and first_author in ${ownPrincipals}`,
          [person, to],
        );
        return rows.length;
      });
      await withinOrg(database, org, (query) =>
        writeAudit(query, 'person.reassign', person, { to, memories: changed }),
      );
      return changed;
    },

    /** Deletes in batches; laptops delete their copies at the next sync. Returns how many. */
    removeBelongings: (org: string, person: string, which: 'private' | 'all') =>
      inBatches(org, async (query) => {
        if (which === 'all') await dropDisputesOf(query, person);
        const rows = await query<{ id: string }>(
          `select m.id from backstory.memory m where ${here('m')}
             and (${isPrivate} ${which === 'all' ? `or ${isShared}` : ''}) order by m.id limit ${batchSize}`,
          [person],
        );
        const ids = rows.map(({ id }) => id);
        await query(`delete from backstory.outbox where org = backstory.current_org() and ref = any($1)`, [
          ids,
        ]);
        await removeMemories(query, 'm.id = any($1)', [ids]);
        return ids.length;
      }),

    /** Returns memories of a project that contain one of the names, ordered by id, starting after the id `after`. */
    mentions: (org: string, project: string, names: string[], after: string, limit: number) =>
      withinProject(database, org, project, (query) =>
        query<Mention>(
          `select m.id as "documentId", m.source, m.source_ref as "sourceRef", m.text, m.metadata, m.reader, m.author,
               encode(m.hash, 'hex') as hash, coalesce((select min(c.at) from backstory.chunk c
                 where ${here('c')} and c.source_id = m.id), (extract(epoch from m.updated) * 1000)::bigint)::float8 as at,
               array(select json_build_object('relation', e.relation, 'target', e.target) from backstory.edge e
                 where ${here('e')} and e.memory = m.id) as links
             from backstory.memory m where ${here('m')} and m.id > $2 and (m.text ~* $1 or m.metadata::text ~* $1)
             order by m.id limit $3`,
          [patternOf(names), after, limit],
        ),
      ),

    /**
     * Replaces the texts of memories and keeps their authors; a job makes the new vectors. Skips memories that were
     * changed or removed since they were read. Returns how many were written.
     */
    rewrite: (
      org: string,
      project: string,
      memories: { memory: PreparedMemory; author: string | null; hash: string }[],
    ) =>
      withinProject(database, org, project, async (query) => {
        const current = await query<{ id: string; hash: string }>(
          `select id, encode(hash, 'hex') as hash from backstory.memory where ${here()} and id = any($1) order by id for update`,
          [memories.map(({ memory }) => memory.documentId)],
        );
        const hashes = new Map(current.map(({ id, hash }) => [id, hash]));
        const unchanged = memories.filter(({ memory, hash }) => hashes.get(memory.documentId) === hash);
        if (unchanged.length === 0) return 0;
        const ids = unchanged.map(({ memory }) => memory.documentId);
        for (const { memory, author } of unchanged)
          await saveMemories(query, { principal: author as string }, [memory], undefined);
        await query(`delete from backstory.outbox where org = backstory.current_org() and ref = any($1)`, [
          ids,
        ]);
        return unchanged.length;
      }),

    /** Removes the person's name, accounts and tokens, and the events and errors that contain a name. Only an id is left. */
    async anonymise(org: string, person: string, names: string[]) {
      const pattern = patternOf(names);
      for (const project of await projectsOf(org))
        await withinProject(database, org, project, (query) =>
          query(`update backstory.job set last_error = null where ${here()} and last_error ~* $1`, [pattern]),
        );
      await withinOrg(database, org, async (query) => {
        await query(
          'delete from backstory.outbox where org = backstory.current_org() and (payload::text ~* $1 or ref ~* $1)',
          [pattern],
        );
        for (const table of ['token', 'membership', 'identity', 'forge_account'])
          await query(
            `delete from backstory.${table} where org = backstory.current_org() and principal in ${ownPrincipals}`,
            [person],
          );
        await query(
          `update backstory.principal set disabled = now()
           where org = backstory.current_org() and disabled is null and id in ${ownPrincipals}`,
          [person],
        );
        await query(
          `update backstory.principal set name = 'erased ' || right(id::text, 12)
           where org = backstory.current_org() and id in ${ownPrincipals}`,
          [person],
        );
        await writeAudit(query, 'person.erase', person);
      });
      // Also delete expired device sign-ins. They belong to no organisation, so the statements above do not find them,
      // and their device names may contain the person's name.
      await acrossTenants(database, 'delete from backstory.sign_in where expires < now()');
    },

    async findNames(org: string, names: string[]) {
      const columns = await database.query<{ table: string; column: string }>(
        `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
           and not a.attisdropped and a.atttypid::regtype::text in
             ('text', 'text[]', 'jsonb', 'json', 'tsvector', 'character varying', 'bytea')
           and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org')
         order by 1, 2`,
      );
      const rowCounts = new Map<string, number>();
      for (const project of ['', ...(await projectsOf(org))])
        await withinProject(database, org, project, async (query) => {
          for (const { table, column } of columns) {
            const [row] = await query<{ rows: number }>(
              `select count(*)::int as rows from backstory."${table}" where org = $1 and "${column}"::text ~* $2`,
              [org, patternOf(names)],
            );
            const place = `${table}.${column}`;
            // Each count also includes rows that belong to the whole organisation, which every project sees. So
            // take the maximum over the projects instead of the sum.
            rowCounts.set(place, Math.max(rowCounts.get(place) ?? 0, row?.rows ?? 0));
          }
        });
      return [...rowCounts].flatMap(([place, rows]) => (rows > 0 ? [{ place, rows }] : []));
    },
  };
}

/** A regular expression that matches any of the names as a whole word. Callers match case-insensitively. */
function patternOf(names: string[]): string {
  // Without a name, the regular expression would match between any two words.
  if (names.length === 0) throw new Error('no names given');
  const any = names.map((name) => name.replace(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)).join('|');
  return `(?<![[:alnum:]_])(?:${any})(?![[:alnum:]_])`;
}
