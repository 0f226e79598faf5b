import { describe, expect, test } from 'vitest';
import {
  type AuthorshipLog,
  formatAuthorshipLog,
  formatRanges,
  isAttestablePath,
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
    ['no divider line', 'x'.repeat(maxNoteLength)],
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

  test('has the records that are objects, lines up to ten million, and the first twenty problems', () => {
    const prompts = { a: { x: 1 }, b: { x: 2 }, c: 3 };
    const log = read(
      `a.ts\n  0123456789abcdef 10000000,10000001\n${'  x\n'.repeat(30)}---\n${metadata({ prompts })}`,
    );
    expect(log.files.get('a.ts')?.[0]?.ranges).toEqual([{ from: 10_000_000, to: 10_000_000 }]);
    expect([...log.records.prompts]).toEqual([
      ['a', { x: 1 }],
      ['b', { x: 2 }],
    ]);
    expect(log.problems).toHaveLength(20);
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

describe('formatAuthorshipLog', () => {
  const log: AuthorshipLog = {
    files: new Map([
      [
        'src/b c.ts',
        [
          {
            key: 'h_0123456789abcd',
            ranges: [
              { from: 1, to: 3 },
              { from: 7, to: 7 },
            ],
          },
        ],
      ],
      ['src/a.ts', [{ key: '0123456789abcdef', ranges: [{ from: 2, to: 2 }] }]],
    ]),
    records: {
      prompts: new Map([
        ['b', { x: 1 }],
        ['a', { x: 2 }],
      ]),
      sessions: new Map(),
      humans: new Map(),
    },
    metadata: { prompts: { old: 1 }, base_commit_sha: 'old', note: 'kept' },
    problems: [],
  };
  const lines = (more: Partial<AuthorshipLog['records']> = {}) =>
    formatAuthorshipLog({ ...log, records: { ...log.records, ...more } }, 'c0').split('\n');

  test('writes files and records in a fixed order, and other metadata as it was', () => {
    expect(lines().slice(0, 5)).toEqual([
      'src/a.ts',
      '  0123456789abcdef 2',
      '"src/b c.ts"',
      '  h_0123456789abcd 1-3,7',
      '---',
    ]);
    const written = JSON.parse(lines().slice(5).join('\n'));
    expect(written).toEqual({
      schema_version: 'authorship/3.0.0',
      note: 'kept',
      base_commit_sha: 'c0',
      prompts: { a: { x: 2 }, b: { x: 1 } },
    });
    expect(Object.keys(written.prompts)).toEqual(['a', 'b']);
    expect(read(lines().join('\n')).files).toEqual(log.files);
  });

  test('names sessions and people only if there are some', () => {
    const kinds = (more: Partial<AuthorshipLog['records']>) =>
      Object.keys(JSON.parse(lines(more).slice(5).join('\n'))).slice(4);
    expect(kinds({})).toEqual([]);
    expect(kinds({ sessions: new Map([['s', {}]]) })).toEqual(['sessions']);
    expect(kinds({ humans: new Map([['h', {}]]) })).toEqual(['humans']);
  });

  test.each([
    ['src/a b.ts', true],
    ['---', false],
    ['a"b', false],
    [' a', false],
    ['a\nb', false],
  ])('cannot express every path: %j, %s', (path, expected) => {
    expect(isAttestablePath(path)).toBe(expected);
    expect(
      formatRanges([
        { from: 4, to: 4 },
        { from: 5, to: 6 },
      ]),
    ).toBe('4,5-6');
  });
});
