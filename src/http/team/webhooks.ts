import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { parseObject } from '../../base/json.ts';
import type { SourceChange } from '../../domain/source-change.ts';
import type { WebhookKind } from '../../store/team-sources.ts';
import { changeFromGitHub } from '../../team/github-webhook.ts';
import { changeFromGitLab } from '../../team/gitlab-webhook.ts';
import { changeOf } from '../../team/lifecycle.ts';
import type { TeamParts } from '../../team/parts.ts';
import { takeChange } from '../../team/take-change.ts';
import { makeWebhookSecret, verifiedDelivery } from '../../team/webhook-signature.ts';
import { brokenOff } from '../read-asked.ts';
import type { RouteShape } from '../route.ts';
import type { TeamBindings } from './app.ts';
import { lifecycleShape } from './lifecycle.ts';
import type { Limits } from './limits.ts';
import { uuidShape } from './shapes.ts';
import { createStrangers } from './strangers.ts';

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
const longestDelivery = 1024 * 1024;
/** So that asking for a webhook that is not there takes as long as for one that is. */
const nobodysSecret = makeWebhookSecret();

export function addWebhooks(
  app: Hono<{ Bindings: TeamBindings }>,
  { parts, limits, clock }: { parts: TeamParts; limits: Limits; clock: Clock },
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  const strangers = createStrangers(clock);
  const received = async (context: Context): Promise<Response> => {
    const address = (context.env as TeamBindings | undefined)?.address ?? '';
    const id = uuidShape.safeParse(context.req.param('webhook')).data ?? '';
    strangers.check(address, id);
    limits.spend(`webhook ${id}`);
    // Not known until the last byte has come, since the signature is over all of them.
    return limits.holding(
      lengthOf(context),
      async () => {
        const body = await bodyOf(context);
        return limits.inTurn(() => taken(context, { id, address, body }));
      },
      true,
    );
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
    if (webhook === undefined || delivery === undefined) throw refuse(strangers.refuse(address));
    strangers.know(id);
    const change = changeIn(webhook.kind, context, new TextDecoder().decode(body));
    try {
      // A ping, or something that is nobody's memory: written down as a delivery, and nothing more.
      if (change === undefined) {
        await parts.store.webhooks.deliver(id, delivery, async () => {});
        return answer({ outcome: 'ignored' });
      }
      const { outcome, documentId } = await takeChange(
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

const tooLong = () =>
  new AppError('INVALID_ARGUMENT', 'the body is too long', { hint: 'At most 1 MB in one delivery' });

/** Forges send in chunks too: those could be of any length. */
function lengthOf({ req }: Context): number {
  const bytes = Number(req.header('content-length') ?? longestDelivery);
  if (bytes <= longestDelivery) return bytes;
  throw tooLong();
}

/** Read only as far as it may be long, whatever it says of itself. */
async function bodyOf({ req }: Context): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of req.raw.body ?? []) {
      length += part.length;
      if (length > longestDelivery) throw tooLong();
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof AppError ? error : brokenOff(error);
  }
  return Buffer.concat(parts);
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

/** One refusal, whatever was wrong. */
const refuse = (cause: AppError): AppError =>
  new AppError('UNAUTHORIZED', 'no webhook takes this delivery', {
    hint: 'backstory team webhook list; is its secret the one that was shown?',
    cause,
  });

const answer = (value: object): Response =>
  Response.json(value, { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });
