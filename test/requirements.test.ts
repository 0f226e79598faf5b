import { describe, expect, it } from 'vitest';
import { citedTags, promiseFaults, rowFaults } from '../scripts/coverage.ts';
import { promises } from './requirements.ts';

describe('promises', () => {
  const cited = citedTags();
  const poem = { area: '', tag: 'poems', promise: 'Rhymes.' };

  it('are each cited by a test title, and so is everything in SECURITY.md', () => {
    expect(cited.size).toBeGreaterThan(100);
    expect(promiseFaults(promises, cited)).toEqual([]);
  });

  it('are reported if no test cites them, if a test cites another, and if they are listed twice', () => {
    expect(promiseFaults([...promises, poem], cited)).toEqual(['no test has the tag [poems] in its title']);
    expect(promiseFaults(promises, new Set([...cited, 'poems']))).toEqual(['no promise has the tag [poems]']);
    expect(promiseFaults([...promises, poem, poem], new Set([...cited, 'poems']))).toHaveLength(1);
  });

  it('of SECURITY.md are reported if a tag of theirs is gone', () => {
    const without = promises.filter(({ tag }) => tag !== 'query-words');
    expect(promiseFaults(without, cited).join('\n')).toContain('"Queries"');
  });
});

it('a row of the earlier designs is reported if nothing of it is tried, or if a name in it does not exist', () => {
  const surface = { usages: ['team push'], routes: ['GET /api/v1/projects/:id/recall'] };
  const faults = (...row: string[]) =>
    rowFaults(['Poems', ...row], surface, (tag) => tag === 'recall-meaning');
  expect(faults('recall {"query":"x"}', 'GET /api/v1/projects/:id/recall', '[recall-meaning]')).toEqual([]);
  expect(faults('backstory team push', '[recall-meaning]')).toEqual([]);
  expect(faults('backstory team push')).toHaveLength(1);
  expect(faults('backstory team rhyme', 'GET /api/:id/poems', '[poems]')).toHaveLength(3);
});
