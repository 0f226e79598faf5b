import { describe, expect, it } from 'vitest';
import { inventedLiteral, withoutValues } from './literals.ts';

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

it('sentences that differ only in their values are the same without them', () => {
  expect(withoutValues('the timeout is 30 seconds')).toBe(withoutValues('the timeout is 2 minutes'));
  expect(withoutValues('use `npm` here')).toBe(withoutValues('use `pnpm` here'));
  expect(withoutValues('10 retries')).not.toBe(withoutValues('10 workers'));
});
