import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFinder } from './pattern/finder.ts';
import { ScanPool } from './scan-pool.ts';
import { searchFile } from './search-file.ts';

it('[code-errors] reports a failed search thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-scan-'));
  writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("no memory");\n');
  const pool = new ScanPool(join(folder, 'broken.mjs'));
  const query = {
    text: 'x',
    mode: 'literal',
    ignoreCase: false,
    wholeWord: false,
  } as const;
  await expect(
    pool.search({ root: folder, query, tasks: [], countOnly: false, untilMs: 0 }),
  ).rejects.toMatchObject({ code: 'FALLBACK_FAILURE', retryable: true });
  rmSync(folder, { recursive: true });
});

it('[code-exact] finds the same lines in worker threads as in the main thread', async () => {
  const root = mkdtempSync(join(tmpdir(), 'backstory-scan-'));
  const pool = new ScanPool(join(import.meta.dirname, '..', 'cmd', 'search-thread.ts'));
  try {
    const tasks = Array.from({ length: 40 }, (_, at) => {
      writeFileSync(join(root, `${at}.txt`), `line\n${'x'.repeat(at)}${at % 3 === 0 ? 'needle42' : 'hay'}\n`);
      return { path: `${at}.txt`, tier: 0 };
    });
    const query = {
      text: '[a-z]{6}\\d\\d',
      mode: 'regex',
      ignoreCase: false,
      wholeWord: false,
    } as const;
    const here = tasks.map((task) => searchFile(root, task, createFinder(query), { countOnly: false }));
    const untilMs = Number.POSITIVE_INFINITY;
    const halves = [tasks.slice(0, 20), tasks.slice(20)];
    const there = await Promise.all(
      halves.map((half) => pool.search({ root, query, tasks: half, countOnly: false, untilMs })),
    );
    expect(there.flat()).toEqual(here);
    expect(here.filter(({ count }) => count > 0)).toHaveLength(14);
  } finally {
    pool.close();
    rmSync(root, { recursive: true });
  }
});
