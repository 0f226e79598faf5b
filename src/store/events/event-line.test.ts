import { describe, expect, it } from 'vitest';
import { promptEvent } from '../../../test/support/sample-event.ts';
import { crc32 } from '../../base/hash.ts';
import { decodeLine, encodeEvent, encodeEventIn, encodeForgotten, lineState } from './event-line.ts';

const event = promptEvent('häufig');
const line = Buffer.from(encodeEvent(event).trimEnd());
/** Any text with the checksum of a line. */
const summed = (text: string): Buffer =>
  Buffer.from(`${text},"sum":"${crc32(Buffer.from(text)).toString(16).padStart(8, '0')}"}`);

describe('a line of the log', () => {
  it.each([0, 1, 50])('is padded by %i bytes to a given length, and means the same', (more) => {
    const length = line.length + 1 + more;
    const padded = Buffer.from(encodeEventIn(event, length) ?? '');
    expect(padded).toHaveLength(length);
    expect(decodeLine(padded.subarray(0, -1))).toEqual({ kind: 'event', event });
    expect(encodeEventIn(event, line.length)).toBeUndefined();
  });

  it('of a forgotten event has its id and a given length', () => {
    const text = encodeForgotten(event.id, 300);
    expect(text).toHaveLength(300);
    expect(decodeLine(Buffer.from(text.trimEnd()))).toEqual({ kind: 'forgotten', id: event.id });
  });

  it.each([
    ['empty', ''],
    ['damaged', 'x'],
    ['damaged', ',"sum":"00000000"}'],
    ['damaged', '{"v":1}'],
  ])('is %s: %j', (kind, text) => {
    expect(decodeLine(Buffer.from(text))).toEqual({ kind });
  });

  it('is damaged if it is no event, though its checksum matches', () => {
    expect(decodeLine(summed('{"v":'))).toEqual({ kind: 'damaged' });
    expect(decodeLine(summed(''))).toEqual({ kind: 'damaged' });
  });

  it.each([
    ['intact', line],
    ['intact', summed('{')],
    ['damaged', summed('')],
    ['torn', Buffer.from('')],
    ['torn', Buffer.from('{')],
    ['torn', Buffer.from('{"v":1,"text":"a')],
    ['damaged', Buffer.from('x')],
    ['damaged', Buffer.from('{"w":1,"text":"a')],
    ['damaged', Buffer.from(`${line.toString().slice(0, -1)}x`)],
    // Each of these once had an end, or what JSON escapes.
    ['damaged', Buffer.from(`{"v":1,"sum":"12345678"}${'x'.repeat(30)}`)],
    ['damaged', Buffer.from(`${'{"v":1,"a":"'.padEnd(40, 'x')}0123abcd"}`)],
    ['damaged', Buffer.from('{"v":1,\u0001"text":"a')],
    ['damaged', Buffer.from('{"v":1,"text":"a and so on"}')],
  ] as const)('is %s by its bytes', (state, bytes) => {
    expect(lineState(bytes)).toBe(state);
  });
});
