/**
 * Fills the compile cache of the hook: it loads the hook's bundles and makes sample calls in a temporary home, so that
 * the functions which hooks use are compiled. `install` runs it, and the drain after an update of Backstory or Node.
 * Hooks only read the cache, because a hook must not write where capture is off. Argument: the Backstory home.
 */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { homePaths } from '../base/paths.ts';
import type { HookParts, runHook } from '../hooks/run-hook.ts';
import { hookCacheFolder, readyFile } from './hook-cache.ts';

const load = (name: string) => require(join(__dirname, `${name}.cjs`));

async function main(home: string): Promise<void> {
  // With options that change the code, hooks could not use the cache.
  if (process.env.NODE_OPTIONS || home === '') return;
  process.umask(0o077);
  const folder = hookCacheFolder(homePaths(home));
  for (const old of readdirIfThere(dirname(folder)))
    if (old !== basename(folder)) rmSync(join(dirname(folder), old), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  enableCompileCache(folder);
  const work = mkdtempSync(join(tmpdir(), 'backstory-warm-'));
  try {
    await makeSampleCalls(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  flushCompileCache();
  writeFileSync(join(folder, readyFile), '');
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function makeSampleCalls(work: string): Promise<void> {
  const paths = homePaths(join(work, 'home'));
  const cwd = join(work, 'repo');
  mkdirSync(cwd);
  mkdirSync(paths.home);
  writeFileSync(paths.installs, '{}');
  const run: typeof runHook = load('hook-core').runHook;
  const parts: HookParts = {
    paths,
    clock: systemClock,
    userHome: work,
    loginName: 'sample',
    aiAgent: '',
    clientPid: 0,
    acknowledge: () => {},
    startDrain: () => {},
    loadRedaction: () => load('hook-redaction'),
    loadPlaces: () => load('hook-places'),
    loadTouchedFiles: () => load('hook-files').touchedFiles,
    loadRules: () => load('hook-rules'),
    loadOtherAgents: () => load('hook-agents').readOtherHook,
    loadPrompts: () => load('hook-prompts'),
  };
  const common = { session_id: 'sample', transcript_path: '', cwd, prompt_id: 'turn' };
  const call = (hook_event_name: string, more: object) =>
    run(JSON.stringify({ ...common, hook_event_name, ...more }), parts);
  await call('SessionStart', { source: 'startup' });
  for (const id of readdirSync(paths.projects)) {
    const line = { section: 'Rules', text: 'a sample', reason: 'a sample' };
    const rules = [{ note: 'sample', line: 'a sample', matchers: [{ on: 'command', programs: ['sample'] }] }];
    writeFileSync(
      paths.project(id).prelude,
      JSON.stringify({ v: 1, position: {}, lines: [line], digest: 'sample' }),
    );
    writeFileSync(paths.project(id).rules, JSON.stringify({ v: 1, rules }));
  }
  const bash = { tool_name: 'Bash', tool_use_id: 'one', tool_input: { command: 'git status && ls' } };
  const file = { filePath: join(cwd, 'sample.ts'), structuredPatch: [] };
  await call('SessionStart', { source: 'startup' });
  await call('UserPromptSubmit', { prompt: 'Please have a look at the worker, it is too slow.' });
  await call('PreToolUse', bash);
  await call('PostToolUse', { ...bash, tool_response: { stdout: 'sample', stderr: '' } });
  await call('PostToolUse', { ...bash, tool_name: 'Edit', tool_use_id: 'two', tool_response: file });
  await call('Stop', { last_assistant_message: 'The worker waited for a lock. It does not any more.' });
  await call('SessionEnd', { reason: 'other' });
  for (const name of ['hook-agents', 'hook-recall', 'hook-prompts']) load(name);
}

// A missing cache only costs time.
main(process.argv[2] ?? '').catch(() => {
  process.exitCode = 1;
});
