import { expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { notesToSend } from './sync-state.ts';

it('[everywhere] sync sends no note for every project, even if its file says that it is for the team', () => {
  const shared = aNote({ visibility: 'team' });
  const own = aNote({ visibility: 'team', everywhere: true });
  expect(notesToSend({ v: 1, after: 0, notes: {} }, [shared, own])).toEqual([shared]);
});
