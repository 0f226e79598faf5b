import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { agentFolders } from '../../agents/settings.ts';
import { findTranscripts } from '../../agents/transcripts.ts';
import type { Note } from '../../domain/note.ts';
import { unreadSessions } from '../notes/distil-sessions.ts';
import { notePartsOf } from '../notes/note-parts.ts';
import { rejectNote, reviewable } from '../notes/review.ts';
import { readPrelude, recapSection } from '../prelude/prelude-file.ts';
import { importTranscripts, nothing } from './import-transcripts.ts';
import { recordPast } from './past-transcripts.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  mkdirSync(join(memory.home, '.claude', 'projects', 'p'), { recursive: true });
});
afterEach(() => memory.remove());

/** A past session of Claude Code with these records of the user. */
function session(name: string, ...records: (string | object)[]): void {
  const lines = records.map((one, at) => {
    const fields = typeof one === 'string' ? { message: { role: 'user', content: one } } : one;
    const at_ = `2025-03-0${at + 1}T00:00:00Z`;
    return {
      type: 'user',
      uuid: `${name}-${at}`,
      sessionId: name,
      cwd: memory.work,
      timestamp: at_,
      ...fields,
    };
  });
  const file = join(memory.home, '.claude', 'projects', 'p', `${name}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

async function importAll(): Promise<Note[]> {
  const folders = agentFolders({}, memory.home);
  const moment = { now: memory.clock.now(), userHome: memory.home, isByAgent: false };
  recordPast(memory.paths.pastTranscripts, folders, moment);
  const found = findTranscripts(folders, ['claude-code']);
  await importTranscripts(memory.open(), found, { onRead() {}, onIndex() {} });
  return reviewable(await memory.open().notes.list());
}

describe('an import', () => {
  const uncertain = 'use uv as the package manager';

  it('ends with all sessions searched, and with the likeliest statements waiting', async () => {
    session('s', 'always send invoices through the ledger gateway', uncertain);
    const waiting = await importAll();
    expect(waiting.map(({ text, state }) => [text, state])).toEqual([
      ['always send invoices through the ledger gateway', 'active'],
      [uncertain, 'candidate'],
    ]);
    const reading = memory.open().access.forReading();
    expect(await unreadSessions(reading?.index as never)).toEqual([]);
    await reading?.close();
    const { paths, project } = memory.open();
    const said = readPrelude(paths, project)?.lines.filter(({ section }) => section !== recapSection);
    expect(JSON.stringify(said)).not.toContain(uncertain);
  });

  it('says what it read, and reads nothing twice', async () => {
    session('s', 'please add a dark theme to the settings', 'now the same for the mail page');
    session('t', 'please add a test of the queue');
    const found = findTranscripts(agentFolders({}, memory.home), ['claude-code']);
    const read: number[] = [];
    const indexed: number[] = [];
    const parts = memory.open();
    const prompt = {
      ...{ at: Date.parse('2025-02-01T00:00:00Z'), cwd: memory.work, session: 'u' },
      ...{ text: 'please rename the queue', source: { file: '/history.jsonl', offset: 0 } },
    };
    const again = () =>
      importTranscripts(
        parts,
        [...found, { ...(found[0] as (typeof found)[number]), agent: 'cursor' }],
        { onRead: (bytes) => read.push(bytes), onIndex: (done) => indexed.push(done) },
        [prompt as never],
      );
    const { readMs, ...report } = await again();
    expect(report).toEqual({ files: 2, events: 3, prompts: 1, commits: 0, isComplete: true });
    expect(read).toEqual(found.map(({ bytes }) => bytes));
    expect(indexed.length).toBeGreaterThan(0);
    expect(readMs).toBeGreaterThan(0);
    expect(readMs).toBeLessThan(3_600_000);
    expect(await again()).toMatchObject({ files: 0, events: 0, prompts: 0 });
  });

  it('reads nothing while another process writes', async () => {
    session('s', 'please add a dark theme to the settings');
    const other = memory.open().access.forWriting();
    const found = findTranscripts(agentFolders({}, memory.home), ['claude-code']);
    const report = await importTranscripts(memory.open(), found, { onRead() {}, onIndex() {} });
    await other?.close();
    expect(report).toEqual({ ...nothing, isComplete: false });
    expect(memory.events()).toEqual([]);
  });

  it('offers at most twenty, none twice, and none that was rejected', async () => {
    session(
      'a',
      ...Array.from({ length: 9 }, (_, at) => `use library number ${at} as the package manager here`),
    );
    session(
      'b',
      ...Array.from({ length: 9 }, (_, at) => `use service number ${at} as the package manager here`),
    );
    session(
      'c',
      ...Array.from({ length: 9 }, (_, at) => `use service number ${at} as the package manager here`),
    );
    session(
      'd',
      ...Array.from({ length: 9 }, (_, at) => `use tool number ${at} as the package manager here`),
    );
    const waiting = await importAll();
    expect(waiting).toHaveLength(20);
    expect(new Set(waiting.map(({ text }) => text)).size).toBe(20);
    const [first] = waiting;
    const parts = notePartsOf(memory.open());
    await rejectNote(parts, first as Note, { device: memory.open().device, context: parts.context });
    expect(await importAll()).toHaveLength(19);
  });

  it('takes an accepted plan, instructions of a host program and an interruption for nobody’s words', async () => {
    const plan = `# Plan\n\n${uncertain}`;
    const message = { role: 'user', content: `Implement the following plan:\n\n${plan}` };
    session('s', { message, planContent: plan }, '[Request interrupted by user for tool use]');
    session('t', `<system_instruction>${uncertain}</system_instruction>\nadd a button`);
    expect(await importAll()).toEqual([]);
    const accepted = memory.events().find(({ kind, body }) => kind === 'prompt' && 'isPlan' in body);
    expect(accepted).toMatchObject({ origin: 'assistant', trust: 1 });
  });
});
