import type { Context } from 'hono';
import { z } from 'zod';
import { invalidInput } from '../../api/request-input.ts';
import type { RouteShape } from '../../api/route.ts';
import { AppError } from '../../base/errors.ts';
import { parseObject } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { applyChange } from '../sources/apply-change.ts';
import { changeFromGitHub } from '../sources/github-webhook.ts';
import { changeFromGitLab } from '../sources/gitlab-webhook.ts';
import { changeFromJira } from '../sources/jira-webhook.ts';
import { changeOf, lifecycleShape } from '../sources/lifecycle.ts';
import { changeFromLinear } from '../sources/linear-webhook.ts';
import { makeWebhookSecret, verifiedDelivery } from '../sources/webhook-signature.ts';
import type { WebhookKind } from '../store/team-sources.ts';
import { createKnown } from './callers.ts';
import { addressOf, type OpenRouteParts } from './route.ts';
import { uuidShape } from './shapes.ts';

/**
 * Webhook deliveries of code hosts such as GitHub and of issue trackers. They have no token; a signature of the raw
 * body authenticates them. An unknown webhook, a removed webhook and a wrong signature get the same response.
 */
const delivered = {
  method: 'POST',
  path: '/api/v1/webhooks/:webhook',
  alias: '/api/webhooks/:webhook',
  name: 'deliverWebhook',
  answers: teamAnswers.delivered,
  summary:
    'Accepts a delivery of GitHub, GitLab, Linear or Jira, or the body of POST /api/v1/projects/:id/lifecycle signed according to Standard Webhooks. Authenticated by its signature instead of a token.',
  params: z.object({ webhook: uuidShape }),
} satisfies RouteShape;

export const webhookRoutes: RouteShape[] = [delivered];

/** Ample: an issue on GitHub has at most 64 KB of text, and the rest of a webhook's payload is smaller. */
const maxDeliveryBytes = 1024 * 1024;
/**
 * For an unknown webhook, the signature is compared with one made from this secret, so that response times do not
 * reveal which webhooks exist.
 */
const dummySecret = makeWebhookSecret();

export function addWebhooks({ parts, limits, uploads, on }: OpenRouteParts): void {
  const known = createKnown(parts.clock);
  const receive = async (context: Context): Promise<Response> => {
    const id = uuidShape.safeParse(context.req.param('webhook')).data ?? '';
    // The sender is unauthenticated until the whole body has arrived, because the signature covers all of it.
    const terms = {
      maxBytes: maxDeliveryBytes,
      unauthenticated: [`address ${addressOf(context)}`, `webhook ${id}`],
    };
    return uploads.receive(context.req.raw, terms, (body) => {
      const inTurn = known.has(id) ? limits.inTurn : limits.lookUp;
      return inTurn(() => processDelivery(context, id, body));
    });
  };
  const processDelivery = async (context: Context, id: string, body: Uint8Array): Promise<Response> => {
    const webhook = id === '' ? undefined : await parts.store.webhooks.find(id);
    const delivery = verifiedDelivery(
      webhook?.kind ?? 'github',
      webhook?.secret ?? dummySecret,
      { header: (name) => context.req.header(name), body },
      parts.clock.now(),
    );
    if (webhook === undefined || delivery === undefined) throw refused();
    known.add(id);
    // Charge only signed deliveries, so that nobody who merely knows the id can use up a webhook's rate limit.
    limits.spend(`webhook ${id}`);
    const change = changeIn(webhook.kind, context, new TextDecoder().decode(body));
    try {
      // The delivery contains nothing to remember, such as a ping: only record it.
      if (change === undefined) {
        await parts.store.webhooks.deliver(id, delivery, async () => {});
        return answer({ outcome: 'ignored' });
      }
      const { outcome, documentId } = await applyChange(
        parts,
        webhook.project,
        webhook.kind === 'signed' ? 'webhook' : webhook.kind,
        change,
        (work) => parts.store.webhooks.deliver(id, delivery, work),
      );
      return answer({ outcome, documentId });
    } catch (error) {
      // The webhook was removed after it was looked up: respond as for an unknown one.
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw refused();
      throw error;
    }
  };
  on(delivered, receive);
}

function changeIn(kind: WebhookKind, { req }: Context, body: string): SourceChange | undefined {
  const payload = parseObject(body);
  if (payload === undefined)
    throw new AppError('INVALID_ARGUMENT', 'the body is not a JSON object', {
      hint: 'Choose application/json as the content type of the webhook',
    });
  if (kind === 'github') return changeFromGitHub(req.header('x-github-event') ?? '', payload);
  if (kind === 'gitlab') return changeFromGitLab(payload);
  if (kind === 'linear') return changeFromLinear(payload);
  if (kind === 'jira') return changeFromJira(payload);
  const parsed = lifecycleShape.safeParse(payload);
  if (parsed.success) return changeOf(parsed.data);
  throw invalidInput(parsed.error, 'Send the body of POST /api/v1/projects/:id/lifecycle');
}

/** One error for an unknown webhook and for a wrong signature, so that callers cannot test which ids exist. */
const refused = (): AppError =>
  new AppError('UNAUTHORIZED', 'unknown webhook or wrong signature', {
    hint: 'Check the URL and the secret: backstory team webhook list',
  });

const answer = (value: object): Response =>
  Response.json(value, { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });
