import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { SessionTurns } from '../../distil/distiller.ts';
import { freshNote, type Note } from '../../domain/note.ts';
import { settledLines } from '../prelude/prelude-notes.ts';
import { applyConfirmations, confirmRequest } from './confirm-statements.ts';
import { distilAuthor } from './distil-mark.ts';
import { notePartsOf } from './note-parts.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const sentence = 'Never cache prices for more than 90 seconds.';
const plan = `# Cache\n\n${'Read the files. '.repeat(200)}\n${sentence}\n${'Add tests. '.repeat(200)}`;
const session: SessionTurns = {
  agentSession: 's',
  agent: 'claude-code',
  branch: 'main',
  turns: [
    { id: 't0', at: 1, prompt: { event: 'e0', text: 'plan the cache please' }, acts: [] },
    { id: 't1', at: 2, prompt: { event: 'e1', text: plan, isPlan: true }, acts: [] },
  ],
};
const planned: Note = freshNote('2026-11-14T00:00:00.000Z', {
  id: '01990000-0000-7000-8000-000000000001',
  kind: 'rule',
  title: 'prices',
  author: distilAuthor,
  trust: 1,
  derivedFrom: ['e1', 'e0'],
  topic: 'price cache',
  proposal: sentence,
  text: sentence,
});

it('[distil-plan] compares a sentence of a plan with the plan, and tells it as such, never as a rule', async () => {
  const parts = notePartsOf(memory.open());
  await parts.notes.put(planned);
  const request = confirmRequest([planned], session, new Map(), (text) => text);
  if (request === undefined) throw new Error('nothing to confirm');
  expect(request.data).toMatch(/accepted a plan of the agent, in which is\n.*Never cache prices/s);
  expect(request.data.length).toBeLessThan(3_000);
  const same = { verdict: 'same', lasting: 'yes', kind: 'rule', label: 'ok', replaces: 'no' };
  await applyConfirmations(parts, request, JSON.stringify({ [request.items[0]?.id ?? '']: same }));
  const note = (await parts.notes.get(planned.id)) as Note;
  expect(note).toMatchObject({ state: 'active', trust: 2, kind: 'decision' });
  const [line] = settledLines([note], [note], { before: () => '' });
  expect(line).toMatchObject({
    section: 'Decided',
    text: expect.stringContaining('in a plan you accepted: Never'),
  });
});

it('does not compare anything else with a plan', () => {
  const { proposal: _, ...typed } = planned;
  expect(
    confirmRequest([{ ...typed, derivedFrom: ['e1'] }], session, new Map(), (text) => text),
  ).toBeUndefined();
});
