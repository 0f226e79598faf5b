import type { SourceName, SourceState } from '../store/team-sources.ts';
import type { Query } from './connect.ts';
import { here } from './org-transaction.ts';
import { plainText } from './plain-text.ts';

export const sourceWork = (query: Query) => ({
  /** Takes a lock until the transaction ends, so that changes of one project are applied one at a time. */
  async state({ source, sourceRef, parent }: SourceName) {
    // Take an advisory lock instead of locking the project's row: writers lock that row last, so locking it first
    // could deadlock.
    await query(
      `select pg_advisory_xact_lock(hashtextextended('sources ' || backstory.current_project()::text, 0))`,
    );
    const [row] = await query<SourceState & { at: number | null }>(
      `select (extract(epoch from s.at) * 1000)::bigint::float8 as at, s.removed is not null as "isRemoved",
         exists (select from backstory.source_state p where ${here('p')}
           and p.source = 'issue' and p.source_ref = $3 and p.removed is not null) as "isParentRemoved",
         exists (select from backstory.memory m where ${here('m')}
           and m.source = $1 and m.source_ref = $2 and m.reader is null) as "isKept"
       from (select 1) one left join backstory.source_state s on ${here('s')}
         and s.source = $1 and s.source_ref = $2`,
      [source, plainText(sourceRef), parent === undefined ? null : plainText(parent)],
    );
    return { ...(row as SourceState), at: row?.at ?? undefined };
  },
  /** The metadata of the stored memory of this source, and the account that wrote it if its text is this one. */
  async stored({ source, sourceRef }: SourceName, text: string) {
    const [row] = await query<{ metadata: Record<string, unknown>; account: string | null }>(
      `select metadata, case when text = $3 then metadata ->> 'account' end as account from backstory.memory
       where ${here()} and source = $1 and source_ref = $2 and reader is null`,
      [source, plainText(sourceRef), text],
    );
    return { metadata: row?.metadata ?? {}, ...(row?.account == null ? {} : { account: row.account }) };
  },
  async saveState(
    { source, sourceRef, parent }: SourceName,
    { at, isRemoved }: { at: number; isRemoved: boolean },
  ) {
    await query(
      `insert into backstory.source_state as s (org, project, source, source_ref, parent, at, removed)
       values (backstory.current_org(), backstory.current_project(), $1, $2, $3, to_timestamp($4 / 1000.0),
         case when $5 then now() end)
       on conflict (org, project, source, source_ref) do update set at = greatest(s.at, excluded.at),
         parent = coalesce(excluded.parent, s.parent), removed = coalesce(s.removed, excluded.removed)`,
      [source, plainText(sourceRef), parent === undefined ? null : plainText(parent), at, isRemoved],
    );
  },
  /** The references of an issue's comments that were not deleted. */
  async commentsUnder(issue: string) {
    const rows = await query<{ source_ref: string }>(
      `select source_ref from backstory.source_state where ${here()} and source = 'comment' and parent = $1
         and removed is null order by source_ref`,
      [plainText(issue)],
    );
    return rows.map(({ source_ref }) => source_ref);
  },
});
