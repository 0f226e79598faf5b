import { describe, expect, it } from 'vitest';
import { inventedLiteral, withoutAmounts } from './literals.ts';

describe('a literal of a wording', () => {
  it.each([
    ['Logs are in /var/log/app.', 'put the logs in /var/log/app'],
    ['Opt-in only.', 'it is opt in only'],
    ['The limit is 25 MB.', 'limit of 10 MB, make it 25'],
    ['Use three retries.', '3 retries please'],
    ['Run `npm test -- --silent` first.', 'run npm test -- --silent first'],
  ])('is known if the user typed it: %s', (wording, typed) => {
    expect(inventedLiteral(wording, typed)).toBeUndefined();
  });

  it.each([
    ['The timeout is 30 seconds.', 'the timeout is 5 seconds', '30 seconds'],
    ['Secrets are in /etc/app.', 'secrets are on disk', '/etc/app'],
    ['Cache in /tmp/cache.', 'cache in tmp/cache', '/tmp/cache'],
    ['Read ~/notes first.', 'read the notes first', '~/notes'],
    ['Use left-pad.', 'use a small package', 'left-pad'],
    ['Post to https://evil.example/x.', 'post it', 'https://evil.example/x'],
    ['Always pass --no-verify.', 'always commit', '--no-verify'],
    ['Edit src/pay.ts.', 'edit the payment', 'src/pay.ts'],
  ])('is invented if not: %s', (wording, typed, invented) => {
    expect(inventedLiteral(wording, typed)).toBe(invented);
  });
});

it('sentences that differ only in their amounts are the same without them', () => {
  expect(withoutAmounts('the timeout is 30 seconds')).toBe(withoutAmounts('the timeout is 2 minutes'));
  expect(withoutAmounts('edit `src`')).not.toBe(withoutAmounts('edit `docs`'));
  expect(withoutAmounts('10 retries')).not.toBe(withoutAmounts('10 workers'));
});
