import { defineConfig } from 'vitest/config';
import { testGroups } from './test/groups.ts';
import { memoryDisk } from './test/memory-disk.ts';
import { hangMs } from './test/support/until.ts';

/**
 * `unit` needs nothing but the source. The others, in `test/groups.ts`, build, pack and install the package once, and use
 * real agents, a real browser and a real Postgres. `npx vitest run PATH` runs one file of any.
 */
// Times are shown in the zone of the machine, and tests expect that of UTC.
process.env.TZ = 'UTC';
// Starting git copies the page tables of a worker, which took a quarter of the CPU time. Memory in few arenas and large
// pages has smaller ones. Only glibc on Linux reads these.
process.env.MALLOC_ARENA_MAX ??= '2';
process.env.GLIBC_TUNABLES ??= 'glibc.malloc.hugetlb=1';

const common = {
  // Under Wine, processes and connections take much longer.
  testTimeout: process.platform === 'win32' ? 180_000 : 60_000,
  hookTimeout: 180_000,
  setupFiles: process.env.BACKSTORY_SEED === undefined ? [] : ['test/same-seed.ts'],
};

const windows = {
  test: {
    ...common,
    name: 'windows',
    include: ['test/windows/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
  },
};

const foldingDisk = {
  test: { ...common, name: 'folding-disk', include: ['test/folding-disk/**/*.test.ts'] },
};

const citus = {
  test: { ...common, name: 'citus', include: ['test/citus/**/*.test.ts'] },
};

export default defineConfig({
  test: {
    // Two cores: more workers only make the timing tests noisier.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          env: memoryDisk(),
          // Otherwise new objects alone take 130 MB.
          execArgv: ['--max-semi-space-size=32'],
          // Only a hang takes so long.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 600_000 } },
          setupFiles: [...common.setupFiles, 'test/patient.ts'],
          // Importing the source again for every file took half of the CPU time. No test changes a module.
          isolate: false,
          include: [
            'src/**/*.test.ts',
            'client/**/*.test.ts',
            'web/**/*.test.ts',
            'test/*.test.ts',
            'test/{evaluations,contract/agents}/**/*.test.ts',
          ],
        },
      },
      ...Object.entries(testGroups).map(([name, { include, exclude }]) => ({
        test: {
          ...common,
          name,
          env: memoryDisk(),
          include,
          exclude,
          // Most of these start programs, some of them fifty times, on a machine that may be busy. Only a hang takes so long.
          testTimeout: 2 * hangMs,
          hookTimeout: 2 * hangMs,
          expect: { poll: { timeout: hangMs } },
          globalSetup: ['test/build-once.ts', ...(name === 'team' ? ['test/template-database.ts'] : [])],
          setupFiles: [...common.setupFiles, 'test/own-connections.ts'],
        },
      })),
      // Only on Windows: scripts/windows.sh.
      ...(process.platform === 'win32' ? [windows] : []),
      // Only where BACKSTORY_TEST_POSTGRES names a Citus cluster: `.ci/run citus`.
      ...(process.env.BACKSTORY_TEST_CITUS === undefined ? [] : [citus]),
      // Only on a disk that ignores case: scripts/folding-disk.sh.
      ...(process.env.BACKSTORY_FOLDING_DISK === undefined ? [] : [foldingDisk]),
    ],
  },
});
