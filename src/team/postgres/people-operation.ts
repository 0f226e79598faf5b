import type { MemorySource } from '../../domain/memory.ts';
import type { AuditEntry, DomainRule, RetentionPolicy, VerifiedAccount } from '../store/team-people.ts';
import type { Database } from './connect.ts';
import { createOffboarding } from './offboarding.ts';
import { acrossTenants, audited, withinOrg } from './org-transaction.ts';

/** Operator actions on accounts, leaving members, retention and the audit log. Needs the database owner. */
export const createPeopleOperation = (database: Database) => ({
  ...createOffboarding(database),
  /** Sets the account that a person signs in with, and removes the previous one. */
  link: (org: string, principal: string, account: { email: string } | Omit<VerifiedAccount, 'email'>) => {
    const { email, issuer, subject } = { email: null, issuer: null, subject: null, ...account };
    return audited(
      database,
      org,
      ['identity.link', principal],
      `insert into backstory.identity (org, principal, email, issuer, subject) values ($1, $2, $3, $4, $5)
       on conflict (org, principal) do update set email = excluded.email, issuer = excluded.issuer,
         subject = excluded.subject`,
      [org, principal, email, issuer, subject],
    );
  },
  /** Accounts of trackers whose texts are stored, or that are linked to a person; those with most texts first. */
  forgeAccounts: (org: string) =>
    acrossTenants<ForgeAccount>(
      database,
      `select account, max(name) as name, sum(texts)::int as texts, max(person) as person from (
         select metadata ->> 'account' as account, metadata ->> 'author' as name, 1 as texts, null as person
           from backstory.memory where org = $1 and reader is null and metadata ? 'account'
         union all
         select a.account, a.name, 0, p.name from backstory.forge_account a
           join backstory.principal p on p.org = a.org and p.id = a.principal where a.org = $1) known
       group by account order by 3 desc, 1`,
      [org],
    ),
  linkForge: (org: string, principal: string, { account, name }: Pick<ForgeAccount, 'account' | 'name'>) =>
    audited(
      database,
      org,
      ['account.link', principal, { account }],
      `insert into backstory.forge_account (org, account, name, principal) values ($1, $2, $3, $4)
       on conflict (org, account) do update set name = excluded.name, principal = excluded.principal`,
      [org, account, name, principal],
    ),
  unlinkForge: (org: string, account: string) =>
    audited(
      database,
      org,
      ['account.unlink', account],
      'delete from backstory.forge_account where org = $1 and account = $2',
      [org, account],
    ),
  domains: (org: string) =>
    withinOrg(database, org, (query) =>
      query<DomainRule & { domain: string }>(
        'select domain, project, role from backstory.sign_in_domain where org = $1 order by domain',
        [org],
      ),
    ),
  allowDomain: (org: string, { domain, project, role }: DomainRule) =>
    audited(
      database,
      org,
      ['domain.allow', domain, { role }, project ?? undefined],
      `insert into backstory.sign_in_domain (org, domain, project, role) values ($1, $2, $3, $4)
       on conflict (org, domain, project) do update set role = excluded.role`,
      [org, domain, project, role],
    ),
  removeDomain: (org: string, domain: string) =>
    audited(
      database,
      org,
      ['domain.refuse', domain],
      'delete from backstory.sign_in_domain where org = $1 and domain = $2 returning domain',
      [org, domain],
    ),
  async emailOf(org: string, principal: string) {
    const [row] = await withinOrg(database, org, (query) =>
      query<{ email: string | null }>(
        'select email from backstory.identity where org = $1 and principal = $2',
        [org, principal],
      ),
    );
    return row?.email ?? undefined;
  },
  /** Lets a removed person sign in again. They need new tokens. */
  restore: (org: string, principal: string) =>
    audited(
      database,
      org,
      ['principal.restore', principal],
      'update backstory.principal set disabled = null where org = $1 and id = $2',
      [org, principal],
    ),
  policies: (org: string) =>
    acrossTenants<RetentionPolicy & { project: string }>(
      database,
      `select r.project, r.source, r.keep_days as "keepDays", r.with_pinned as "withPinned"
       from backstory.retention r join backstory.project p on p.org = r.org and p.id = r.project
       where r.org = $1 order by p.name, r.source`,
      [org],
    ),
  setRetention: (org: string, { project, source, keepDays, withPinned }: RetentionPolicy) =>
    audited(
      database,
      org,
      ['retention.set', project, { source, keepDays, withPinned }, project],
      `insert into backstory.retention (org, project, source, keep_days, with_pinned) values ($1, $2, $3, $4, $5)
       on conflict (org, project, source) do update set keep_days = excluded.keep_days,
         with_pinned = excluded.with_pinned`,
      [org, project, source, keepDays, withPinned],
    ),
  removeRetention: (org: string, project: string, source: MemorySource | undefined) =>
    audited(
      database,
      org,
      ['retention.remove', project, { source: source ?? 'all' }, project],
      `delete from backstory.retention where org = $1 and project = $2 and ($3::text is null or source = $3)
       returning source`,
      [org, project, source ?? null],
    ),
  audit: (org: string, since: string) =>
    withinOrg(database, org, (query) =>
      query<AuditEntry>(
        `select a.seq::text as seq, a.at, a.action, a.project, a.subject, a.detail, case when p.id is not null
           then json_build_object('id', p.id, 'name', p.name, 'kind', p.kind, 'person', h.name) end as who
         from backstory.audit a left join backstory.principal p on p.org = a.org and p.id = a.principal
         left join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
         where a.org = $1 and a.at >= $2 order by a.seq`,
        [org, since],
      ),
    ),
});

interface ForgeAccount {
  account: string;
  /** As the tracker showed it last. */
  name: string;
  texts: number;
  person: string | null;
}
