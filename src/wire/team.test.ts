import { expect, it } from 'vitest';
import { teamFilterFromWords } from './team.ts';

it('asks a team for kinds that only its own sources know', () => {
  expect(teamFilterFromWords({ kind: 'issue, job,bugfix' }, 0)).toEqual({ kinds: ['issue', 'job', 'fix'] });
  expect(teamFilterFromWords({ sources: [] }, 0)).toEqual({});
});
