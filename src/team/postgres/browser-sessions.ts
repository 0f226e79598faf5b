import { systemCodeOf } from '../../base/errors.ts';
import { randomHex, sha256, uuidOf } from '../../base/ids.ts';
import type { SignInOutcome, VerifiedAccount } from '../store/team-people.ts';
import type { TokenHash } from '../store/team-store.ts';
import { writeMemberAudit } from './authorship.ts';
import type { Database, Query } from './connect.ts';
import { writeAudit } from './org-transaction.ts';
import { inOrg } from './tenant.ts';

const successfulOutcomes: SignInOutcome[] = ['known', 'first', 'newcomer'];

interface NewSession {
  hash: TokenHash;
  lifetimeMs: number;
}

/** Sessions of signed-in browsers. A session is a token in a cookie, so every route accepts it. */
export const createBrowserSessions = (database: Database) => ({
  /** Binds the account to a person at its first sign-in. */
  async open(account: VerifiedAccount, session: NewSession & { org?: string | undefined }) {
    const attempt = () => database.transaction((query) => open(query, account, session));
    try {
      return await attempt();
    } catch (error) {
      // A new user signed in from two windows at once, and the other window created the user first. Try again: now the
      // user exists.
      if (systemCodeOf(error) === uniqueViolation) return attempt();
      throw error;
    }
  },
  /** Opens a session for a token, with at most its scopes and lifetime. */
  openFor: (token: TokenHash, { hash, lifetimeMs }: NewSession) =>
    inOrg(database, token, async (query, requester) => {
      const id = uuidOf(randomHex(16));
      await query(
        `insert into backstory.token (org, id, principal, hash, scopes, expires, is_browser_session)
         select org, $1, principal, $2, scopes, least(expires, now() + $3 * interval '1 millisecond'), true
         from backstory.token where org = backstory.current_org() and hash = $4 returning 1`,
        [id, hash, lifetimeMs, token],
      );
      await writeMemberAudit(query, requester, 'sign-in', id, { outcome: 'token' });
    }),
  nameOf: (session: TokenHash) =>
    inOrg(database, session, async (query, { principal }) => {
      const [row] = await query<{ name: string }>(
        'select name from backstory.principal where org = backstory.current_org() and id = $1',
        [principal],
      );
      return row?.name ?? '';
    }),
  /** Ends a browser session. Returns false if the hash belongs to an API token instead. */
  close: (session: TokenHash) =>
    inOrg(database, session, async (query, requester) => {
      const ended = await query<{ id: string }>(
        `update backstory.token set revoked = now() where org = backstory.current_org() and hash = $1 and is_browser_session
         returning id`,
        [session],
      );
      for (const { id } of ended) await writeMemberAudit(query, requester, 'sign-out', id);
      return ended.length > 0;
    }),
});

const uniqueViolation = '23505';

async function open(
  query: Query,
  account: VerifiedAccount,
  { hash, lifetimeMs, org }: NewSession & { org?: string | undefined },
): Promise<{ outcome: SignInOutcome; isIn: boolean }> {
  const [found] = await query<{ org: string | null; principal: string | null; outcome: SignInOutcome }>(
    'select * from backstory.enter_account($1, $2, $3, $4)',
    [account.issuer, account.subject, account.email ?? null, org ?? null],
  );
  let outcome = found?.outcome ?? 'unknown';
  let principal = found?.principal ?? undefined;
  // Two accounts with the same email address may sign in at once: the first one is bound to the person, the other is
  // refused.
  if (outcome === 'first' && !(await bind(query, principal, account))) outcome = 'taken';
  if (outcome === 'newcomer') principal = await addMember(query, account);
  if (!successfulOutcomes.includes(outcome) || principal === undefined) {
    if (found?.org != null) await logRefusal(query, account, outcome);
    return { outcome, isIn: false };
  }
  const id = uuidOf(randomHex(16));
  await query(
    `insert into backstory.token (org, id, principal, hash, scopes, expires, is_browser_session)
         values (backstory.current_org(), $1, $2, $3, array['read', 'write'],
           now() + $4 * interval '1 millisecond', true)`,
    [id, principal, hash, lifetimeMs],
  );
  await writeMemberAudit(query, { principal }, 'sign-in', id, { outcome });
  return { outcome, isIn: true };
}

async function bind(
  query: Query,
  principal: string | undefined,
  { issuer, subject }: VerifiedAccount,
): Promise<boolean> {
  const bound = await query(
    `update backstory.identity set issuer = $2, subject = $3
     where org = backstory.current_org() and principal = $1 and subject is null returning principal`,
    [principal, issuer, subject],
  );
  return bound.length > 0;
}

/** Adds a person whose email domain is allowed, with the roles of its rules. */
async function addMember(query: Query, { issuer, subject, email = '' }: VerifiedAccount): Promise<string> {
  const id = uuidOf(randomHex(16));
  await query(
    `insert into backstory.principal (org, id, kind, name)
     select backstory.current_org(), $1::uuid, 'user', case when exists (select from backstory.principal
       where org = backstory.current_org() and kind = 'user' and name = $2::text)
       then $2::text || ' ' || right($1::uuid::text, 6) else $2::text end returning 1`,
    [id, email],
  );
  await query(
    `insert into backstory.identity (org, principal, email, issuer, subject)
     values (backstory.current_org(), $1, $2, $3, $4)`,
    [id, email, issuer, subject],
  );
  await query(
    `insert into backstory.membership (org, project, principal, role)
     select org, project, $1, role from backstory.sign_in_domain
     where org = backstory.current_org() and project is not null and domain = substring($2 from '@([^@]+)$')
     returning 1`,
    [id, email],
  );
  return id;
}

/** Logs a refused account as a hash: audit entries are never deleted, so they must not identify a person. */
const logRefusal = (query: Query, { issuer, subject }: VerifiedAccount, outcome: SignInOutcome) =>
  writeAudit(query, 'sign-in.refuse', sha256(`${issuer} ${subject}`).slice(0, 16), { outcome });
