import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { type TimelineQuery, timeline } from './timeline.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  for (let turn = 1; turn <= 9; turn++) {
    memory.prompt(`prompt ${turn} about the heron`, { prompt_id: `turn-${turn}` });
    memory.answer(`answer ${turn} is given`, { prompt_id: `turn-${turn}` });
  }
});
afterEach(() => memory.remove());

const around = async (query: TimelineQuery) => {
  const { anchor, chunks } = await timeline(memory.open(), query, quickLimits);
  return { anchor: anchor?.text, texts: chunks.map(({ text }) => text) };
};

describe('timeline', () => {
  it('[timeline] shows what happened before and after the best hit of a question, oldest first', async () => {
    expect(await around({ text: 'answer 5 given', kinds: ['answer'], before: 1, after: 1 })).toEqual({
      anchor: 'answer 5 is given',
      texts: ['answer 4 is given', 'answer 5 is given', 'answer 6 is given'],
    });
  });

  it('accepts an id of at least eight characters, indexed or not', async () => {
    const event = memory.events()[4];
    for (const id of [event?.id ?? '', event?.id.slice(0, 8) ?? '']) {
      expect((await around({ anchor: id, before: 1, after: 2 })).texts).toEqual([
        'answer 2 is given',
        'prompt 3 about the heron',
        'answer 3 is given',
        'prompt 4 about the heron',
      ]);
    }
  });

  it('accepts the short id of a note, and rejects an ambiguous one', async () => {
    const { notes } = memory.open();
    const made = aNote({
      id: '0198f2c4-0000-7000-8000-0000dec01234',
      title: 'Herons',
      text: 'Herons nest here.',
    });
    await notes.put({ ...made, updated: memory.events()[4]?.at ?? '' });
    expect(await around({ anchor: 'dec01234', before: 0, after: 0 })).toEqual({
      anchor: 'Herons nest here.',
      texts: ['Herons nest here.'],
    });
    await notes.put({ ...made, id: '0198f2c4-1111-7000-8000-0000dec01234' });
    await expect(around({ anchor: 'dec01234' })).rejects.toThrow('2 notes match the id dec01234');
  });

  it('accepts a time', async () => {
    const event = memory.events()[4];
    const found = await around({ anchor: event?.at ?? '', before: 1, after: 1 });
    expect(found).toEqual({ anchor: undefined, texts: ['answer 2 is given', 'prompt 3 about the heron'] });
  });

  it('applies its filter and stops at both ends', async () => {
    const first = memory.events()[0]?.id ?? '';
    expect((await around({ anchor: first, kinds: ['prompt'], before: 3, after: 1 })).texts).toEqual([
      'prompt 1 about the heron',
      'prompt 2 about the heron',
    ]);
    const last = memory.events().at(-1)?.id ?? '';
    expect((await around({ anchor: last, before: 0, after: 9 })).texts).toEqual(['answer 9 is given']);
  });

  it('shows a prompt once, although its extracted sentences are separate chunks', async () => {
    memory.prompt('Always use tabs. We decided to keep the heron.', { prompt_id: 'turn-10' });
    const last = memory.events().at(-1)?.id ?? '';
    expect((await around({ anchor: last, before: 0 })).texts).toEqual([
      'Always use tabs. We decided to keep the heron.',
    ]);
  });

  it('throws for an unknown id, and is empty if nothing matches the question', async () => {
    await expect(around({ anchor: 'ffffffffffff' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await around({ text: 'wombat' })).toEqual({ anchor: undefined, texts: [] });
  });
});
