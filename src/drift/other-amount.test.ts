import { describe, expect, it } from 'vitest';
import { otherAmountInCode } from './other-amount.ts';

const heartbeat = { topic: 'listener heartbeat', text: 'The listener sends a heartbeat every 25 seconds.' };

describe('otherAmountInCode', () => {
  it('returns the number that the code has instead', () => {
    expect(otherAmountInCode(heartbeat, ['const heartbeatMs = 20_000;'])).toBe('20_000');
    expect(otherAmountInCode(heartbeat, ['const HEARTBEAT = 20 * 1000;'])).toBe('20 * 1000');
    expect(
      otherAmountInCode({ topic: 'upload limit', text: 'Uploads are limited to 10 MB.' }, [
        'upload_limit_mb: 25',
      ]),
    ).toBe('25');
  });

  it.each(['const heartbeatMs = 25_000;', 'const HEARTBEAT_SECONDS = 25;', 'heartbeat: 25 * 1000,'])(
    'accepts the same amount in another unit: %s',
    (line) => {
      expect(otherAmountInCode(heartbeat, [line])).toBeUndefined();
    },
  );

  it.each([
    ['reads no line about something else', ['const retryDelayMs = 500;']],
    ['reads no comment', ['// heartbeat was 20000 before', 'start(heartbeat);']],
    ['does not choose between several numbers', ['heartbeat(3, 20_000)']],
    ['does not choose between several lines', ['heartbeatMin = 5;', 'heartbeatMax = 60;']],
  ])('%s', (_, lines) => {
    expect(otherAmountInCode(heartbeat, lines)).toBeUndefined();
  });

  it('says nothing about a statement with two amounts or none', () => {
    const code = ['const heartbeatMs = 20_000;'];
    expect(
      otherAmountInCode({ topic: 'heartbeat', text: '25 seconds, was 5 seconds' }, code),
    ).toBeUndefined();
    expect(otherAmountInCode({ topic: 'heartbeat', text: 'keep the heartbeat' }, code)).toBeUndefined();
  });
});
