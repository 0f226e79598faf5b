import { expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { ChunkFilter } from '../domain/chunk.ts';
import { matchesFilter } from './filter.ts';

const chunk = aChunk({
  kind: 'prompt',
  source: 'event',
  agent: 'codex',
  agentSession: 's',
  turn: 't',
  branch: 'main',
  at: 10,
  trust: 1,
  pinned: false,
  topic: 'Mail Gateway',
  concepts: ['queue'],
  paths: ['src/a.js', 'lib/b.js'],
});

it.each<[ChunkFilter, ChunkFilter]>([
  [{ kinds: ['answer', 'prompt'] }, { kinds: ['answer'] }],
  [{ source: 'event' }, { source: 'note' }],
  [{ agent: 'codex' }, { agent: 'gemini' as never }],
  [{ agentSession: 's' }, { agentSession: 'x' }],
  [{ turn: 't' }, { turn: 'x' }],
  [{ branch: 'main' }, { branch: 'x' }],
  [{ since: 10 }, { since: 11 }],
  [{ until: 10 }, { until: 9 }],
  [{ minTrust: 1 }, { minTrust: 2 }],
  [{ pinned: false }, { pinned: true }],
  [{ unreviewedTeamText: false }, { unreviewedTeamText: true }],
  [{ topic: 'gateWAY' }, { topic: 'other' }],
  [{ concept: 'queue' }, { concept: 'que' }],
  [{ file: 'src/a.js' }, { file: 'rc/a.js' }],
  [{ file: './a.js' }, { file: 'c.js' }],
  [{ file: 'src\\a.js' }, { file: 'src' }],
  [{ folder: 'src' }, { folder: 'sr' }],
  [{ folder: 'lib//' }, { folder: 'lib/b.js' }],
])('a chunk matches %j and not %j', (one, other) => {
  expect(matchesFilter(chunk, one)).toBe(true);
  expect(matchesFilter(chunk, other)).toBe(false);
  expect(matchesFilter(chunk, { kinds: ['prompt'], ...other })).toBe(false);
});

it('every chunk matches no filter, and one without a topic matches none', () => {
  expect(matchesFilter(chunk, {})).toBe(true);
  const { topic: _, ...without } = chunk;
  expect(matchesFilter(without, { topic: 'mail' })).toBe(false);
});
