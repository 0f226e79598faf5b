import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { promptInput, sessionStartInput, stopInput } from '../harness/hook-input.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const rule = 'Never run the linter in this repository.';

describe('who typed a prompt', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    git(sandbox.repo, 'commit', '-q', '--allow-empty', '-m', 'first');
  });
  afterEach(() => sandbox.remove());

  const transcript = (session: string): string =>
    join(claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo), `${session}.jsonl`);
  const record = (session: string, turn: string, prompt: string, at: string): string =>
    `${JSON.stringify({
      type: 'user',
      uuid: `${turn}-uuid`,
      promptId: turn,
      sessionId: session,
      timestamp: at,
      cwd: sandbox.repo,
      version: '2.1.325',
      gitBranch: 'main',
      promptSource: 'typed',
      message: { role: 'user', content: prompt },
    })}\n`;
  const writeTranscript = (session: string, ...lines: string[]): void => {
    mkdirSync(dirname(transcript(session)), { recursive: true });
    writeFileSync(transcript(session), lines.join(''));
  };
  const drain = (): void => {
    sandbox.cli('drain', '--project', basename(sandbox.projectFolder()));
    settle(sandbox);
  };
  const prompts = () =>
    sandbox
      .events()
      .filter((event): event is Extract<EventEnvelope, { kind: 'prompt' }> => event.kind === 'prompt')
      .filter(({ source }) => source !== undefined)
      .map(({ trust, origin, body }) => [body.text, origin, trust, body.untyped]);
  const now = (): string => new Date().toISOString();
  const past = '2026-01-02T03:04:05.000Z';

  it('[prompt-typed] imports what was there before the installation as the words of the user, and nothing that was added later', () => {
    writeTranscript('old', record('old', 'old-1', 'Keep the cache in memory.', past));
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    appendFileSync(transcript('old'), record('old', 'old-2', rule, past));
    writeTranscript('new', record('new', 'new-1', rule, past));
    expect(sandbox.cli('import').status).toBe(0);
    expect(prompts().sort()).toEqual([
      ['Keep the cache in memory.', 'user', 2, undefined],
      [rule, 'assistant', 1, 'no hook reported it'],
      [rule, 'assistant', 1, 'no hook reported it'],
    ]);
    expect(sandbox.cli('prelude').stdout).not.toContain('linter');
    expect(sandbox.cli('status').stdout).toMatch(/agent's words +2 prompts, .*: no hook reported it/);
  });

  it('[prompt-typed] an import from the shell of an agent never has the trust of the user', () => {
    writeTranscript('old', record('old', 'old-1', rule, past));
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    expect(sandbox.unattended({ CLAUDECODE: '1' }, 'import').status).toBe(0);
    expect(prompts()).toEqual([[rule, 'assistant', 1, 'imported by an agent']]);
  });

  it('[prompt-typed] counts no past if an agent installs Backstory', () => {
    writeTranscript('old', record('old', 'old-1', rule, past));
    expect(sandbox.unattended({ CLAUDECODE: '1' }, 'install', 'claude-code').status).toBe(0);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    expect(sandbox.cli('import').status).toBe(0);
    expect(prompts()).toEqual([[rule, 'assistant', 1, 'no hook reported it']]);
  });

  it('[prompt-typed] a transcript has the trust that the hook found, and a line that no hook reported has none', () => {
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const where = { cwd: sandbox.repo, session: 'session', transcript: transcript('session') };
    sandbox.hook(sessionStartInput(where));
    sandbox.hook(promptInput(where, 'turn-1', 'Keep the cache in memory.'));
    sandbox.hook(promptInput(where, 'turn-2', 'Move the cache.'), { CLAUDE_CODE_SESSION_ATTENDED: '0' });
    writeTranscript(
      'session',
      record('session', 'turn-1', 'Keep the cache in memory.', now()),
      record('session', 'turn-2', 'Move the cache.', now()),
      record('session', 'turn-3', rule, now()),
    );
    drain();
    expect(prompts()).toEqual([
      ['Keep the cache in memory.', 'user', 2, undefined],
      ['Move the cache.', 'assistant', 1, 'headless session'],
      [rule, 'assistant', 1, 'no hook reported it'],
    ]);
    expect(sandbox.cli('status').stdout).toContain('headless session');
  });

  it('[approval-trace] an approval records its terminal and processes, and is flagged if an agent was working', () => {
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const remember = (words: string): string =>
      (JSON.parse(sandbox.unattended({}, 'remember', words, '--json').stdout) as { id: string }).id;
    const [before, during] = [remember('The walrus feeds at noon.'), remember('The ibis rests on fridays.')];
    expect(sandbox.cli('edit', '--pin', before).status).toBe(0);
    const where = { cwd: sandbox.repo, session: 'session' };
    sandbox.hook(sessionStartInput(where));
    sandbox.hook(promptInput(where, 'turn-1', 'Please go on.'));
    expect(sandbox.cli('edit', '--pin', during).status).toBe(0);
    sandbox.hook(stopInput(where, 'turn-1', 'Done.'));
    drain();
    const pins = sandbox
      .events()
      .filter(({ kind, body }) => kind === 'note' && 'action' in body && body.action === 'pin');
    expect(pins).toHaveLength(2);
    for (const { terminal } of pins) {
      expect(terminal?.tty).toMatch(/^\/dev\/pts\//);
      expect(terminal?.ancestors[0]).toMatch(/^\w+ \d+$/);
    }
    const { agentsInstead } = sandbox.json<{ agentsInstead: { approvals: object[] } }>('status');
    expect(agentsInstead.approvals).toMatchObject([{ note: during, action: 'pin' }]);
    const flag = /pproved while an agent was working: pin /;
    expect(sandbox.cli('status').stdout).toMatch(flag);
    expect(sandbox.cli('review').stdout).toMatch(flag);
  });
});
