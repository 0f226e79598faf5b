import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { drain } from './drain.ts';

let memory: MemoryHome;
afterEach(() => memory.remove());

describe('a drain', () => {
  it('[drain-late-event] indexes an event that a hook wrote during a round that indexed nothing', async () => {
    memory = createMemoryHome();
    memory.prompt('a first question about the parser');
    await memory.drain();
    const parts = memory.open();
    const { listEverywhere } = parts.notes;
    let isWritten = false;
    // Called while the prelude is rendered, after the log was read. The hook starts no drain, because one is running.
    const notes = {
      ...parts.notes,
      listEverywhere: () => {
        if (!isWritten) memory.prompt('a late question', { prompt_id: 'turn-2' });
        isWritten = true;
        return listEverywhere.call(parts.notes);
      },
    };
    const { indexed } = await drain({ ...parts, notes });
    expect(isWritten).toBe(true);
    expect(indexed).toBe(1);
  });

  it('leaves the marker of the next drain, which begins as soon as the lock is free', async () => {
    memory = createMemoryHome();
    memory.prompt('a question about the parser');
    const parts = memory.open();
    const marker = parts.paths.project(parts.project).drainMarker;
    const forWriting = () => {
      const writing = parts.access.forWriting();
      if (writing === undefined) return undefined;
      const close = async (): Promise<void> => {
        await writing.close();
        writeFileSync(marker, '');
      };
      return { ...writing, close };
    };
    await drain({ ...parts, access: { ...parts.access, forWriting } });
    expect(existsSync(marker)).toBe(true);
  });
});
