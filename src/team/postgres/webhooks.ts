import type { Member } from '../../domain/memory.ts';
import type { WebhookKind } from '../store/team-sources.ts';
import type { ProjectWork } from '../store/team-store.ts';
import type { Database, Query } from './connect.ts';
import { authorized } from './tenant.ts';

/** A delivery acts as its webhook: the webhook's id is the author of memories and audit log entries. */
export const createWebhooks = (
  database: Database,
  projectWork: (query: Query, member: Member, project: string) => ProjectWork,
) => ({
  async find(id: string) {
    const [row] = await database.query<{ kind: WebhookKind | null; secret: string; project: string }>(
      'select kind, secret, project from backstory.find_webhook($1)',
      [id],
    );
    return row?.kind == null ? undefined : { kind: row.kind, secret: row.secret, project: row.project };
  },
  /**
   * Runs the work in a transaction, unless this delivery was processed before; then returns undefined. The caller must
   * have verified the signature.
   */
  deliver: <T>(id: string, delivery: string, work: (project: ProjectWork) => Promise<T>) =>
    authorized(() =>
      database.transaction(async (query) => {
        const [entered] = await query<{ org: string; project: string }>(
          'select org, project from backstory.enter_webhook($1)',
          [id],
        );
        const { org = '', project = '' } = entered ?? {};
        // Record the delivery in the transaction that applies it. If that fails, the sender can deliver it again.
        const inserted = await query(
          `insert into backstory.webhook_delivery (org, project, webhook, delivery)
           values (backstory.current_org(), backstory.current_project(), $1, $2) on conflict do nothing returning 1`,
          [id, delivery],
        );
        if (inserted.length === 0) return undefined;
        const member: Member = {
          org,
          principal: id,
          person: id,
          kind: 'webhook',
          scopes: ['write'],
          role: 'member',
        };
        return work(projectWork(query, member, project));
      }),
    ),
});
