import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { measuredPaths } from '../harness/measured-code.ts';

const file = resolve('test/faults/spend/spend.ts');

it('an evaluation also measures its own folder and what that imports of other tests and evaluations', () => {
  expect(measuredPaths({ file, measures: ['src/spend'] })).toEqual(
    expect.arrayContaining([
      'src/spend',
      join('test', 'faults', 'spend'),
      join('test', 'harness', 'random.ts'),
      // Imported by a program of that folder that nothing imports.
      join('test', 'support', 'scripted-writers.ts'),
      // Imported by what is imported.
      join('test', 'harness', 'program.ts'),
    ]),
  );
});

it('an evaluation that names a path without files fails, because what moved would be measured no more', () => {
  expect(() => measuredPaths({ file, measures: ['src/spend', 'src/gone'] })).toThrow('src/gone');
});
