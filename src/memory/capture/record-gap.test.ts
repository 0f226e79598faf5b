import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { readFailures } from '../projects/failures.ts';
import { readLostWrites } from './lost-writes.ts';
import { gapOf } from './record-gap.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const prompt = (text: string, prompt_id: string) => memory.prompt(text, { prompt_id });

/** What opening a folder for writing reports, on Windows as well. */
const unwritable = /^E(?:ISDIR|PERM|ACCES|BADF)$/;

describe('events that could not be stored', () => {
  it('[gap-recorded] are counted at once, and recorded in the log when the disk has space again', async () => {
    prompt('before', 'turn-1');
    await memory.drain();
    const { project } = memory.open();
    const { events } = memory.paths.project(project);
    // A folder at the path of the next month's file makes writing fail, as on a full disk.
    memory.clock.set(Date.parse('2026-12-03T12:00:00Z'));
    mkdirSync(join(events, '2026-12.jsonl'));
    for (const turn of ['turn-2', 'turn-3']) expect(() => prompt('lost', turn)).toThrow();
    expect(gapOf(readLostWrites(memory.paths.lostWrites, project))).toMatchObject({
      events: 2,
      code: expect.stringMatching(unwritable),
    });
    rmSync(join(events, '2026-12.jsonl'), { recursive: true });
    await memory.drain();
    const gaps = memory.events().filter(({ kind }) => kind === 'gap');
    expect(gaps).toMatchObject([{ body: { events: 2, code: expect.stringMatching(unwritable) } }]);
    expect(readLostWrites(memory.paths.lostWrites, project)).toEqual([]);
    expect(readFailures(memory.paths.failures).at(-1)?.message).toContain('2 events could not be stored');
    await memory.drain();
    expect(memory.events().filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  });
});
