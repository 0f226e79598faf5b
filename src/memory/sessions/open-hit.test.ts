import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { quickLimits } from '../../recall/with-index.ts';
import { notePartsOf } from '../notes/note-parts.ts';
import { sourcesOf } from '../notes/note-sources.ts';
import { rememberNote, reviseNote, saveNote } from '../notes/remember.ts';
import { openHit } from './open-hit.ts';
import { renderOpened } from './render-opened.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

it.each([8, 32])(
  'opens a source of a note that its copy in the transcript replaced, by %i characters of its id',
  async (length) => {
    memory.prompt('otters swim upstream');
    const [source] = memory.events();
    if (source === undefined) throw new Error('no event');
    const parts = notePartsOf(memory.open());
    const wanted = { kind: 'decision' as const, concepts: [], files: [], trust: 3 as const, author: 'anna' };
    const made = await rememberNote(parts, { ...wanted, text: 'Otters swim upstream.' });
    const note = reviseNote(parts, made, { derivedFrom: [source.id] });
    await saveNote(parts, note, 'edit');
    await memory.drain();
    memory.open().log.append([
      {
        ...source,
        id: 'e'.repeat(32),
        kind: 'prompt',
        body: { text: 'otters swim upstream', turn: 'turn-1', supersedes: [source.id] },
      },
    ]);
    await memory.drain();
    expect(await openHit(memory.open(), source.id.slice(0, length), quickLimits)).toMatchObject({
      kind: 'event',
      event: { id: source.id },
      chunk: { text: expect.stringContaining('otters') },
    });
    expect(await sourcesOf(memory.open(), note)).toMatchObject([
      { id: source.id, text: expect.stringContaining('otters') },
    ]);
  },
);

it('shows the answer to which a short prompt replies', async () => {
  memory.prompt('How should retries be stored?');
  memory.answer('Two ways are possible. 1. Rows in Postgres. 2. A list in Redis. Which one do you want?');
  memory.prompt('lets do 1', { prompt_id: 'turn-2' });
  await memory.drain();
  const reply = memory.events().find(({ body }) => 'text' in body && body.text === 'lets do 1');
  const opened = await openHit(memory.open(), reply?.id ?? '', quickLimits);
  expect(renderOpened(opened, memory.clock.now())).toMatch(
    /replies to \[[0-9a-f]{8}\]: Two ways are possible\..*Which one do you want\?\n\nlets do 1$/,
  );
});
