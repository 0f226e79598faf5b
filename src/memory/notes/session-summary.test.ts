import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Note } from '../../domain/note.ts';
import type { Hit } from '../../recall/hit.ts';
import { recall } from '../../recall/recall.ts';
import { stateLines } from '../../recall/render.ts';
import { quickLimits } from '../../recall/with-index.ts';
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

  it('[session-title] is found by recall, with the title and the end of its session', async () => {
    memory.prompt('why does the cron job fire twice?', { prompt_id: 'turn-1' });
    memory.answer(agentWords, { prompt_id: 'turn-1' });
    memory.clock.set(memory.clock.now() + 1_000);
    memory.prompt('then stop the second one', { prompt_id: 'turn-2' });
    await memory.drain();
    const { hits } = await recall(
      memory.open(),
      { text: 'cron job fires twice', kinds: ['summary'] },
      quickLimits,
    );
    expect(hits[0]?.session).toEqual({
      id: 'session-1',
      title: 'why does the cron job fire twice?',
      end: 'stopped',
    });
    expect(stateLines(hits[0] as Hit, 'index')).toEqual([
      'session session-: why does the cron job fire twice?, stopped',
    ]);
  });
});
