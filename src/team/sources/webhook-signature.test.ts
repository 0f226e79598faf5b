import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isWebhookSecret, makeWebhookSecret, verifiedDelivery } from './webhook-signature.ts';

const deliver = (headers: Record<string, string>, body: string) => ({
  header: (name: string) => headers[name],
  body: Buffer.from(body),
});

describe('A signature', () => {
  it('matches the example in GitHub’s documentation', () => {
    const secret = "It's a Secret to Everybody";
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const given = (own: string, body = 'Hello, World!') =>
      verifiedDelivery('github', secret, deliver({ 'x-hub-signature-256': own }, body), 0);
    expect(given(signature)).toBe(signature);
    expect(given(signature, 'Hello, World?')).toBeUndefined();
    expect(given(signature.slice('sha256='.length))).toBeUndefined();
    expect(given(signature.slice(0, -1))).toBeUndefined();
    expect(given('')).toBeUndefined();
  });

  it('matches the example in the test suite of the Standard Webhooks libraries', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const now = 1_614_265_330_000;
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const given = (own: Record<string, string> = {}, at = now, kind: 'signed' | 'gitlab' = 'signed') =>
      verifiedDelivery(kind, secret, deliver({ ...headers, ...own }, '{"test": 2432232314}'), at);
    expect(given()).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(given({}, now, 'gitlab')).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
    expect(given({ 'webhook-signature': `v1a,x ${headers['webhook-signature']} v2,y` })).toBeDefined();
    expect(given({}, now + 300_000)).toBeDefined();
    expect(given({}, now + 301_000)).toBeUndefined();
    expect(given({}, now - 301_000)).toBeUndefined();
    expect(given({ 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJel' })).toBeUndefined();
    expect(given({ 'webhook-signature': headers['webhook-signature'].slice(3) })).toBeUndefined();
  });

  it('of Linear covers the time in the body, and of Jira the body alone', () => {
    // Computed with: printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET"
    const secret = 'lin_wh_0123456789abcdefghijklmnopqrstuvwxyz';
    const body = '{"action":"create","webhookTimestamp":1764000000000}';
    const hex = 'ef8baec704f7ae4f477efa91d7458eecb3f6d040b3743ecfdf59a6eb03e8f504';
    const now = 1_764_000_000_000;
    const linear = (signature: string, at = now, text = body) =>
      verifiedDelivery('linear', secret, deliver({ 'linear-signature': signature }, text), at);
    expect(linear(hex)).toBe(hex);
    expect(linear(hex, now + 300_000)).toBe(hex);
    expect(linear(hex, now + 300_001)).toBeUndefined();
    expect(linear(hex, now - 300_001)).toBeUndefined();
    expect(linear(hex, now, body.replace('create', 'update'))).toBeUndefined();
    expect(linear(`sha256=${hex}`)).toBeUndefined();
    const jira = (signature: string, text = body) =>
      verifiedDelivery('jira', secret, deliver({ 'x-hub-signature': signature }, text), 0);
    expect(jira(`sha256=${hex}`)).toBe(`sha256=${hex}`);
    expect(jira(hex)).toBeUndefined();
    expect(jira(`sha1=${hex}`)).toBeUndefined();
    expect(jira(`sha256=${hex}`, `${body} `)).toBeUndefined();
  });

  it('of Linear without a time in the body is refused', () => {
    const secret = makeWebhookSecret();
    const hex = createHmac('sha256', secret).update('{}').digest('hex');
    expect(verifiedDelivery('linear', secret, deliver({ 'linear-signature': hex }, '{}'), 1e12)).toBe(
      undefined,
    );
  });

  it('is refused if the id contains the separator of the signed parts', () => {
    const secret = makeWebhookSecret();
    const split = deliver({ 'webhook-id': 'a.1', 'x-gitlab-token': secret }, '{}');
    expect(verifiedDelivery('gitlab', secret, split, 0)).toBeUndefined();
  });

  it('is made with a strong secret', () => {
    expect(isWebhookSecret('signed', makeWebhookSecret())).toBe(true);
    expect(isWebhookSecret('gitlab', 'whsec_short')).toBe(false);
    expect(isWebhookSecret('signed', 'x'.repeat(64))).toBe(false);
    for (const kind of ['github', 'linear', 'jira'] as const) {
      expect(isWebhookSecret(kind, 'x'.repeat(31))).toBe(false);
      expect(isWebhookSecret(kind, 'x'.repeat(32))).toBe(true);
    }
  });
});
