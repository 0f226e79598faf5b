import { createHmac } from 'node:crypto';
import { makeWebhookSecret } from '../../../src/team/sources/webhook-signature.ts';
import { type WebhookKind, webhookKinds } from '../../../src/team/store/team-sources.ts';
import type { TeamOperation } from '../../../src/team/store/team-store.ts';
import type { Answered, TeamApp } from '../../harness/team/app.ts';

interface Where {
  org: string;
  project: string;
}

interface MadeWebhook {
  kind: WebhookKind;
  id: string;
  /** Secret of another tenant's webhook, which must not be accepted here. */
  foreignSecret: string;
  removed: string;
}

const nowhere = '0198f2c4-0000-7000-8000-0000000000cc';

/** For each kind a webhook of ours, one of another tenant, and one of ours that was removed. */
export const makeWebhooks = (operation: TeamOperation, ours: Where, theirs: Where): Promise<MadeWebhook[]> =>
  Promise.all(
    webhookKinds.map(async (kind) => {
      const make = (where: Where, secret: string) =>
        operation.createWebhook(where.org, where.project, { kind, secret });
      const foreignSecret = makeWebhookSecret();
      await make(theirs, foreignSecret);
      const removed = await make(ours, makeWebhookSecret());
      await operation.removeWebhook(ours.org, removed);
      return { kind, id: await make(ours, makeWebhookSecret()), foreignSecret, removed };
    }),
  );

/** Without the secret, an existing, a removed and an unknown webhook must be indistinguishable. */
export async function deliverWrongly(app: TeamApp, webhooks: MadeWebhook[]) {
  const outcome = { tried: 0, wrong: 0, told: 0, examples: [] as string[] };
  for (const { kind, id, foreignSecret, removed } of webhooks) {
    for (const [name, headers] of Object.entries(wrongHeaders(foreignSecret))) {
      const ask = (webhook: string): Promise<Answered> =>
        app.ask({ method: 'POST', path: `/api/webhooks/${webhook}`, body, headers });
      const answers = [await ask(id), await ask(removed), await ask(nowhere), await ask('no-uuid')];
      outcome.tried += answers.length;
      const [there] = answers;
      if (there?.status !== 401) {
        outcome.wrong += 1;
        outcome.examples.push(`webhook of ${kind}, ${name}: ${there?.status}`);
      }
      if (new Set(answers.map((answer) => JSON.stringify(answer))).size > 1) {
        outcome.told += 1;
        outcome.examples.push(
          `webhook of ${kind}, ${name}: ${answers.map(({ status }) => status).join(' ')}`,
        );
      }
    }
  }
  return outcome;
}

const body = {
  event: 'issue:created',
  sourceRef: 'planted',
  updatedAt: '2026-01-01T00:00:00Z',
  title: 'planted by a stranger',
  webhookTimestamp: Date.now(),
};

function wrongHeaders(secret: string): Record<string, Record<string, string>> {
  const bytes = JSON.stringify(body);
  const id = 'msg_planted';
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${bytes}`).digest('base64');
  const bodySignature = createHmac('sha256', secret).update(bytes).digest('hex');
  return {
    nothing: {},
    'an empty signature': {
      'x-hub-signature-256': '',
      'x-hub-signature': '',
      'linear-signature': '',
      'x-gitlab-token': '',
      'webhook-signature': '',
    },
    'a made-up one': {
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      'x-hub-signature': `sha256=${'0'.repeat(64)}`,
      'linear-signature': '0'.repeat(64),
      'x-gitlab-token': 'guess',
      'x-gitlab-event-uuid': id,
    },
    "another tenant's secret": {
      'x-hub-signature-256': `sha256=${bodySignature}`,
      'x-hub-signature': `sha256=${bodySignature}`,
      'linear-signature': bodySignature,
      'x-gitlab-token': secret,
      'x-gitlab-event-uuid': id,
    },
    "another tenant's signature": {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}
