import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import { recordedFiles, recordedText } from '../contract/agents/recording.ts';
import { createSandbox, type Sandbox, storedFiles } from '../support/sandbox.ts';

/** Files that Claude Code 2.1.325 wrote in a session at its terminal: two pasted texts, a shell command, /model, /exit. */
const recorded = 'claude-code-2.1.325/history';
const session = 'e40a6f9f-e353-4317-aef7-ae04ad9949dd';
const rule = 'We always use leases, never locks';

interface Imported {
  events: number;
  prompts: number;
}

describe('import of the prompt history of Claude Code', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    // The user's past: only what was there before the installation counts as the user's words.
    for (const file of recordedFiles(recorded)) if (!file.startsWith(session)) write(file, recordedOf(file));
    sandbox.cli('install', 'claude-code');
  });
  afterEach(() => sandbox.remove());

  const recordedOf = (file: string): string =>
    recordedText(join(recorded, file), { home: sandbox.home, work: sandbox.repo });
  const write = (file: string, content: string): void => {
    const path = join(sandbox.home, '.claude', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const transcript = (): string =>
    join(claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo), `${session}.jsonl`);
  const writeTranscript = (): void => {
    mkdirSync(dirname(transcript()), { recursive: true });
    writeFileSync(transcript(), recordedOf(`${session}.jsonl`));
  };
  const add = (entry: object): void =>
    appendFileSync(
      join(sandbox.home, '.claude/history.jsonl'),
      `${JSON.stringify({ pastedContents: {}, project: sandbox.repo, ...entry })}\n`,
    );
  const runImport = () => sandbox.json<Imported>('import');
  const prompts = () => sandbox.events().filter((event) => event.kind === 'prompt');
  /** The prompts that recall knows, without those that a better record replaced. */
  const recalled = (question: string) =>
    sandbox
      .json<{ hits: { kind: string; text: string }[] }>('recall', question, '--kind', 'prompt')
      .hits.map(({ text }) => text);

  it('[import-history] takes typed prompts of deleted transcripts once, with pasted text and as the words of the user', () => {
    const before = storedFiles(sandbox);
    expect(sandbox.cli('import', '--dry-run').stdout).toContain('prompts without a transcript');
    expect(storedFiles(sandbox)).toEqual(before);
    expect(sandbox.cli('import').stdout).toContain('3 prompts without a transcript');
    const [first, long, short] = prompts();
    expect(first).toMatchObject({
      agent: 'claude-code',
      agentSession: session,
      origin: 'user',
      trust: 2,
      at: '2026-11-16T17:49:28.356Z',
      source: { file: '~/.claude/history.jsonl', offset: 0 },
      body: { text: rule },
    });
    expect(long?.body.text).toMatch(/^line 0 of a long pasted log\n[\s\S]+ why does this log stop$/);
    expect(short?.body.text).toMatch(/^line 0 of a short paste\n[\s\S]+ and this one$/);
    expect(prompts()).toHaveLength(3);
    expect(runImport()).toMatchObject({ events: 0, prompts: 0 });
    expect(recalled('leases locks')).toContain(rule);
  });

  it('[import-history] stores no prompt twice that a transcript has, before or after the history is read', () => {
    writeTranscript();
    expect(sandbox.cli('import', '--dry-run').stdout).not.toContain('without a transcript');
    expect(runImport()).toMatchObject({ events: 14, prompts: 0 });
    rmSync(transcript());
    expect(runImport()).toMatchObject({ events: 0, prompts: 0 });
    expect(prompts()).toHaveLength(4);
  });

  it('[import-history] leaves out commands, damaged lines, what is forgotten, excluded or older than --since', () => {
    const at = { timestamp: Date.now(), sessionId: 'other' };
    for (const display of [
      '/model opus',
      '/clear',
      'exit',
      '!git push',
      '',
      '<task-notification>x</task-notification>',
    ])
      add({ display, ...at });
    add({ display: 'a prompt without a time', sessionId: 'other' });
    add({ display: '/fix-issue the login fails on Safari', ...at });
    appendFileSync(join(sandbox.home, '.claude/history.jsonl'), 'not json\n{"display":');
    sandbox.cli('capture', 'exclude', sandbox.repo);
    expect(runImport()).toMatchObject({ prompts: 0 });
    sandbox.cli('capture', 'exclude', '--remove', sandbox.repo);
    expect(sandbox.json<Imported>('import', '--since', '2999-01-01')).toMatchObject({ prompts: 0 });
    expect(sandbox.json<Imported>('import', 'codex')).toMatchObject({ prompts: 0 });
    expect(runImport()).toMatchObject({ prompts: 4 });
    expect(prompts().map(({ body }) => body.text)).toContain('/fix-issue the login fails on Safari');
    sandbox.cli('forget', '--containing', 'never locks', '--yes');
    expect(runImport()).toMatchObject({ prompts: 0 });
    writeTranscript();
    runImport();
    expect(JSON.stringify(sandbox.events())).not.toContain('never locks');
  });
});
