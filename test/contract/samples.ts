import fc from 'fast-check';
import { hashId } from '../../src/base/hash.ts';
import { randomHex } from '../../src/base/ids.ts';
import type { Chunk, ChunkFilter } from '../../src/domain/chunk.ts';
import { type Note, noteKinds, noteStates } from '../../src/domain/note.ts';
import { anyCharacter } from '../support/any-character.ts';

export const aProject = (): string => randomHex(16);

let made = 0;

/** A chunk with a unique id. Tests set only the fields they are about. */
export function aChunk(fields: Partial<Chunk> = {}): Chunk {
  made += 1;
  return {
    id: hashId('chunk', String(made)),
    project: '',
    source: 'event',
    sourceId: hashId('source', String(made)),
    kind: 'prompt',
    origin: 'user',
    trust: 2,
    agent: 'claude-code',
    agentSession: 'session-1',
    turn: 'turn-1',
    branch: 'main',
    at: 1_790_000_000_000,
    paths: [],
    concepts: [],
    pinned: false,
    text: 'plain words',
    ...fields,
  };
}

export function aNote(fields: Partial<Note> = {}): Note {
  made += 1;
  return {
    id: `0198f2c4-0000-7000-8000-${String(made).padStart(12, '0')}`,
    kind: 'decision',
    title: 'Use one queue',
    state: 'active',
    trust: 3,
    pinned: false,
    concepts: [],
    files: [],
    created: '2026-11-02T10:00:00.000Z',
    updated: '2026-11-03T11:30:00.000Z',
    rev: 1,
    parents: [],
    author: '',
    visibility: 'private',
    validFrom: '',
    validTo: '',
    derivedFrom: [],
    text: 'One queue is enough.',
    ...fields,
  };
}

/** Text that is syntax in SQL, FTS5, tsquery, tsvector, arrays, YAML or JSON. */
export const syntaxPieces = [
  `'`,
  `''`,
  `"`,
  '""',
  '\\',
  "\\'",
  '|',
  '&',
  '!',
  ':*',
  ':A',
  '<->',
  '<2>',
  '(',
  ')',
  '*',
  '^',
  '{',
  '}',
  '{a,b}',
  ',',
  ';',
  '--',
  '/*',
  '$1',
  '?',
  '%',
  '_',
  'NULL',
  'AND',
  'OR',
  'NOT',
  'NEAR(a b, 2)',
  'words:alpha',
  'words : alpha',
  '-idents',
  "'; drop table chunk; --",
  "x' or '1'='1",
  '[x]',
  '---',
  '...',
  '#',
  'a: b',
  '&a',
  '*a',
  '!!js/function',
  '\0',
  '\ud800',
  '\udfff',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\r\n',
];

const word = fc.constantFrom(
  ...[
    'queue',
    'retries',
    'parseHTTPResponse2',
    'retry_backoff',
    'src/queue/worker.ts',
    'Straße',
    'ΟΔΟΣ',
    'οδός',
    'İstanbul',
  ],
  ...[
    '検索する',
    '데이터베이스',
    '𞤀𞤣𞤤𞤢𞤥',
    '𝒳',
    'ﬁne',
    '１２３',
    'ǅ',
    'the',
    '$scope',
    '__proto__',
    'constructor',
    'e\u0301',
  ],
);
const anyUnit = fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit));

/** Ordinary to hostile text, including lone surrogates and U+0000. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof({ weight: 3, arbitrary: word }, fc.constantFrom(...syntaxPieces)), { maxLength: 12 })
    .map((all) => all.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: anyUnit, maxLength: 40 }),
);

/** Text that every store can return unchanged. */
export const keepableText = anyText.map((text) => text.replaceAll('\0', '').toWellFormed());

const aPath = fc.constantFrom(
  ...[
    'worker.ts',
    'src/worker.ts',
    'src/my-worker.ts',
    'src/a_b.ts',
    'src/aXb.ts',
    'packages/api/src/worker.ts',
  ],
  ...['packages/api-client/index.ts', '/abs/worker.ts', 'src\\win.ts', 'src/文/été.ts', 'dir/', '100%.md'],
);
const askedPath = fc.oneof(
  aPath,
  fc.constantFrom('./src/worker.ts', 'src', 'packages/api/', '%', 'r.ts', '', '/', '.'),
);

export const someChunks: fc.Arbitrary<Chunk[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom('prompt', 'answer', 'decision', 'command'),
      source: fc.constantFrom('event', 'note'),
      origin: fc.constantFrom('user', 'teammate'),
      trust: fc.constantFrom(0, 1, 2, 3),
      agent: fc.constantFrom('claude-code', 'codex'),
      agentSession: fc.constantFrom('', 'one', 'two'),
      branch: fc.constantFrom('main', "it's", ''),
      at: fc.constantFrom(1_000, 2_000, 3_000),
      paths: fc.uniqueArray(aPath, { maxLength: 3 }),
      concepts: fc.uniqueArray(fc.constantFrom('gotcha', 'pattern', 'a"b', ''), { maxLength: 2 }),
      pinned: fc.boolean(),
      text: anyText,
    })
    .map((fields) => aChunk(fields as Partial<Chunk>)),
  { minLength: 1, maxLength: 8 },
);

export const someFilter: fc.Arbitrary<ChunkFilter> = fc.record(
  {
    kinds: fc.subarray(['prompt', 'answer', 'decision'] as const),
    file: askedPath,
    folder: askedPath,
    concept: fc.constantFrom('gotcha', 'a"b', ''),
    topic: fc.constantFrom('api', '%', 'É'),
    agent: fc.constantFrom('claude-code', 'codex', 'pi'),
    agentSession: fc.constantFrom('', 'one'),
    branch: fc.constantFrom('main', "it's"),
    since: fc.constantFrom(1_000, 1_999.5, 2_000),
    until: fc.constantFrom(2_000, 2_000.5, 3_000),
    minTrust: fc.constantFrom(0, 1, 2, 3),
    source: fc.constantFrom('event', 'note'),
    pinned: fc.boolean(),
    unreviewedTeamText: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ChunkFilter>;

const texts = fc.array(keepableText, { maxLength: 3 });

export const someNote: fc.Arbitrary<Note> = fc
  .record({
    kind: fc.constantFrom(...noteKinds),
    title: keepableText,
    state: fc.constantFrom(...noteStates),
    trust: fc.constantFrom(0, 1, 2, 3),
    pinned: fc.boolean(),
    concepts: texts,
    files: texts,
    created: fc.constantFrom('2026-11-02T10:00:00.000Z', ''),
    rev: fc.integer({ min: 1, max: 1_000 }),
    parents: texts,
    author: keepableText,
    visibility: fc.constantFrom('private', 'team'),
    validFrom: fc.constantFrom('2026-11-02', ''),
    validTo: fc.constantFrom('2027-01-01T00:00:00Z', ''),
    derivedFrom: texts,
    text: keepableText.map((text) => text.trim()),
  })
  .map((fields) => aNote(fields as Partial<Note>));
