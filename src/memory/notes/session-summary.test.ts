import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Note } from '../../domain/note.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import { inboxOf } from './review.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const agentWords = 'Two schedulers share one queue, so each job runs twice.';

const summaries = async (): Promise<Note[]> =>
  (await memory.open().notes.list()).filter(({ kind }) => kind === 'summary');
const prelude = (): string => {
  const { paths, project } = memory.open();
  return JSON.stringify(readPrelude(paths, project)?.lines ?? []);
};

describe('the summary note of a session', () => {
  it('[distil-summary] quotes the agent with a label, waits for no review and is told to no session unasked', async () => {
    memory.prompt('why does the cron job fire twice?');
    memory.answer(agentWords);
    await memory.drain();
    const [summary] = await summaries();
    expect(summary).toMatchObject({ state: 'active', trust: 1 });
    expect(summary?.text).toContain(`The agent said last: ${agentWords}`);
    expect(inboxOf([summary as Note]).candidates).toEqual([]);
    expect(prelude()).not.toContain('schedulers');
  });

  it('is written anew when the session continues', async () => {
    memory.prompt('why does the cron job fire twice?');
    memory.answer(agentWords);
    await memory.drain();
    memory.prompt('then fix it, please', { prompt_id: 'turn-2' });
    memory.answer('One scheduler owns the queue now.', { prompt_id: 'turn-2' });
    await memory.drain();
    const [summary, ...others] = await summaries();
    expect(others).toEqual([]);
    expect(summary?.text).toContain('The agent said last: One scheduler owns the queue now.');
    expect(summary?.text).not.toContain('share');
    expect(summary?.derivedFrom).toHaveLength(2);
  });
});
