import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { agentFolders } from '../agents/settings.ts';
import { findTranscripts } from '../agents/transcripts.ts';
import { writeJson } from '../base/files.ts';
import { importTranscripts } from './capture/import-transcripts.ts';
import { recordPast } from './capture/past-transcripts.ts';
import { findNextSteps, nextStepLines, nextSteps } from './next-step.ts';

const done = { isInstalled: true, unimported: 0, unconfirmed: 0, waiting: 0, past: 0, isLearned: false };
const commands = (state: Partial<typeof done>): string[] =>
  nextSteps({ ...done, ...state }).map(({ command }) => command);

describe('the next step', () => {
  it('is to install, then to import, then to review, then to learn', () => {
    expect(commands({ isInstalled: false, unimported: 3 })).toEqual(['backstory install all']);
    expect(commands({ unimported: 3, waiting: 2, past: 1 })).toEqual(['backstory import']);
    expect(commands({ waiting: 2, past: 3 })).toEqual(['backstory review', 'backstory learn']);
    expect(commands({ unconfirmed: 4, waiting: 2 })).toEqual(['backstory import', 'backstory review']);
    expect(commands({ past: 3 })).toEqual(['backstory learn']);
    expect(commands({ past: 3, isLearned: true })).toEqual([]);
    expect(commands({ past: 2 })).toEqual([]);
  });
});

describe('the next step on a machine', () => {
  let memory: MemoryHome;
  beforeEach(() => {
    memory = createMemoryHome();
    writeJson(memory.paths.installs, { v: 1, installs: [{ agent: 'claude-code' }] });
  });
  afterEach(() => memory.remove());

  it('is to import a session from before the installation, and no later one', async () => {
    const folder = join(memory.home, '.claude', 'projects', 'p');
    const folders = agentFolders({}, memory.home);
    const session = (name: string): string => {
      const file = join(folder, `${name}.jsonl`);
      const record = {
        type: 'user',
        uuid: name,
        sessionId: name,
        cwd: memory.work,
        timestamp: '2026-11-01T00:00:00Z',
      };
      writeFileSync(
        file,
        `${JSON.stringify({ ...record, message: { role: 'user', content: 'add a button' } })}\n`,
      );
      utimesSync(file, memory.clock.now() / 1000, memory.clock.now() / 1000);
      return file;
    };
    const lines = async () =>
      nextStepLines(
        await findNextSteps({ ...memory, userHome: memory.home, agentFolders: folders }, memory.open()),
      );
    mkdirSync(folder, { recursive: true });
    expect(await lines()).toEqual([]);
    session('old');
    const moment = { now: memory.clock.now(), userHome: memory.home, isByAgent: false };
    recordPast(memory.paths.pastTranscripts, folders, moment);
    session('later');
    expect(await lines()).toEqual(['Next: backstory import (reads 1 past session of your agents)']);
    const found = findTranscripts(folders, ['claude-code']);
    await importTranscripts(memory.open(), found, { onRead() {}, onIndex() {} });
    await memory.open().notes.put(aNote({ state: 'candidate', kind: 'rule' }));
    expect(await lines()).toEqual([
      'Next: backstory import (asks whether 1 prompt that no hook saw is yours)',
      'Then: backstory review (1 statement to keep or reject, one key each)',
    ]);
  });
});
