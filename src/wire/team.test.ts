import { expect, it } from 'vitest';
import { parseTeamFilter } from './team.ts';

it('accepts kinds that only sources of a team have', () => {
  expect(parseTeamFilter({ kind: 'issue, job,bugfix' }, 0)).toEqual({ kinds: ['issue', 'job', 'fix'] });
  expect(parseTeamFilter({ sources: [] }, 0)).toEqual({});
});

it('does not compile for a parameter that nothing reads', () => {
  const given = { kind: 'issue', unread: true };
  // @ts-expect-error No field of a team's filter is called `unread`.
  expect(parseTeamFilter(given, 0)).toEqual({ kinds: ['issue'] });
});
