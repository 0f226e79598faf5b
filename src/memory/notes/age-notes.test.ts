import { expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { createMemoryHome } from '../../../test/support/memory-home.ts';
import { ageNotes } from './age-notes.ts';
import { notePartsOf } from './note-parts.ts';
import { saveNote } from './remember.ts';

it('a proposal from an old session expires 90 days after it was made, and never before its event is indexed', async () => {
  const memory = createMemoryHome();
  try {
    memory.prompt('a first question about the parser');
    await memory.drain();
    const parts = memory.open();
    const proposal = aNote({ state: 'candidate', author: 'claude-code', trust: 1, updated: '2024-01-01' });
    // The note is written before its event, and an agent may write it while a drain runs.
    await parts.notes.put(proposal);
    const reading = parts.access.forReading();
    expect(reading && (await ageNotes(parts, reading.index))).toBe(0);
    await reading?.close();
    await saveNote(notePartsOf(parts), proposal, 'create');
    const stateAfter = async (days: number) => {
      memory.clock.set(memory.clock.now() + days * 24 * 60 * 60 * 1000);
      await memory.drain();
      return (await parts.notes.list()).find(({ id }) => id === proposal.id)?.state;
    };
    expect(await stateAfter(0)).toBe('candidate');
    expect(await stateAfter(89)).toBe('candidate');
    expect(await stateAfter(2)).toBe('archived');
  } finally {
    memory.remove();
  }
});
