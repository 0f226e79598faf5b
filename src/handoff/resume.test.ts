import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { writeRules } from '../memory/rules/rule-table.ts';
import { fileLines } from '../text/file-lines.ts';
import { diffSnapshots } from './changed-since.ts';
import { briefNow } from './resume.ts';
import { latestHere } from './sessions.ts';
import { composeSnapshot } from './snapshot.ts';
import { ledgerOf, type WorkParts } from './work-parts.ts';

const functions = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `export function ${name}${at}(job) {\n  const tries = job.tries + ${at};\n${'  job.wait(tries);\n'.repeat(8)}}\n`,
  ).join('\n');

describe('a resumed snapshot', () => {
  let memory: MemoryHome;
  beforeEach(() => {
    memory = createMemoryHome();
    git('init', '-q', '-b', 'main', '.');
    put('small.js', 'export const limit = 3;\n');
    put('large.js', functions('retry', 20));
    put('other.js', functions('other', 20));
    put('unread.js', 'export {};\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    memory.prompt('Make the retries back off.');
  });
  afterEach(() => memory.remove());

  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
    execFileSync('git', [...who, ...args], { cwd: memory.work, stdio: 'ignore' });
  };
  const put = (name: string, text: string): void => writeFileSync(join(memory.work, name), text);
  const textOf = (name: string): string => readFileSync(join(memory.work, name), 'utf8');
  const read = (name: string): void => {
    const file_path = join(memory.work, name);
    const content = textOf(name);
    const numLines = fileLines(content).length;
    const file = { filePath: file_path, content, numLines, startLine: 1, totalLines: numLines };
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: memory.work,
      tool_name: 'Read',
      tool_use_id: `read-${name}`,
      tool_input: { file_path },
      tool_response: { type: 'text', file },
    });
  };
  const parts = (): WorkParts => {
    const project = memory.open();
    const { place } = resolvePlace(memory.paths, memory.work, memory.clock);
    return { project, place, context: {} as WorkParts['context'], isUser: false, mayWrite: false };
  };
  const snapshot = () => {
    const work = parts();
    const ledger = ledgerOf(work);
    const session = latestHere(work, ledger);
    if (session === undefined) throw new Error('no work session');
    return composeSnapshot(work, ledger, session, {});
  };
  const code = { source: async (path: string) => ({ path, text: textOf(path) }) };

  it('[handoff-context] carries the lines of small files and outlines of large ones that were read and are unchanged', async () => {
    for (const name of ['small.js', 'large.js', 'other.js']) read(name);
    const taken = await snapshot();
    const { brief, staleFiles } = await briefNow(parts(), taken, 3_500, code);
    expect(staleFiles).toEqual([]);
    expect(brief.text).toContain('small.js:1-1 of 1 lines\n|export const limit = 3;\n');
    expect(brief.text).toMatch(/large\.js, outline of 239 lines\n\|1-\d+ export function retry0\(job\) \{/);
    expect(brief.text).not.toContain('unread.js');
    expect(brief.carried.filter(({ piece }) => piece !== undefined).map(({ path }) => path)).toEqual([
      'small.js',
    ]);
    const alone = await briefNow(parts(), taken, 2_000);
    expect(alone.brief.carried).toEqual([]);
    expect((await briefNow(parts(), taken, alone.brief.tokens, code)).brief.carried).toEqual([]);
  });

  it('[handoff-changed] names every file that changed since, read or not, committed or not, and carries none of them', async () => {
    for (const name of ['small.js', 'large.js', 'other.js']) read(name);
    put('small.js', 'export const limit = 4;\n');
    put('draft.js', 'export {};\n');
    const taken = await snapshot();
    expect((await briefNow(parts(), taken, 3_500, code)).staleFiles).toEqual(['small.js']);
    put('unread.js', 'export const now = 1;\n');
    git('add', '.');
    git('commit', '-qm', 'Meanwhile');
    put('new.js', '');
    put('other.js', textOf('other.js').replace('tries + 3', 'tries + 4'));
    rmSync(join(memory.work, 'large.js'));
    const { brief, staleFiles } = await briefNow(parts(), taken, 3_500, code);
    expect(staleFiles).toEqual(['large.js', 'new.js', 'other.js', 'small.js', 'unread.js']);
    for (const line of [
      'small.js: STALE, changed since it was read',
      'other.js: STALE, changed since the snapshot',
      'unread.js: STALE, changed since the snapshot',
      'large.js: STALE, gone',
    ])
      expect(brief.text).toContain(`- ${line}\n`);
    expect(brief.text).toMatch(/- commit [0-9a-f]{12}: Meanwhile/);
    expect(brief.carried).toEqual([]);
    const { changed_files } = await diffSnapshots(memory.work, taken, await snapshot());
    expect(changed_files).toEqual(['large.js', 'new.js', 'other.js', 'unread.js']);
  });

  it('[handoff-private] carries nothing of a file that contains a secret, may not be shown, or would have to be altered', async () => {
    put('small.js', `export const token = "ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}";\n`);
    put('other.js', 'export const text = "</backstory-memory-00000000>";\n');
    put('large.js', 'export const hidden = 1;\n');
    put('unread.js', 'export const shown = 1;\n');
    for (const name of ['small.js', 'large.js', 'other.js', 'unread.js']) read(name);
    const source = async (path: string) => {
      if (path === 'large.js') throw new Error('ignored');
      return code.source(path);
    };
    const { brief } = await briefNow(parts(), await snapshot(), 3_500, { source });
    expect(brief.carried.map(({ path }) => path)).toEqual(['unread.js']);
  });

  it('[brief-denied] knows the rules that the user enforces, and no others', async () => {
    read('small.js');
    memory.hook({
      hook_event_name: 'PostToolUseFailure',
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: memory.work,
      tool_name: 'Bash',
      tool_use_id: 'run-1',
      tool_input: { command: 'npm install left-pad' },
      error: 'denied',
    });
    const taken = await snapshot();
    const rule = { note: 'a', line: 'the rule', match: { package: ['left-pad'], path: ['small.js'] } };
    const shown = async () => (await briefNow(parts(), taken, 3_500, code)).brief;
    const { rules } = memory.paths.project(memory.open().project);
    writeRules(rules, [rule]);
    expect((await shown()).text).toContain('see why `npm install left-pad` fails');
    writeRules(rules, [{ ...rule, isEnforced: true }]);
    expect((await shown()).text).not.toContain('left-pad');
    expect((await shown()).carried).toEqual([]);
  });
});
