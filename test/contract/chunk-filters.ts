import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Chunk, ChunkFilter } from '../../src/domain/chunk.ts';
import { matchesFilter } from '../../src/recall/filter.ts';
import { all, ask, type IndexOf, ids, newestFirst, withIndexedChunks } from './chunk-access.ts';
import { aChunk, someChunks, someFilter } from './samples.ts';

export function describeFilters(indexOf: IndexOf): void {
  const plain = aChunk({
    text: 'worker words',
    at: 1_000,
    paths: ['docs/readme.md'],
    topic: 'Colours of the page',
  });
  const special = aChunk({
    text: 'worker words',
    at: 2_000,
    kind: 'decision',
    source: 'note',
    trust: 3,
    agent: 'codex',
    agentSession: 'session-2',
    branch: "fix/it's",
    paths: ['README.md', 'packages/api/src/work_er.ts'],
    concepts: ['gotcha', 'a"b'],
    pinned: true,
    topic: 'Limits of the API',
  });
  const cases: [string, ChunkFilter, Chunk[]][] = [
    ['nothing', {}, [special, plain]],
    ['kind', { kinds: ['decision', 'answer'] }, [special]],
    ['several kinds', { kinds: ['decision', 'prompt'] }, [special, plain]],
    ['no kind at all', { kinds: [] }, []],
    ['source', { source: 'note' }, [special]],
    ['agent', { agent: 'codex' }, [special]],
    ['agent session', { agentSession: 'session-2' }, [special]],
    ['branch', { branch: "fix/it's" }, [special]],
    ['time since, included', { since: 2_000 }, [special]],
    ['time until, included', { until: 1_000 }, [plain]],
    ['a time between the two', { since: 1_000.5, until: 1_999.5 }, []],
    ['least trust', { minTrust: 3 }, [special]],
    ['pinned', { pinned: true }, [special]],
    ['not pinned', { pinned: false }, [plain]],
    ['a text of a team that was not accepted', { unreviewedTeamText: true }, []],
    ['no text of a team', { unreviewedTeamText: false }, [special, plain]],
    ['concept', { concept: 'a"b' }, [special]],
    ['a part of a topic, in other case', { topic: 'LIMITS of the api' }, [special]],
    ['a pattern for a topic', { topic: 'limits%' }, []],
    ['a part of a concept', { concept: 'gotch' }, []],
    ['file by its whole path', { file: 'packages/api/src/work_er.ts' }, [special]],
    ['file by the end of its path', { file: 'src/work_er.ts' }, [special]],
    ['file by its name', { file: 'work_er.ts' }, [special]],
    ['file written as on Windows or in a shell', { file: '.\\src\\work_er.ts' }, [special]],
    ['file by a part of its name', { file: 'er.ts' }, []],
    ['file by a pattern', { file: 'work%' }, []],
    ['file with another letter at the underscore', { file: 'work-er.ts' }, []],
    ['file in other case', { file: 'Readme.md' }, []],
    ['folder', { folder: 'packages/api' }, [special]],
    ['folder with slashes around', { folder: './packages/api/' }, [special]],
    ['the beginning of a folder name', { folder: 'packages/ap' }, []],
    ['a folder further down', { folder: 'api' }, []],
    ['a pattern for a folder', { folder: '%' }, []],
    [
      'several at once, all holding',
      { kinds: ['decision'], file: 'README.md', minTrust: 2, pinned: true, until: 2_000 },
      [special],
    ],
    [
      'several at once, one not holding',
      { kinds: ['decision'], file: 'README.md', agent: 'claude-code' },
      [],
    ],
    ['syntax', { branch: "' or 1=1 --", concept: '{}', agentSession: '$1', file: '\0\ud800' }, []],
  ];
  it.each(cases)('filters by %s, in searches and in lists', async (_, filter, expected) => {
    const index = await indexOf(plain, special);
    expect(ids(await index.list(filter, all))).toEqual(ids(expected));
    expect((await ask(index, 'worker', filter)).sort()).toEqual(ids(expected).sort());
    expect(await ask(index, 'absent', filter)).toEqual([]);
  });

  it('filters in the same way as recall does for events that are not indexed yet', async () => {
    const index = await indexOf();
    await fc.assert(
      fc.asyncProperty(
        someChunks,
        fc.array(someFilter, { minLength: 1, maxLength: 4 }),
        async (chunks, filters) => {
          await withIndexedChunks(index, chunks, async () => {
            for (const filter of filters) {
              const expected = chunks.filter((chunk) => matchesFilter(chunk, filter)).sort(newestFirst);
              expect(ids(await index.list(filter, all))).toEqual(ids(expected));
            }
          });
        },
      ),
    );
  });
}
