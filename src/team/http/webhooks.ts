import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { parseObject } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import type { RouteShape } from '../../http/route.ts';
import type { TeamParts } from '../parts.ts';
import { applyChange } from '../sources/apply-change.ts';
import { changeFromGitHub } from '../sources/github-webhook.ts';
import { changeFromGitLab } from '../sources/gitlab-webhook.ts';
import { changeOf } from '../sources/lifecycle.ts';
import { makeWebhookSecret, verifiedDelivery } from '../sources/webhook-signature.ts';
import type { WebhookKind } from '../store/team-sources.ts';
import type { TeamBindings } from './app.ts';
import { createAttempts } from './callers.ts';
import { lifecycleShape } from './lifecycle.ts';
import type { Limits } from './limits.ts';
import { uuidShape } from './shapes.ts';
import type { Uploads } from './uploads.ts';

/**
 * Where forges and trackers tell of changes. They bring no token; a signature over the very bytes they send stands in
 * its place. A webhook that is not there, one that was removed and a signature that is wrong get the same answer.
 */
const delivered = {
  method: 'POST',
  path: '/api/webhooks/:webhook',
  summary:
    'Takes a delivery of GitHub, GitLab, or in the form of Standard Webhooks what POST /api/projects/:id/lifecycle takes; signed instead of with a token.',
  asks: z.object({ webhook: uuidShape }),
} satisfies RouteShape;

/** Told in the OpenAPI document beside those that take a token. */
export const webhookRoutes: RouteShape[] = [delivered];

/** An issue of GitHub has at most 64 KB; what comes with it is less. */
const maxDeliveryLength = 1024 * 1024;
/** So that asking for a webhook that is not there takes as long as for one that is. */
const nobodysSecret = makeWebhookSecret();

export function addWebhooks(
  app: Hono<{ Bindings: TeamBindings }>,
  { parts, limits, uploads, clock }: { parts: TeamParts; limits: Limits; uploads: Uploads; clock: Clock },
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  const attempts = createAttempts(clock);
  const received = async (context: Context): Promise<Response> => {
    const address = (context.env as TeamBindings | undefined)?.address ?? '';
    const id = uuidShape.safeParse(context.req.param('webhook')).data ?? '';
    // Who sends it is not known until the last byte has come, since the signature is over all of them.
    const terms = { maxBytes: maxDeliveryLength, unauthenticated: [`address ${address}`, `webhook ${id}`] };
    return uploads.receive(context.req.raw, terms, (body) => {
      const inTurn = attempts.isVerified(id) ? limits.inTurn : limits.lookUp;
      return inTurn(() => taken(context, { id, address, body }));
    });
  };
  const taken = async (
    context: Context,
    { id, address, body }: { id: string; address: string; body: Uint8Array },
  ): Promise<Response> => {
    const webhook = id === '' ? undefined : await parts.store.webhooks.find(id);
    const delivery = verifiedDelivery(
      webhook?.kind ?? 'github',
      webhook?.secret ?? nobodysSecret,
      { header: (name) => context.req.header(name), body },
      clock.now(),
    );
    if (webhook === undefined || delivery === undefined) throw refuse(attempts.failed(address));
    attempts.verified(id);
    // Only signed deliveries count: nobody else can use up the rate of a webhook whose id they know.
    limits.spend(`webhook ${id}`);
    const change = changeIn(webhook.kind, context, new TextDecoder().decode(body));
    try {
      // A ping, or something that is nobody's memory: written down as a delivery, and nothing more.
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
      // Removed between the two questions.
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw refuse(error);
      throw error;
    }
  };
  app.post(delivered.path, (context) => measured(`POST ${delivered.path}`, () => received(context)));
}

function changeIn(kind: WebhookKind, { req }: Context, body: string): SourceChange | undefined {
  const payload = parseObject(body);
  if (payload === undefined)
    throw new AppError('INVALID_ARGUMENT', 'the body is not a JSON object', {
      hint: 'Choose application/json as the content type of the webhook',
    });
  if (kind === 'github') return changeFromGitHub(req.header('x-github-event') ?? '', payload);
  if (kind === 'gitlab') return changeFromGitLab(payload);
  const told = lifecycleShape.safeParse(payload);
  if (told.success) return changeOf(told.data);
  throw new AppError('INVALID_ARGUMENT', z.prettifyError(told.error), {
    hint: 'The body is that of POST /api/projects/:id/lifecycle',
  });
}

/** One refusal, whatever was wrong; an address that fails too often is told to wait. */
const refuse = (cause: AppError): AppError =>
  cause.code === 'RATE_LIMITED'
    ? new AppError('RATE_LIMITED', 'too many deliveries with a wrong signature', {
        hint: 'Try again in a minute',
        retryable: true,
        cause,
      })
    : new AppError('UNAUTHORIZED', 'no webhook takes this delivery', {
        hint: 'backstory team webhook list; is its secret the one that was shown?',
        cause,
      });

const answer = (value: object): Response =>
  Response.json(value, { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });
