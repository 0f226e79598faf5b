import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

interface Report {
  checks: { name: string; ok: boolean; detail: string; hint?: string }[];
}

describe('an agent that ran without being captured', () => {
  let sandbox: Sandbox;
  afterEach(() => sandbox.remove());

  const rollout = () =>
    join(sandbox.home, '.codex/sessions/2026/11/15/rollout-2026-11-15T00-00-00-0a1b.jsonl');
  const checked = () =>
    (JSON.parse(sandbox.cli('doctor', '--json').stdout) as Report).checks.find(
      ({ name }) => name === 'codex sessions',
    );

  const runSilently = (): void => {
    mkdirSync(dirname(rollout()), { recursive: true });
    const meta = { id: 'session-1', cwd: sandbox.repo, cli_version: '0.166.0' };
    writeFileSync(rollout(), `${JSON.stringify({ type: 'session_meta', payload: meta })}\n`);
  };
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    expect(sandbox.cli('install', 'codex').status).toBe(0);
  });

  it('[doctor-silent-agent] is named by the doctor until it is captured', () => {
    expect(checked()).toBeUndefined();
    runSilently();
    expect(checked()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('nothing was captured'),
    });

    const call = {
      session_id: 'session-1',
      turn_id: 'turn-1',
      cwd: sandbox.repo,
      transcript_path: rollout(),
    };
    sandbox.hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'hello' });
    settle(sandbox);
    expect(checked()).toMatchObject({ ok: true });
    appendFileSync(rollout(), `${JSON.stringify({ type: 'brand_new', payload: {} })}\n`.repeat(2));
    expect(checked()).toMatchObject({ ok: true, detail: expect.stringContaining('brand_new × 2') });
  });

  it('[doctor-silent-agent] is not named for sessions in a place where capture is off', () => {
    sandbox.cli('capture', 'off');
    runSilently();
    expect(checked()).toBeUndefined();
  });
});
