import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { sourceLabel } from '../../recall/render.ts';
import { quickLimits, withIndex } from '../../recall/with-index.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import { importHistory } from './commits.ts';
import { importTranscripts } from './import-transcripts.ts';

let memory: MemoryHome;

beforeEach(() => {
  memory = createMemoryHome();
  git('init', '-q', '-b', 'main');
});
afterEach(() => memory.remove());

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: memory.work,
    encoding: 'utf8',
  }).trim();

const decision = 'We decided to keep the walrus queue in Postgres because Redis lost jobs.';

/** What is recorded of the commit, and what is told of it. */
async function recorded() {
  memory.prompt('What is here?', { prompt_id: 'turn-1' });
  await memory.drain();
  const parts = memory.open();
  const chunks = await withIndex(
    parts,
    quickLimits,
    async (index) => (await index?.list({ kinds: ['commit'] }, 10)) ?? [],
  );
  const told = readPrelude(memory.paths, parts.project)?.lines ?? [];
  return {
    trust: chunks.map(({ trust }) => trust),
    labels: chunks.map((chunk) => sourceLabel(chunk)),
    told: told.filter(({ text }) => text.includes('walrus')),
  };
}

describe('a commit', () => {
  it("[commit-author] that was made here has its author's name, and is nobody's word", async () => {
    writeFileSync(join(memory.work, 'queue.txt'), 'Postgres\n');
    git('add', '.');
    git('commit', '-q', '-m', decision);
    expect(await recorded()).toEqual({ trust: [1], labels: ['by Ada'], told: [] });
  });

  it('[commit-author] that came from elsewhere has no trust', async () => {
    const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--stdin'], {
      cwd: memory.work,
      input: '',
      encoding: 'utf8',
    }).trim();
    const commit = git('-c', 'user.name=Bo', 'commit-tree', tree, '-m', decision);
    git('reset', '-q', '--hard', commit);
    expect(await recorded()).toEqual({ trust: [0], labels: ['by Bo'], told: [] });
  });
});

describe('the commits of a project', () => {
  it('are the newest 500 at first, and those since the first session after an import', async () => {
    const [count, dayMs] = [700, 86_400_000];
    const now = memory.clock.now();
    const committed = (day: number) => Math.floor((now - (count - day) * dayMs) / 1_000);
    const stream = Array.from({ length: count }, (_, day) =>
      [
        'commit refs/heads/main',
        `committer Ada <ada@example.org> ${committed(day)} +0000`,
        'data <<END',
        `step ${day}`,
        'END',
        '',
      ].join('\n'),
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd: memory.work, input: stream.join('\n') });
    const recordedCommits = () =>
      withIndex(memory.open(), quickLimits, async (index) => index?.list({ kinds: ['commit'] }, 10_000));
    memory.prompt('What is here?');
    await memory.drain();
    expect(await recordedCommits()).toHaveLength(500);

    memory.clock.set(now - 600 * dayMs - 60_000);
    memory.prompt('What was here?', { session_id: 'older', prompt_id: 'turn-2' });
    memory.clock.set(now);
    const again = () => importTranscripts(memory.open(), [], { onRead() {}, onIndex() {} });
    expect(await again()).toMatchObject({ commits: 100 });
    expect(await recordedCommits()).toHaveLength(600);
    expect(await again()).toMatchObject({ commits: 0 });

    const since = new Date(now - 650 * dayMs - 60_000).toISOString();
    expect(await importHistory(memory.open(), { since })).toBe(50);
    expect(await importHistory(memory.open(), {})).toBe(50);
  });
});
