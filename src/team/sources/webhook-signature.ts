import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomHex } from '../../base/ids.ts';
import { parseObject, whole } from '../../base/json.ts';
import type { WebhookKind } from '../store/team-sources.ts';

const prefix = 'whsec_';

/** Makes a secret of 256 random bits in the format of Standard Webhooks and GitLab. The others accept any text. */
export const makeWebhookSecret = (): string =>
  `${prefix}${Buffer.from(randomHex(32), 'hex').toString('base64')}`;

/** Whether a secret given by the operator is strong enough. Only GitLab and Standard Webhooks prescribe its format. */
export const isWebhookSecret = (kind: WebhookKind, secret: string): boolean =>
  kind === 'gitlab' || kind === 'signed'
    ? /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(secret)
    : secret.length >= 32;

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
  if (kind === 'github') return signedBody(secret, body, header('x-hub-signature-256'), 'sha256=');
  if (kind === 'jira') return signedBody(secret, body, header('x-hub-signature'), 'sha256=');
  if (kind === 'linear') {
    const signature = signedBody(secret, body, header('linear-signature'), '');
    return signature !== undefined && isRecent(sentAt(body), now) ? signature : undefined;
  }
  if (kind === 'gitlab' && header('webhook-signature') === undefined) {
    const id = header('webhook-id') ?? header('idempotency-key') ?? header('x-gitlab-event-uuid');
    const isAuthentic = isSame(header('x-gitlab-token') ?? '', secret);
    return isAuthentic && isId(id) ? id : undefined;
  }
  return standardDelivery(secret, { header, body }, now);
}

/** A signature of the body alone identifies the delivery, because other headers are not signed. */
function signedBody(secret: string, body: Uint8Array, signature = '', scheme: string): string | undefined {
  const expected = `${scheme}${createHmac('sha256', secret).update(body).digest('hex')}`;
  return isSame(signature, expected) ? expected : undefined;
}

/** The time at which Linear sent a delivery, in milliseconds. It is in the body, because the header is not signed. */
const sentAt = (body: Uint8Array): number =>
  whole(parseObject(new TextDecoder().decode(body))?.webhookTimestamp);

const isRecent = (at: number, now: number): boolean => Math.abs(at - now) <= clockToleranceMs;

/** Standard Webhooks with a symmetric key, which signs `webhook-id`, `webhook-timestamp` and the body. */
function standardDelivery(secret: string, { header, body }: Delivery, now: number): string | undefined {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp') ?? '';
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // There are several signatures, separated by spaces, while a secret is being rotated.
  const signatures = (header('webhook-signature') ?? '').split(' ').slice(0, 10);
  const isAuthentic = signatures.map((one) => isSame(one, `v1,${expected}`)).includes(true);
  const isInTime = /^\d{1,12}$/.test(timestamp) && isRecent(Number(timestamp) * 1_000, now);
  return isAuthentic && isInTime && isId(id) ? id : undefined;
}

/** An id has no full stop, which separates the signed parts: otherwise a part of the body could be moved into the id. */
const isId = (id: string | undefined): id is string => /^[^.\s]{1,200}$/.test(id ?? '');

/** Compares in constant time. Both texts are hashed first, because `timingSafeEqual` needs equal lengths. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', comparisonKey).update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}
const comparisonKey = randomHex(32);
