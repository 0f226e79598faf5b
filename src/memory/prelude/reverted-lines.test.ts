import { expect, it } from 'vitest';
import type { Chunk, ChunkFilter } from '../../domain/chunk.ts';
import type { Edit } from '../../domain/edit.ts';
import type { Evidence } from '../../recall/evidence.ts';
import { revertedLines } from './reverted-lines.ts';

const now = Date.parse('2026-11-14T12:00:00Z');
const month = 30 * 24 * 60 * 60_000;

interface Attempt {
  at: number;
  path?: string;
  /** The output of the check; none failed if it is missing. */
  failed?: string;
  origin?: 'user' | 'assistant';
}

/** Each attempt is a turn of its own, in which a line was added and removed again. */
function evidenceOf(attempts: Record<string, Attempt>): Evidence {
  const edit = (turn: string, at: number, added: string[], removed: string[]): Edit => ({
    ...{ id: `${turn} ${at}`, at, agent: 'claude-code', agentSession: turn, turn, branch: '', head: '' },
    ...{ path: attempts[turn]?.path ?? 'src/a.ts', isCreation: false },
    hunks: [{ oldStart: 1, newStart: 1, added, removed }],
  });
  const chunk = (turn: string, more: Partial<Chunk>): Chunk =>
    ({
      sourceId: `prompt of ${turn}`,
      at: attempts[turn]?.at ?? 0,
      origin: 'user',
      concepts: [],
      text: '',
      ...more,
    }) as Chunk;
  return {
    editsOfFile: async (path: string) =>
      Object.entries(attempts)
        .filter(([, attempt]) => (attempt.path ?? 'src/a.ts') === path)
        .flatMap(([turn, { at }]) => [edit(turn, at + 1_000, [], ['x']), edit(turn, at, ['x'], [])]),
    chunks: async ({ turn = '', kinds = [] }: ChunkFilter) => {
      const { at = 0, failed, origin = 'user' } = attempts[turn] ?? {};
      if (kinds.includes('prompt')) return [chunk(turn, { origin, text: `try ${turn}` })];
      if (!kinds.includes('command') || failed === undefined) return [];
      return [chunk(turn, { at: at + 500, origin: 'tool', text: failed, isFailed: true })];
    },
    events: async () => new Map(),
  } as unknown as Evidence;
}
const told = async (attempts: Record<string, Attempt>, files = ['src/a.ts']) =>
  revertedLines(files, now, evidenceOf(attempts));

it('tells an attempt that was reverted after a check failed, with what the user had asked', async () => {
  const [line, ...others] = await told({ one: { at: now - 1_000_000, failed: '$ npm test' } });
  expect(others).toEqual([]);
  expect(line).toMatchObject({ section: 'Failed before', event: 'prompt of one' });
  expect(line?.text).toBe(
    '2026-11-14 tried in src/a.ts and reverted, after `npm test` failed; you had asked: try one [prompt o]',
  );
  const [bare] = await told({ one: { at: now - 1_000_000, failed: 'npm test' } });
  expect(bare?.text).toContain('and reverted; you had asked');
});

it('tells none without a failed check, none for which the user did not ask, and none of a month ago', async () => {
  expect(await told({ one: { at: now - 5_000 } })).toEqual([]);
  expect(await told({ one: { at: now - 5_000, failed: '$ make', origin: 'assistant' } })).toEqual([]);
  expect(await told({ one: { at: now - month, failed: '$ make' } })).toEqual([]);
  expect(await told({ one: { at: now - month + 1, failed: '$ make' } })).toHaveLength(1);
});

it('tells the newest two, of different prompts, in the first twelve files', async () => {
  const paths = Array.from({ length: 13 }, (_, at) => `src/${at}.ts`);
  const attempts = Object.fromEntries(
    paths.map((path, at) => [`t${at}`, { at: now - 100_000 * (14 - at), path, failed: '$ make' }]),
  );
  expect((await told(attempts, paths)).map(({ event }) => event)).toEqual(['prompt of t11', 'prompt of t10']);
});
