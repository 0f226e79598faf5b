import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const first = '6d6b8821-b372-4c22-87f7-d04f23688b4e';
const second = '2a2349f2-df49-4802-a00c-8e8bf4043109';

let sandbox: Sandbox;
let commit: string;

beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  writeFileSync(join(sandbox.repo, 'queue.ts'), '');
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'queue: retries live in Postgres');
  commit = git(sandbox.repo, 'rev-parse', 'HEAD').trim();
  hook(first, 'UserPromptSubmit', { prompt: 'We decided to keep retries in Postgres instead of Redis.' });
  hook(second, 'UserPromptSubmit', { prompt: 'Show me how retries back off.' });
  settle(sandbox);
  expect(sandbox.cli('import', 'git').status).toBe(0);
});
afterAll(() => sandbox.remove());

function hook(session: string, event: string, more: object): void {
  const call = {
    hook_event_name: event,
    session_id: session,
    prompt_id: `turn of ${session}`,
    cwd: sandbox.repo,
  };
  expect(sandbox.hook({ ...call, ...more }).status).toBe(0);
}
const prints = (...args: string[]): string => {
  const { status, stdout, stderr } = sandbox.cli(...args);
  expect(status, stderr).toBe(0);
  return stdout;
};
const refusal = (...args: string[]): string => {
  const { status, stderr } = sandbox.cli(...args);
  expect(status).not.toBe(0);
  return stderr;
};

describe('[cli-ids] a printed id', () => {
  it('of an agent session filters a recall, in its short form too', () => {
    const found = prints('recall', 'retries', '--session', first.slice(0, 8));
    expect(found).toContain(`session ${first.slice(0, 8)}`);
    expect(found).not.toContain(second.slice(0, 8));
    expect(prints('recall', '--session', second)).toContain('back off');
    expect(refusal('recall', 'retries', '--session', 'ffffffff')).toContain('no agent session has the id');
  });

  it('of an agent session or a commit is accepted as a point in time', () => {
    expect(prints('show', '--around', second.slice(0, 8))).toMatch(/→ [0-9a-f]{8} {2}prompt.*\n.*back off/);
    for (const hash of [commit, commit.slice(0, 12), commit.slice(0, 8)])
      expect(prints('show', '--around', hash)).toMatch(/→ [0-9a-f]{8} {2}commit/);
  });

  it('of a commit opens it; for a session or a snapshot the error names the command that opens it', () => {
    for (const hash of [commit, commit.slice(0, 12), commit.slice(0, 10)])
      expect(prints('show', hash)).toContain('queue: retries live in Postgres');
    expect(refusal('show', first.slice(0, 8))).toContain(`backstory recall --session ${first.slice(0, 8)}`);
    expect(refusal('show', 'snap_1_x')).toContain('backstory handoff resume snap_1_x');
  });

  it('is shown in what it opens, next to the id of the event', () => {
    const [hit] = sandbox.json<{ hits: { id: string; sourceId: string }[] }>('recall', 'back off').hits;
    const short = (hit?.id ?? '').slice(0, 8);
    expect(prints('show', short)).toContain(`id ${short}, of event ${hit?.sourceId}`);
  });

  it('of an event gets an error that says what to do, where a note is required', () => {
    const [said] = sandbox.json<{ hits: { id: string }[] }>('recall', 'back off', '--kind', 'prompt').hits;
    for (const option of [['--pin'], []])
      expect(refusal('edit', (said?.id ?? '').slice(0, 8), ...option)).toContain('is an event of a session');
  });

  it('of a note stays the same when the same text is remembered again', () => {
    const id = /as ([0-9a-f]{8})/.exec(prints('remember', 'Prices are integers.'))?.[1];
    expect(prints('remember', 'Prices are integers.')).toContain(`Already remembered as ${id}`);
    expect(prints('remember', 'Prices are integers.', '--kind', 'rule')).not.toContain(id ?? '');
  });

  it('of an agent session selects what to forget', () => {
    expect(sandbox.cli('forget', '--source', second.slice(0, 8)).stderr).toContain('1 event');
    expect(sandbox.cli('forget', '--since', '1h').stderr).toMatch(/: [2-9]\d* events/);
  });
});
