import { expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import { patchedFiles } from './tool-observations.ts';

it('an edit by a patch without line numbers has the lines that it changed', () => {
  const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n kept\n-old\n+new\n*** End Patch';
  const call = { agent: 'copilot', callId: 'call-1', tool: 'apply_patch', inTurn: { turn: '' } } as const;
  const hunk = { oldStart: 0, newStart: 0, added: [lineHash('new')], removed: [lineHash('old')] };
  expect(patchedFiles(call, patch, '/work')).toMatchObject([{ body: { hunks: [hunk] } }]);
});
