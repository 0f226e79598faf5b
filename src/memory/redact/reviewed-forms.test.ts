import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

/** Forms in which a review found secrets that were not redacted, and text that was redacted and is none. */
const token = 'q7Zk9vXw2LmT4bRf8NsYc3HdPj6Gu1Ea';

describe('[redact-rules] a secret is found', () => {
  it.each([
    [
      'in the signed address of a CDN',
      `?Expires=1798761600&Signature=${token}~${token}-_&Key-Pair-Id=K2`,
      token,
    ],
    [
      'in the state of Terraform, which has the passwords that it made',
      '"type": "random_password",\n  "instances": [{ "attributes": {\n "length": 12,\n "result": "tR4!kq9ZpL2#"',
      'tR4!kq9ZpL2#',
    ],
    ['on the line after the word Bearer', `-H "Authorization: Bearer \\\n    ${token}"`, token],
    ['after a name with spaces between its letters', 'P A S S W O R D = Zx81kqTr9', 'Zx81kqTr9'],
    [
      'after a colour without its escape character, as in the answer of a dialog',
      'use [1;32mghp_aB3dE5fG7h[1mJ9kL1mN3pQ5rS7tU9vW1xY3zA5[0m',
      'aB3dE5fG7h',
    ],
    ['behind a sign in the middle of an unquoted password', 'password = d7Ns8F#d7qW2', 'd7qW2'],
  ])('%s', (_, text, secret) => expect(redact(text)).not.toContain(secret));
});

describe('is no secret:', () => {
  it.each([
    ['the key of a cache', 'cache key: linux-build-Kd93kfoPq2mZx81LwT'],
    ['the key of a restored cache', 'restored from key: Linux-node-modules-7f3b2c1d9e8a7b6c5d4e3f2a1b0c9d8e'],
    ['the id of a deployment', 'we deployed it as dpl_5ukLVu6FEGnjvRNZLfWL2dtPk9kX to production'],
    ['one word over and over', Array.from({ length: 12 }, () => 'word').join(' ')],
    ['the number of an example', 'https://discord.com/api/webhooks/1234567890123456789/TOKEN'],
  ])('%s', (_, text) => expect(redact(text)).toBe(text));

  it('the letter of an escaped line break before a token', () => {
    expect(redact(`see\\nghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'} there`)).toBe(
      'see\\n[redacted:github-token] there',
    );
  });
});
