import { describe, expect, test } from 'vitest';
import {
  type AuthorshipLog,
  keysOfLine,
  maxNoteLength,
  parseAuthorshipLog,
  recordOf,
} from './authorship-log.ts';

const metadata = (fields: object = {}) =>
  JSON.stringify({
    schema_version: 'authorship/3.0.0',
    base_commit_sha: 'a'.repeat(40),
    prompts: {},
    ...fields,
  });
const read = (text: string) => parseAuthorshipLog(text) as AuthorshipLog;

describe('parseAuthorshipLog', () => {
  test('reads all three kinds of keys, and quoted paths', () => {
    const log = read(
      `src/a.ts\n  s_0123456789abcd::t_0123456789abcd 1-3,7\n  h_0123456789abcd 9\n"my file.ts"\n  0123456789abcdef 2\n---\n${metadata(
        {
          prompts: { '0123456789abcdef': { agent_id: { tool: 'cursor' } } },
          sessions: { s_0123456789abcd: { agent_id: { tool: 'claude' } } },
        },
      )}`,
    );
    expect(keysOfLine(log, 'src/a.ts', 7)).toEqual(['s_0123456789abcd::t_0123456789abcd']);
    expect(keysOfLine(log, 'src/a.ts', 8)).toEqual([]);
    expect(keysOfLine(log, 'src/a.ts', 9)).toEqual(['h_0123456789abcd']);
    expect(recordOf(log, 's_0123456789abcd::t_0123456789abcd')).toEqual({ agent_id: { tool: 'claude' } });
    expect(recordOf(log, keysOfLine(log, 'my file.ts', 2)[0] as string)).toEqual({
      agent_id: { tool: 'cursor' },
    });
    expect(log.problems).toEqual([]);
  });

  test('reads a note without attestations', () => {
    expect(read(`---\n${metadata()}`).files.size).toBe(0);
  });

  test.each([
    ['no divider line', 'src/a.ts\n  0123456789abcdef 1\n'],
    ['metadata is not a JSON object', '---\n[1]'],
    ['metadata is not a JSON object', `---\n${'['.repeat(500_000)}`],
    ['another schema version', `---\n${JSON.stringify({ schema_version: 'authorship/9.0.0' })}`],
    ['too large', 'x'.repeat(maxNoteLength + 1)],
  ])('refuses a note with the reason: %s', (reason, text) => {
    expect(parseAuthorshipLog(text)).toBe(reason);
  });

  test('skips wrong ranges and lines, and says so', () => {
    const log = read(
      `a.ts\n  0123456789abcdef 0,5-3,1e9,99999999999,4,-1\n   0123456789abcdef 1\n  constructor 1\n---\n${metadata()}`,
    );
    expect(log.files.get('a.ts')).toEqual([{ key: '0123456789abcdef', ranges: [{ from: 4, to: 4 }] }]);
    expect(log.problems).toEqual([
      'a range that is none',
      'a line that is no attestation',
      'a line that is no attestation',
    ]);
  });

  test('treats the names of prototypes as keys like any other', () => {
    const log = read(
      `__proto__\n  0123456789abcdef 1\n---\n{"schema_version":"authorship/3.0.0","prompts":{"__proto__":{"agent_id":{"tool":"x"}},"constructor":{}}}`,
    );
    expect(keysOfLine(log, '__proto__', 1)).toEqual(['0123456789abcdef']);
    expect(recordOf(log, '0123456789abcdef')).toBeUndefined();
    expect(({} as Record<string, unknown>).agent_id).toBeUndefined();
  });

  test('stops at a number of ranges that no person writes', () => {
    const log = read(`a.ts\n  0123456789abcdef ${Array(300_000).fill('1').join(',')}\n---\n${metadata()}`);
    expect(log.files.size).toBe(0);
    expect(log.problems).toEqual(['more ranges than are read']);
  });
});
