import { describe, expect, it } from 'vitest';
import { citedTags, promiseFaults, unknownNames } from '../scripts/coverage.ts';
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

it('a name of a command, tool or route that does not exist is reported', () => {
  const surface = {
    usages: ['recall [QUESTION] [--kind K]'],
    tools: ['recall'],
    routes: ['GET /api/v1/recall'],
  };
  const real = 'Search | recall, backstory recall --kind K, GET /api/v1/recall, hooks';
  const wrong = 'Poems | rhyme, backstory rhyme, backstory recall --rhyme, GET /api/poems';
  expect(unknownNames([real], surface)).toEqual([]);
  expect(unknownNames([wrong], surface)).toHaveLength(4);
});
