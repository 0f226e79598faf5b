import type { Clock } from '../../base/clock.ts';
import { uuidv7 } from '../../base/ids.ts';
import type { Role, Scope } from '../../domain/memory.ts';
import type { RetentionPolicy } from '../store/team-people.ts';
import type { WebhookKind } from '../store/team-sources.ts';
import type { LargeProject, Named, TokenHash } from '../store/team-store.ts';
import { balanceCluster } from './balance-cluster.ts';
import type { Database, Query } from './connect.ts';
import { removeMemories } from './memories.ts';
import { dropDisputesOf } from './note-disputes.ts';
import { acrossTenants, audited, withinOrg, withinProject, writeAudit } from './org-transaction.ts';
import { createPeopleOperation } from './people-operation.ts';
import { createVectorIndex, dropVectorIndexes, largeProjects } from './vector-indexes.ts';

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

const revokeTokens = `update backstory.token set revoked = now() where org = $1 and revoked is null and principal in
  (select id from backstory.principal where org = $1 and (id = $2 or person = $2)) returning id`;

interface NewToken {
  hash: TokenHash;
  scopes: Scope[];
  expires?: string | undefined;
}

/** Operator actions of the database owner. No token is needed; row-level security applies all the same. */
export function createTeamOperation(database: Database, clock: Clock) {
  const within = <T>(org: string, work: (query: Query) => Promise<T>): Promise<T> =>
    withinOrg(database, org, work);
  /** Inserts a row whose first two columns are the organisation and a new id. Returns the id. */
  const create = async (
    org: string,
    action: string,
    sql: string,
    values: unknown[],
    id = uuidv7(clock.now()),
  ): Promise<string> => {
    await audited(database, org, [action, id], sql, [org, id, ...values]);
    return id;
  };
  /** Nobody who has left says any longer that a note is wrong, so sessions are told it again. */
  const endDisputes = (org: string, project: string, person: string): Promise<void> =>
    withinProject(database, org, project, (query) => dropDisputesOf(query, person));
  return {
    ...createPeopleOperation(database),
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
      audited(
        database,
        org,
        ['principal.owner', principal],
        `update backstory.principal set org_role = 'owner' where org = $1 and id = $2`,
        [org, principal],
      ),
    async disable(org: string, principal: string) {
      const projects = await within(org, async (query) => {
        await query(
          `update backstory.principal set disabled = now() where org = $1 and (id = $2 or person = $2)`,
          [org, principal],
        );
        await query(revokeTokens, [org, principal]);
        await writeAudit(query, 'principal.disable', principal);
        return query<{ id: string }>('select id from backstory.project where org = $1', [org]);
      });
      for (const { id } of projects) await endDisputes(org, id, principal);
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
    async prune(what: keyof typeof endOf, keepDays: number) {
      let total = 0;
      for (const { org } of await acrossTenants<{ org: string }>(database, 'select org from backstory.org'))
        total += await within(org, async (query) => {
          const [row] = await query<{ pruned: number }>(
            `with old as (delete from backstory.${what} where org = $1 and ${endOf[what]} < now() - make_interval(days => $2)
               returning 1) select count(*)::int as pruned from old`,
            [org, keepDays],
          );
          return row?.pruned ?? 0;
        });
      return total;
    },
    async createOrg(name: string) {
      const org = uuidv7(clock.now());
      const sql = 'insert into backstory.org (org, name) values ($1, $2)';
      await audited(database, org, ['org.create', org], sql, [org, name]);
      return org;
    },
    createProject: (org: string, name: string, id?: string) =>
      create(
        org,
        'project.create',
        'insert into backstory.project (org, id, name) values ($1, $2, $3)',
        [name],
        id,
      ),
    createPrincipal: (org: string, { name, orgRole }: { name: string; orgRole: 'owner' | 'member' }) =>
      create(
        org,
        'principal.create',
        `insert into backstory.principal (org, id, kind, name, org_role) values ($1, $2, 'user', $3, $4)`,
        [name, orgRole],
      ),
    createDevice: (org: string, person: string, name: string) =>
      create(
        org,
        'device.create',
        `insert into backstory.principal (org, id, kind, person, name) values ($1, $2, 'device', $3, $4)`,
        [person, name],
      ),
    async setRole(org: string, project: string, principal: string, role: Role | undefined) {
      const sql =
        role === undefined
          ? 'delete from backstory.membership where org = $1 and project = $2 and principal = $3'
          : `insert into backstory.membership (org, project, principal, role) values ($1, $2, $3, $4)
             on conflict (org, project, principal) do update set role = excluded.role`;
      const subject = `${project} ${principal} ${role ?? 'none'}`;
      await audited(
        database,
        org,
        ['member.role', subject],
        sql,
        [org, project, principal, role ?? []].flat(),
      );
      if (role === undefined) await endDisputes(org, project, principal);
    },
    createToken: (org: string, principal: string, { hash, scopes, expires }: NewToken) =>
      create(
        org,
        'token.create',
        'insert into backstory.token (org, id, principal, hash, scopes, expires) values ($1, $2, $3, $4, $5, $6)',
        [principal, hash, scopes, expires ?? null],
      ),
    /** Revokes the tokens of a person and all their devices, or of one device. Returns how many. */
    revokeTokens: async (org: string, principal: string) =>
      (await audited(database, org, ['token.revoke', principal], revokeTokens, [org, principal])).length,
    createWebhook: (org: string, project: string, { kind, secret }: { kind: WebhookKind; secret: string }) =>
      create(
        org,
        'webhook.create',
        'insert into backstory.webhook (org, id, project, kind, secret) values ($1, $2, $3, $4, $5)',
        [project, kind, secret],
      ),
    // Never select the secret, which is shown only once.
    webhooks: (org: string) =>
      within(org, (query) =>
        query<{ id: string; kind: WebhookKind; project: string; created: string; lastUsed: string | null }>(
          `select w.id, w.kind, p.name as project, w.created, w.last_used as "lastUsed"
           from backstory.webhook w join backstory.project p on p.org = w.org and p.id = w.project
           where w.org = $1 order by w.created, w.id`,
          [org],
        ),
      ),
    removeWebhook: (org: string, id: string) =>
      within(org, async (query) => {
        const sql = 'delete from backstory.webhook where org = $1 and id::text = $2 returning id';
        const removed = await query(sql, [org, id]);
        if (removed.length > 0) await writeAudit(query, 'webhook.remove', id);
        return removed.length > 0;
      }),
  };
}
