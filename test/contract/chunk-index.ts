import { afterEach, describe, expect, it } from 'vitest';
import type { Chunk } from '../../src/domain/chunk.ts';
import type { LogIndex } from '../../src/store/store.ts';
import { all } from './chunk-access.ts';
import { describeChanges } from './chunk-changes.ts';
import { describeFilters } from './chunk-filters.ts';
import { describeReading } from './chunk-reading.ts';
import { describeStatistics } from './chunk-statistics.ts';
import { describeTerms } from './chunk-terms.ts';
import { aChunk, aProject } from './samples.ts';

/** The contract of a chunk index. `open` returns the index of one project; the suite closes it. */
export function describeChunkIndex(name: string, open: (project: string) => LogIndex): void {
  describe(`${name} as a chunk index`, () => {
    const opened: LogIndex[] = [];
    const indexOf = async (...chunks: Chunk[]): Promise<LogIndex> => {
      const index = open(aProject());
      opened.push(index);
      await index.apply({ put: chunks, dropSources: [] });
      return index;
    };
    afterEach(async () => {
      for (const index of opened.splice(0)) await index.close();
    });

    describeReading(indexOf);
    describeFilters(indexOf);
    describeTerms(indexOf);
    describeChanges(indexOf);
    describeStatistics(indexOf);

    it('returns every field, for its own project only', async () => {
      const project = aProject();
      const index = open(project);
      opened.push(index);
      const chunk = aChunk({
        project: 'another',
        source: 'note',
        kind: 'failed',
        origin: 'teammate',
        trust: 3,
        agent: 'codex',
        agentSession: "it's a session",
        turn: 'turn "9"',
        branch: 'feature/ünï',
        at: 1_799_999_999_999,
        paths: ['src/a, b.ts', 'C:\\x\\y.ts', '{"}', ''],
        concepts: ['NULL', 'a"b', "c'd", '文'],
        pinned: true,
        text: 'Tabs\tand\r\nlines, "quotes" and \\ 😀',
      });
      await index.apply({ put: [chunk], dropSources: [] });
      const expected = { ...chunk, project };
      expect(await index.get([chunk.id])).toStrictEqual([expected]);
      expect(await index.list({}, all)).toStrictEqual([expected]);
      const [hit] = await index.search(['quot'], {}, all);
      expect(hit?.chunk).toStrictEqual(expected);
    });
  });
}
