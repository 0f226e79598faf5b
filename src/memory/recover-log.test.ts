import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { recall } from '../recall/recall.ts';
import { quickLimits } from '../recall/with-index.ts';
import { decodeLine, encodeEvent } from '../store/events/event-line.ts';
import { forget } from './notes/forget.ts';
import { notePartsOf } from './notes/note-parts.ts';
import { rememberNote } from './notes/remember.ts';
import { acceptDamage, recoverLog } from './recover-log.ts';
import { verify } from './verify.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const own = () => memory.paths.project(memory.open().project);
const file = () =>
  join(own().events, readdirSync(own().events).find((name) => name.endsWith('.jsonl')) ?? '');
const hits = async (words: string) =>
  (await recall(memory.open(), { text: words }, quickLimits)).hits.map(({ chunk }) => chunk.text);

async function useABit(): Promise<void> {
  for (const word of ['xylophone', 'zither', 'marimba']) {
    const turn = { prompt_id: `turn-${word}` };
    memory.prompt(`We keep the ${word} in Postgres because it is transactional.`, turn);
    memory.answer(`The ${word} is in Postgres now.`, turn);
  }
  await memory.drain();
}

function damageLineWith(word: string): void {
  const bytes = readFileSync(file());
  const at = bytes.indexOf(word);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file(), bytes);
}

/** Ids of all events but those about notes: the summary of a session is written anew when a part of it is missing. */
const capturedIds = (): string[] =>
  memory
    .events()
    .filter(({ kind }) => kind !== 'note')
    .map(({ id }) => id)
    .sort();

describe('a damaged log', () => {
  it('[damage-recovered] is recovered from the index with the same ids, so that a rebuild gives the same answers', async () => {
    await useABit();
    const [before, ids] = [await hits('xylophone'), capturedIds()];
    damageLineWith('keep the xylophone');
    memory.open().access.discard();
    await memory.drain();
    expect((await verify(memory.open())).ok).toBe(false);
    expect((await hits('xylophone')).length).toBeLessThan(before.length);
    const found = await verify(memory.open());
    expect(found.recoverable, 'the old index was kept').toBeGreaterThan(0);
    expect(await recoverLog(memory.open())).toBe(found.recoverable);
    expect(capturedIds()).toEqual(ids);
    expect(await hits('xylophone')).toEqual(before);
    expect((await verify(memory.open())).ok).toBe(true);
    expect(readdirSync(own().index).filter((name) => name.startsWith('kept-'))).toEqual([]);
  });

  it('[damage-recovered] is recovered when a whole month was deleted', async () => {
    await useABit();
    const before = await hits('zither');
    rmSync(file());
    memory.prompt('Life goes on.', { prompt_id: 'turn-later' });
    await memory.drain();
    expect(await hits('zither')).toEqual([]);
    expect((await verify(memory.open())).log.damage.length).toBeGreaterThan(0);
    expect(await recoverLog(memory.open())).toBeGreaterThan(5);
    expect(await hits('zither')).toEqual(before);
    expect((await verify(memory.open())).ok).toBe(true);
  });

  it('[damage-recovered] is recovered when a line was edited, even with a correct checksum', async () => {
    await useABit();
    const before = await hits('marimba');
    const edited = readFileSync(file(), 'utf8')
      .split('\n')
      .map((line) => {
        const entry = decodeLine(Buffer.from(line));
        if (entry.kind !== 'event' || !line.includes('keep the marimba')) return line;
        const body = { ...entry.event.body, text: 'marimba at evil.example' };
        return encodeEvent({ ...entry.event, body } as typeof entry.event).trimEnd();
      });
    writeFileSync(file(), edited.join('\n'));
    memory.open().access.discard();
    await memory.drain();
    expect((await hits('marimba')).join()).toContain('evil.example');
    expect((await verify(memory.open())).recoverable).toBe(1);
    await recoverLog(memory.open());
    expect(await hits('marimba')).toEqual(before);
    expect((await verify(memory.open())).ok).toBe(true);
  });

  it('is used as it is once the damage was accepted', async () => {
    await useABit();
    damageLineWith('keep the marimba');
    await acceptDamage(memory.open());
    const found = await verify(memory.open());
    expect(found).toMatchObject({ ok: true, recoverable: 0 });
    expect(readdirSync(join(own().events, 'damaged'))).toHaveLength(1);
  });

  it('[forget-bytes] contains no byte of a text that is forgotten afterwards', async () => {
    await useABit();
    // Long enough to be compressed in the index, so that searching its bytes would not find the word.
    memory.prompt(`A zither ${'and a lute '.repeat(500)}`, { prompt_id: 'turn-long' });
    await memory.drain();
    damageLineWith('keep the zither');
    const parts = memory.open();
    await forget(parts, { ids: [], containing: 'zither' }, contextOf());
    const held = readdirSync(memory.paths.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('zither'));
    expect(held.map(({ name }) => name)).toEqual([]);
    const lines = [...memory.open().access.indexedLines()].map(({ line }) => line.toString());
    expect(lines.filter((line) => line.includes('zither') || line.includes('and a lute'))).toEqual([]);
    expect(lines.length).toBeGreaterThan(3);
    expect((await verify(memory.open())).ok).toBe(true);
  });

  it('lists a note that was edited outside Backstory, but not as damage', async () => {
    await useABit();
    const parts = memory.open();
    const note = await rememberNote(notePartsOf(parts, contextOf()), {
      text: 'Queues are in Postgres.',
      kind: 'knowledge',
      trust: 2,
      concepts: [],
      files: [],
      author: 'ann',
    });
    expect((await verify(parts)).notes).toEqual([]);
    const path = (await parts.notes.path(note.id)) ?? '';
    writeFileSync(path, readFileSync(path, 'utf8').replace('Queues are', 'Queues were'));
    const found = await verify(memory.open());
    expect(found).toMatchObject({ ok: true, notes: [{ state: 'edited' }] });
  });
});

const contextOf = () => ({
  device: 'd',
  actor: 'ann',
  agent: 'backstory' as const,
  agentVersion: '',
  agentSession: '',
  clientPid: 0,
  project: memory.open().project,
  checkout: '',
  branch: '',
  head: '',
});
