import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomHex } from '../../base/ids.ts';
import type { WebhookKind } from '../store/team-sources.ts';

const prefix = 'whsec_';

/** Makes a secret of 256 random bits in the format of Standard Webhooks and GitLab. GitHub accepts any text. */
export const makeWebhookSecret = (): string =>
  `${prefix}${Buffer.from(randomHex(32), 'hex').toString('base64')}`;

/** Whether a secret given by the operator is strong enough. On GitHub, people choose it freely. */
export const isWebhookSecret = (kind: WebhookKind, secret: string): boolean =>
  kind === 'github' ? secret.length >= 32 : /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret);

export interface Delivery {
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** The raw body, because the signature covers its bytes. */
  body: Uint8Array;
}

/** Maximum clock difference, as recommended by Standard Webhooks. */
const clockToleranceMs = 5 * 60_000;

/**
 * Returns an id that identifies the delivery, or undefined if its signature is not valid. Where the format signs an id,
 * the id is the signed one, so that a delivery cannot be replayed under another id.
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
    const isAuthentic = isSame(header('x-gitlab-token') ?? '', secret);
    return isAuthentic && isId(id) ? id : undefined;
  }
  return standardDelivery(secret, { header, body }, now);
}

/** Standard Webhooks with a symmetric key, which signs `webhook-id`, `webhook-timestamp` and the body. */
function standardDelivery(secret: string, { header, body }: Delivery, now: number): string | undefined {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp') ?? '';
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // There are several signatures, separated by spaces, while a secret is being rotated.
  const signatures = (header('webhook-signature') ?? '').split(' ').slice(0, 10);
  const isAuthentic = signatures.map((one) => isSame(one, `v1,${expected}`)).includes(true);
  const isRecent =
    /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - now) <= clockToleranceMs;
  return isAuthentic && isRecent && isId(id) ? id : undefined;
}

/** An id has no full stop, which separates the signed parts: otherwise a part of the body could be moved into the id. */
const isId = (id: string | undefined): id is string => /^[^.\s]{1,200}$/.test(id ?? '');

/** Compares in constant time. Both texts are hashed first, because `timingSafeEqual` needs equal lengths. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', comparisonKey).update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
const comparisonKey = randomHex(32);
