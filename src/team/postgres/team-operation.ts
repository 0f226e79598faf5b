import type { Clock } from '../../base/clock.ts';
import { uuidv7 } from '../../base/ids.ts';
import type { Role, Scope } from '../../domain/memory.ts';
import type { RetentionPolicy } from '../store/team-people.ts';
import type { LargeProject, Named, TokenHash } from '../store/team-store.ts';
import { balanceCluster } from './balance-cluster.ts';
import type { Database, Query } from './connect.ts';
import { removeMemories } from './memories.ts';
import { dropDisputesOf } from './note-disputes.ts';
import { acrossTenants, inEachOrg, withinOrg, withinProject, writeAudit } from './org-transaction.ts';
import { createVectorIndex, dropVectorIndexes, largeProjects } from './vector-indexes.ts';
import { webhookOperation } from './webhook-operation.ts';

interface PrincipalRow extends Named {
  kind: 'user' | 'device';
  isRemoved: boolean;
  isOwner: boolean;
}

/** When a row of these tables came to its end. */
const endOf = {
  outbox: 'at',
  webhook_delivery: 'at',
  token: 'is_browser_session and least(expires, revoked)',
};

interface NewToken {
  hash: TokenHash;
  scopes: Scope[];
  expires?: string | undefined;
}

/** Operator actions of the database owner. No token is needed; row-level security applies all the same. */
export function createTeamOperation(database: Database, clock: Clock) {
  const within = <T>(org: string, work: (query: Query) => Promise<T>): Promise<T> =>
    withinOrg(database, org, work);
  /** Nobody who has left says any longer that a note is wrong, so sessions are told it again. */
  const endDisputes = (org: string, project: string, person: string): Promise<void> =>
    withinProject(database, org, project, (query) => dropDisputesOf(query, person));
  return {
    ...webhookOperation(database, clock),
    /** Distributes the rows evenly over the workers of a Citus cluster. Returns undefined on a single Postgres. */
    balanceCluster: (minSlices: number) => balanceCluster(database, minSlices),
    orgs: () => acrossTenants<Named>(database, 'select org as id, name from backstory.org order by created'),
    projects: (org: string) =>
      within(org, (query) =>
        query<Named>('select id, name from backstory.project where org = $1 order by name', [org]),
      ),
    /** People and devices. */
    principals: (org: string) =>
      within(org, (query) =>
        query<PrincipalRow>(
          `select id, name, kind, disabled is not null as "isRemoved", org_role = 'owner' as "isOwner" from backstory.principal
           where org = $1 order by name`,
          [org],
        ),
      ),
    /** Makes a person an owner of the organisation, with access to all its projects. */
    makeOwner: (org: string, principal: string) =>
      within(org, async (query) => {
        await query(`update backstory.principal set org_role = 'owner' where org = $1 and id = $2`, [
          org,
          principal,
        ]);
        await writeAudit(query, 'principal.owner', principal);
      }),
    async disable(org: string, principal: string) {
      const projects = await within(org, async (query) => {
        await query(
          `update backstory.principal set disabled = now() where org = $1 and (id = $2 or person = $2)`,
          [org, principal],
        );
        await query(
          `update backstory.token set revoked = now() where org = $1 and revoked is null and principal in
             (select id from backstory.principal where org = $1 and (id = $2 or person = $2))`,
          [org, principal],
        );
        await writeAudit(query, 'principal.disable', principal);
        const projects = await query<{ id: string }>('select id from backstory.project where org = $1', [
          org,
        ]);
        return projects.map(({ id }) => id);
      });
      for (const project of projects) await endDisputes(org, project, principal);
    },
    largeProjects: (minVectors: number) => largeProjects(database, minVectors),
    createVectorIndex: (project: LargeProject) => createVectorIndex(database, project),
    dropVectorIndexes: (minVectors: number) => dropVectorIndexes(database, minVectors),
    /**
     * Deletes memories that exceed their retention period, so many in a transaction, and writes to the audit log how
     * many. Returns how many.
     */
    async applyRetention(batchSize: number) {
      const policies = await acrossTenants<RetentionPolicy & { org: string }>(
        database,
        `select org, project, source, keep_days as "keepDays", with_pinned as "withPinned" from backstory.retention`,
      );
      let total = 0;
      for (const { org, project, source, keepDays, withPinned } of policies)
        for (let removed = batchSize; removed === batchSize; total += removed)
          removed = await withinProject(database, org, project, async (query) => {
            const expired = await query<{ id: string }>(
              `select m.id from backstory.memory m where m.org = $1 and m.project = $2 and m.source = $3
                 and m.updated < now() - make_interval(days => $4)
                 and ($5 or m.metadata -> 'pinned' is distinct from 'true'::jsonb)
               order by m.updated limit $6 for update skip locked`,
              [org, project, source, keepDays, withPinned, batchSize],
            );
            const ids = expired.map(({ id }) => id);
            await removeMemories(query, 'm.id = any($1)', [ids]);
            const detail = { source, memories: ids.length };
            if (ids.length > 0) await writeAudit(query, 'retention.apply', project, detail, project);
            return ids.length;
          });
      return total;
    },
    /** Deletes ended browser sessions, events or webhook deliveries of more than this many days ago. Returns how many. */
    prune: (what: keyof typeof endOf, keepDays: number) =>
      inEachOrg(database, async (query, org) => {
        const [row] = await query<{ pruned: number }>(
          `with old as (delete from backstory.${what} where org = $1 and ${endOf[what]} < now() - make_interval(days => $2)
             returning 1) select count(*)::int as pruned from old`,
          [org, keepDays],
        );
        return row?.pruned ?? 0;
      }),
    async createOrg(name: string) {
      const org = uuidv7(clock.now());
      await within(org, async (query) => {
        await query('insert into backstory.org (org, name) values ($1, $2)', [org, name]);
        await writeAudit(query, 'org.create', org);
      });
      return org;
    },
    async createProject(org: string, name: string, id = uuidv7(clock.now())) {
      await within(org, async (query) => {
        await query('insert into backstory.project (org, id, name) values ($1, $2, $3)', [org, id, name]);
        await writeAudit(query, 'project.create', id);
      });
      return id;
    },
    async createPrincipal(org: string, { name, orgRole }: { name: string; orgRole: 'owner' | 'member' }) {
      const id = uuidv7(clock.now());
      await within(org, async (query) => {
        await query(
          `insert into backstory.principal (org, id, kind, name, org_role) values ($1, $2, 'user', $3, $4)`,
          [org, id, name, orgRole],
        );
        await writeAudit(query, 'principal.create', id);
      });
      return id;
    },
    async createDevice(org: string, person: string, name: string) {
      const id = uuidv7(clock.now());
      await within(org, async (query) => {
        await query(
          `insert into backstory.principal (org, id, kind, person, name) values ($1, $2, 'device', $3, $4)`,
          [org, id, person, name],
        );
        await writeAudit(query, 'device.create', id);
      });
      return id;
    },
    async setRole(org: string, project: string, principal: string, role: Role | undefined) {
      await within(org, async (query) => {
        if (role === undefined) {
          await query('delete from backstory.membership where org = $1 and project = $2 and principal = $3', [
            org,
            project,
            principal,
          ]);
        } else {
          await query(
            `insert into backstory.membership (org, project, principal, role) values ($1, $2, $3, $4)
             on conflict (org, project, principal) do update set role = excluded.role`,
            [org, project, principal, role],
          );
        }
        await writeAudit(query, 'member.role', `${project} ${principal} ${role ?? 'none'}`);
      });
      if (role === undefined) await endDisputes(org, project, principal);
    },
    async createToken(org: string, principal: string, { hash, scopes, expires }: NewToken) {
      const id = uuidv7(clock.now());
      await within(org, async (query) => {
        await query(
          'insert into backstory.token (org, id, principal, hash, scopes, expires) values ($1, $2, $3, $4, $5, $6)',
          [org, id, principal, hash, scopes, expires ?? null],
        );
        await writeAudit(query, 'token.create', id);
      });
      return id;
    },
    /** Revokes the tokens of a person and all their devices, or of one device. Returns how many. */
    revokeTokens: (org: string, principal: string) =>
      within(org, async (query) => {
        const revoked = await query(
          `update backstory.token set revoked = now() where org = $1 and revoked is null and principal in
             (select id from backstory.principal where org = $1 and (id = $2 or person = $2)) returning id`,
          [org, principal],
        );
        await writeAudit(query, 'token.revoke', principal);
        return revoked.length;
      }),
  };
}
