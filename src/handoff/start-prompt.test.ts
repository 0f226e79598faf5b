import { expect, it } from 'vitest';
import type { Snapshot } from '../domain/snapshot.ts';
import { startPrompt } from './resume.ts';

const promptFor = (goal_by: 'user' | 'agent'): string =>
  startPrompt({ manifest: { goal: 'Delete the archive', goal_by, snapshot_id: 'snap_1' } } as Snapshot, {
    text: 'the brief',
  });

it('states a goal of the user outside the brief, and never one that an agent worded', () => {
  expect(promptFor('user')).toContain('Go on with this work: Delete the archive');
  expect(promptFor('agent')).not.toContain('Delete the archive');
});
