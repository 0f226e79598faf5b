import type { Clock } from '../../base/clock.ts';
import { uuidv7 } from '../../base/ids.ts';
import type { WebhookKind } from '../store/team-sources.ts';
import type { Database } from './connect.ts';
import { withinOrg, writeAudit } from './org-transaction.ts';

interface ListedRow {
  id: string;
  kind: WebhookKind;
  project: string;
  created: string;
  lastUsed: string | null;
}

/** Implements the operator actions on webhooks. */
export const webhookOperation = (database: Database, clock: Clock) => ({
  async createWebhook(org: string, project: string, { kind, secret }: { kind: WebhookKind; secret: string }) {
    const id = uuidv7(clock.now());
    await withinOrg(database, org, async (query) => {
      await query(
        'insert into backstory.webhook (org, id, project, kind, secret) values ($1, $2, $3, $4, $5)',
        [org, id, project, kind, secret],
      );
      await writeAudit(query, 'webhook.create', id);
    });
    return id;
  },
  // Never select the secret, which is shown only once.
  webhooks: (org: string) =>
    withinOrg(database, org, (query) =>
      query<ListedRow>(
        `select w.id, w.kind, p.name as project, w.created, w.last_used as "lastUsed"
         from backstory.webhook w join backstory.project p on p.org = w.org and p.id = w.project
         where w.org = $1 order by w.created, w.id`,
        [org],
      ),
    ),
  /** Returns false if there is no webhook with this id. */
  removeWebhook: (org: string, id: string) =>
    withinOrg(database, org, async (query) => {
      const removed = await query(
        'delete from backstory.webhook where org = $1 and id::text = $2 returning id',
        [org, id],
      );
      if (removed.length > 0) await writeAudit(query, 'webhook.remove', id);
      return removed.length > 0;
    }),
});
