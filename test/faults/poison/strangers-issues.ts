import { createHmac } from 'node:crypto';
import { randomHex } from '../../../src/base/ids.ts';
import { loadStaticModel } from '../../../src/models/static-embed.ts';
import { makeWebhookSecret } from '../../../src/team/sources/webhook-signature.ts';
import { startTestServer, teamPartsOf } from '../../contract/team-server.ts';
import { atLeast, exactly } from '../../harness/evaluation.ts';
import { addPerson, withTeamDatabase } from '../../harness/team/database.ts';
import { teamSurfaces } from '../../support/team-surfaces.ts';
import type { Attack } from './attack.ts';
import { inventHostile } from './hostile.ts';

const speaking =
  /<\s*\/?\s*(?:system|assistant|human|user|tool|command)|<\|[a-z_]+\|>|\u001b|\\u001b|\u200b/i;

/**
 * Issues opened by strangers arrive at the team server through a webhook. Every surface must show them with trust 0 and
 * as data.
 */
export const strangersIssues: Attack = async ({ isShort, random }) => {
  if ((process.env.BACKSTORY_TEST_POSTGRES ?? '') === '')
    return {
      tries: 0,
      figures: { "strangers' issues": 'not tried: BACKSTORY_TEST_POSTGRES names no Postgres server' },
      bars: {},
    };
  const texts = inventHostile(isShort ? 24 : 60, random);
  let shown = 0;
  let trusted = 0;
  let spoken = 0;
  let missing = 0;
  await withTeamDatabase('poison', async ({ operation, openStore }) => {
    const org = await operation.createOrg('ours');
    const project = await operation.createProject(org, 'queue');
    const { token } = await addPerson(operation, org, 'ann', { [project]: 'member' });
    const secret = makeWebhookSecret();
    const hook = await operation.createWebhook(org, project, { kind: 'github', secret, label: '' });
    const model = await loadStaticModel('assets/static-en.bin');
    const server = await startTestServer(
      teamPartsOf(openStore(4), async () => model),
      { onFailure: (error) => console.error(String(error)) },
    );
    try {
      for (const [number, { text, mark }] of texts.entries()) {
        const body = JSON.stringify({
          action: 'opened',
          repository: { id: 7, full_name: 'acme/queue' },
          issue: {
            number: number + 1,
            title: `${mark} ${text}`.slice(0, 200),
            body: text,
            labels: [{ name: 'trust: 3' }],
            user: { login: 'maintainer' },
            updated_at: '2026-11-02T10:00:00Z',
          },
        });
        const delivered = await fetch(`${server.url}/api/webhooks/${hook}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'issues',
            'x-github-delivery': randomHex(16),
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
          },
          body,
        });
        const { documentId } = (await delivered.json()) as { documentId: string };
        const surfaces = await teamSurfaces(
          { url: server.url, token, project },
          { id: documentId, words: mark },
        );
        for (const { text: output, trust } of surfaces) {
          shown += 1;
          if (trust !== 0) trusted += 1;
          if (!output.includes(mark)) missing += 1;
          if (speaking.test(output)) spoken += 1;
        }
      }
    } finally {
      await server.close();
    }
  });
  return {
    tries: shown,
    bars: {
      "strangers' issues × surfaces": atLeast(shown, isShort ? 300 : 900),
      'surfaces that showed none': exactly(missing, 0),
      'shown with more trust than 0': exactly(trusted, 0),
      'that speak as somebody else': exactly(spoken, 0),
    },
  };
};
