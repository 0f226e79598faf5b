import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomHex } from '../../base/ids.ts';
import type { WebhookKind } from '../store/team-sources.ts';

const prefix = 'whsec_';

/** As Standard Webhooks and GitLab want one: 256 random bits. GitHub takes any text. */
export const makeWebhookSecret = (): string =>
  `${prefix}${Buffer.from(randomHex(32), 'hex').toString('base64')}`;

/** Whether a secret that a forge made can be used; GitHub leaves the choice to people. */
export const isWebhookSecret = (kind: WebhookKind, secret: string): boolean =>
  kind === 'github' ? secret.length >= 32 : /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret);

export interface Delivery {
  /** Of a header, in small letters. */
  header(name: string): string | undefined;
  /** Exactly as it came: a signature is over bytes. */
  body: Uint8Array;
}

/** How far the clocks of two machines may be apart, as the standard says. */
const toleranceMs = 5 * 60_000;

/**
 * By what the delivery is known again, if its signature is good; else undefined. What is remembered is something
 * that was signed wherever the form signs it, so that nobody can send a delivery again under another name.
 */
export function verifiedDelivery(
  kind: WebhookKind,
  secret: string,
  { header, body }: Delivery,
  now: number,
): string | undefined {
  if (kind === 'github') {
    const signature = header('x-hub-signature-256') ?? '';
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return isSame(signature, expected) ? expected : undefined;
  }
  if (kind === 'gitlab' && header('webhook-signature') === undefined) {
    const id = header('webhook-id') ?? header('idempotency-key') ?? header('x-gitlab-event-uuid');
    const isKnown = isSame(header('x-gitlab-token') ?? '', secret);
    return isKnown && isId(id) ? id : undefined;
  }
  return standardDelivery(secret, { header, body }, now);
}

/** Standard Webhooks, symmetric: `webhook-id`, `webhook-timestamp` and the body, each signed. */
function standardDelivery(secret: string, { header, body }: Delivery, now: number): string | undefined {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp') ?? '';
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // Several, separated by spaces, while a secret is being changed.
  const given = (header('webhook-signature') ?? '').split(' ').slice(0, 10);
  const isGood = given.map((one) => isSame(one, `v1,${expected}`)).includes(true);
  const isNow = /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - now) <= toleranceMs;
  return isGood && isNow && isId(id) ? id : undefined;
}

/** Without a full stop, which stands between what is signed: elsewhere it would be another id and another body. */
const isId = (id: string | undefined): id is string => /^[^.\s]{1,200}$/.test(id ?? '');

/** In a time that says nothing about how much of it was right. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', comparing).update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
/** Any key: two texts of different lengths become two hashes of the same. */
const comparing = randomHex(32);
