import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import { recordedText } from '../contract/agents/recording.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

interface Report {
  ok: boolean;
  checks: { name: string; ok: boolean; isWarning?: true; detail: string; hint?: string }[];
}

const dayMs = 24 * 60 * 60 * 1000;
const recorded = 'claude-code-2.1.325/history/e40a6f9f-e353-4317-aef7-ae04ad9949dd.jsonl';

describe('transcripts that Claude Code is about to delete', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    sandbox.cli('install', 'claude-code');
  });
  afterEach(() => sandbox.remove());

  /** Writes a transcript that was last changed some days ago. */
  const session = (id: string, age: number): void => {
    const folder = claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo);
    const file = join(folder, `${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const place = { home: sandbox.home, work: sandbox.repo };
    // A session has ids of its own.
    writeFileSync(
      file,
      recordedText(recorded, place).replaceAll(/"(uuid|parentUuid|sessionId)":"/g, `$&${id}-`),
    );
    const changed = new Date(Date.now() - age * dayMs);
    utimesSync(file, changed, changed);
  };
  const settings = (value: object): void =>
    writeFileSync(join(sandbox.home, '.claude/settings.json'), `// retention\n${JSON.stringify(value)}`);
  const checked = (agent = 'claude-code') => {
    const report = JSON.parse(sandbox.cli('doctor', '--json').stdout) as Report;
    return report.checks.find(({ name }) => name === `${agent} transcripts`);
  };

  it('[doctor-expiring] are named by the doctor with the command that reads them, until they are read', async () => {
    expect(checked()).toBeUndefined();
    session('young', 3);
    expect(checked()).toMatchObject({ ok: true, detail: expect.stringContaining('after 30 days') });
    expect(checked()?.isWarning).toBeUndefined();
    session('old', 25);
    session('older', 31);
    expect(checked()).toMatchObject({
      isWarning: true,
      detail: expect.stringContaining('2 sessions that Backstory has not read will be deleted soon'),
      hint: 'backstory import claude-code',
    });
    expect(sandbox.cli('doctor').stdout).toMatch(
      /warn claude-code transcripts: .*\n {5}backstory import claude-code\n/,
    );
    expect(sandbox.cli('import', 'claude-code').status).toBe(0);
    // A background run may still hold the index.
    await expect.poll(() => checked()?.isWarning, { timeout: 20_000 }).toBeUndefined();
    // Without an index, the log says what was read.
    rmSync(join(sandbox.projectFolder(), 'index'), { recursive: true });
    expect(checked()?.isWarning).toBeUndefined();
  });

  it('[doctor-expiring] are those of the period in the settings, in folders that are captured', () => {
    session('old', 25);
    const day = new Date(Date.now() + 5 * dayMs).toISOString().slice(0, 10);
    expect(checked()?.detail).toContain(
      `1 session that Backstory has not read will be deleted from ${day} on`,
    );
    settings({ cleanupPeriodDays: 365 });
    expect(checked()).toMatchObject({ detail: expect.stringContaining('after 365 days') });
    expect(checked()?.isWarning).toBeUndefined();
    settings({ cleanupPeriodDays: 20 });
    expect(checked()).toMatchObject({ isWarning: true });
    sandbox.cli('capture', 'exclude', sandbox.repo);
    expect(checked()?.isWarning).toBeUndefined();
  });
});
