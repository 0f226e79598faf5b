import { expect, it } from 'vitest';
import { parseTeamFilter } from './team.ts';

it('accepts kinds that only sources of a team have', () => {
  expect(parseTeamFilter({ kind: 'issue, job,bugfix' }, 0)).toEqual({ kinds: ['issue', 'job', 'fix'] });
  expect(parseTeamFilter({ sources: [] }, 0)).toEqual({});
});
