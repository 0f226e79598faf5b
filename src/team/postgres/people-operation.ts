import type {
  AuditEntry,
  DomainRule,
  PeopleOperation,
  PersonState,
  RetentionPolicy,
} from '../store/team-people.ts';
import type { Database } from './connect.ts';
import { createOffboarding } from './offboarding.ts';
import { withinOrg, withinProject, writeAudit } from './org-transaction.ts';

/** Implements the operator actions on accounts, retention policies and the audit log, for the database owner. */
export const createPeopleOperation = (database: Database): PeopleOperation => ({
  ...createOffboarding(database),
  link: (org, principal, account) =>
    withinOrg(database, org, async (query) => {
      const { email, issuer, subject } = { email: null, issuer: null, subject: null, ...account };
      await query(
        `insert into backstory.identity (org, principal, email, issuer, subject, bound)
         values ($1, $2, $3, $4, $5, case when $5::text is not null then now() end)
         on conflict (org, principal) do update set email = excluded.email, issuer = excluded.issuer,
           subject = excluded.subject, bound = excluded.bound`,
        [org, principal, email, issuer, subject],
      );
      await writeAudit(query, 'identity.link', principal);
    }),
  domains: (org) =>
    withinOrg(database, org, (query) =>
      query<DomainRule & { domain: string }>(
        'select domain, project, role from backstory.sign_in_domain where org = $1 order by domain',
        [org],
      ),
    ),
  allowDomain: (org, { domain, project, role }) =>
    withinOrg(database, org, async (query) => {
      await query(
        `insert into backstory.sign_in_domain (org, domain, project, role) values ($1, $2, $3, $4)
         on conflict (org, domain, project) do update set role = excluded.role`,
        [org, domain, project, role],
      );
      await writeAudit(query, 'domain.allow', domain, { role }, project ?? undefined);
    }),
  removeDomain: (org, domain) =>
    withinOrg(database, org, async (query) => {
      const removed = await query(
        'delete from backstory.sign_in_domain where org = $1 and domain = $2 returning domain',
        [org, domain],
      );
      await writeAudit(query, 'domain.refuse', domain);
      return removed.length;
    }),
  async state(org, principal) {
    const [row] = await withinOrg(database, org, (query) =>
      query<PersonState & { name: string }>(
        `select p.name, i.email, p.disabled is not null as "isRemoved" from backstory.principal p
         left join backstory.identity i on i.org = p.org and i.principal = p.id where p.org = $1 and p.id = $2`,
        [org, principal],
      ),
    );
    if (row === undefined) throw new Error('no such person');
    return row;
  },
  restore: (org, principal) =>
    withinOrg(database, org, async (query) => {
      await query('update backstory.principal set disabled = null where org = $1 and id = $2', [
        org,
        principal,
      ]);
      await writeAudit(query, 'principal.restore', principal);
    }),
  async policies(org) {
    // Row-level security shows the policies of only one project at a time.
    const projects = await withinOrg(database, org, (query) =>
      query<{ id: string }>('select id from backstory.project where org = $1 order by name', [org]),
    );
    const policies: RetentionPolicy[] = [];
    for (const { id } of projects) {
      const rows = await withinProject(database, org, id, (query) =>
        query<RetentionPolicy & { project: string }>(
          `select project, source, keep_days as "keepDays", with_pinned as "withPinned" from backstory.retention
             where org = $1 and project = $2 order by source`,
          [org, id],
        ),
      );
      policies.push(...rows);
    }
    return policies;
  },
  setRetention: (org, { project, source, keepDays, withPinned }) =>
    withinProject(database, org, project, async (query) => {
      await query(
        `insert into backstory.retention (org, project, source, keep_days, with_pinned) values ($1, $2, $3, $4, $5)
           on conflict (org, project, source) do update set keep_days = excluded.keep_days,
             with_pinned = excluded.with_pinned`,
        [org, project, source, keepDays, withPinned],
      );
      await writeAudit(query, 'retention.set', project, { source, keepDays, withPinned }, project);
    }),
  removeRetention: (org, project, source) =>
    withinProject(database, org, project, async (query) => {
      const removed = await query(
        `delete from backstory.retention where org = $1 and project = $2 and ($3::text is null or source = $3)
           returning source`,
        [org, project, source ?? null],
      );
      await writeAudit(query, 'retention.remove', project, { source: source ?? 'all' }, project);
      return removed.length;
    }),
  async audit(org, since, after, limit) {
    const rows = await withinOrg(database, org, (query) =>
      query<AuditRow>(
        `select a.seq::text as seq, a.at, a.action, a.project, a.subject, a.detail, p.id, p.name, p.kind, h.name as person
         from backstory.audit a left join backstory.principal p on p.org = a.org and p.id = a.principal
         left join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
         where a.org = $1 and a.at >= $2 and a.seq > $3 order by a.seq limit $4`,
        [org, since, after, limit],
      ),
    );
    return rows.map(entryOf);
  },
});

interface AuditRow extends Omit<AuditEntry, 'at' | 'who'> {
  at: Date;
  id: string | null;
  name: string | null;
  kind: 'user' | 'device' | null;
  person: string | null;
}

const entryOf = ({ at, id, name, kind, person, ...entry }: AuditRow): AuditEntry => ({
  ...entry,
  at: at.toISOString(),
  ...(id === null ? {} : { who: { id, name: name ?? '', kind: kind ?? 'user', person: person ?? '' } }),
});
