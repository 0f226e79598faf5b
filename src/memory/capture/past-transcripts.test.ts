import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../agents/agent.ts';
import { agentFolders } from '../../agents/settings.ts';
import { readJson, writeJson } from '../../base/files.ts';
import { pastPrompts, recordPast } from './past-transcripts.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-past-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(home, { recursive: true, force: true }));
const path = join(home, 'past.json');
const now = Date.parse('2026-11-14T12:00:00Z');

describe('a prompt of a transcript', () => {
  const prompt = (file: string, offset?: number, at = '2026-11-14T12:00:00Z') =>
    ({ kind: 'prompt', source: { file, ...(offset === undefined ? {} : { offset }) }, at }) as Observation;

  it('is from before the installation if the transcript had it by then', () => {
    writeJson(path, { at: now, files: { '~/a.jsonl': 100, '~/db#s': 0 } });
    const isPast = pastPrompts(path, home);
    expect(isPast(prompt('~/a.jsonl', 99))).toBe(true);
    expect(isPast(prompt(join(home, 'a.jsonl'), 99))).toBe(true);
    expect(isPast(prompt('~/a.jsonl', 100))).toBe(false);
    expect(isPast(prompt('~/a.jsonl'))).toBe(true);
    expect(isPast(prompt('~/b.jsonl', 0))).toBe(false);
    expect(isPast({ kind: 'prompt' } as Observation)).toBe(false);
    expect(isPast(prompt('~/a.jsonl', 99, '2026-11-14T12:00:00.001Z'))).toBe(false);
    expect(isPast(prompt('~/a.jsonl', 99, ''))).toBe(false);
    expect(isPast(prompt('~/db#s', 5)), 'a session in a database').toBe(true);
  });

  it('is not from before if nothing was recorded at the installation', () => {
    expect(pastPrompts(path, home)(prompt('~/a.jsonl', 0))).toBe(false);
  });
});

describe('the installation', () => {
  const folders = agentFolders({}, home);
  const record = (isByAgent: boolean, at = now) =>
    recordPast(path, folders, { now: at, userHome: home, isByAgent });
  const history = () => join(folders['claude-code'].config, 'history.jsonl');
  beforeEach(() => {
    mkdirSync(folders['claude-code'].config, { recursive: true });
    writeFileSync(history(), 'x'.repeat(12));
  });

  it('records the size of each transcript, once', () => {
    record(false);
    expect(readJson(path)).toEqual({ at: now, files: { [history().replace(home, '~')]: 12 } });
    record(false, now + 1);
    expect(readJson(path)).toMatchObject({ at: now });
  });

  it('by an agent records none, because the agent could have written them', () => {
    record(true);
    expect(readJson(path)).toEqual({ at: now, isByAgent: true, files: {} });
  });

  it('records none that is not there', () => {
    rmSync(history());
    record(false);
    expect(readJson(path)).toEqual({ at: now, files: {} });
  });
});
