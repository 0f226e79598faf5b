import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import { headOf } from '../../src/drift/current-code.ts';
import { git } from './sandbox.ts';

interface Reporting {
  work: string;
  clock: { now(): number };
  hook(input: object): string;
}

let uses = 0;

/**
 * Writes a file and reports the edit through the hook as Claude Code does: with the hunks of the change, or as a new
 * file.
 */
export function editAs(memory: Reporting, session: string, turn: string, path: string, text: string): void {
  const filePath = join(memory.work, path);
  const before = existsSync(filePath) ? readFileSync(filePath, 'utf8') : undefined;
  put(memory, path, text);
  const patch =
    before === undefined ? [] : structuredPatch(path, path, before, text, '', '', { context: 3 }).hunks;
  uses++;
  memory.hook({
    hook_event_name: 'PostToolUse',
    session_id: session,
    prompt_id: turn,
    cwd: memory.work,
    tool_use_id: `use-${session}-${uses}`,
    tool_name: before === undefined ? 'Write' : 'Edit',
    tool_input: { file_path: filePath },
    tool_response:
      before === undefined
        ? { type: 'create', filePath, content: text, structuredPatch: [] }
        : { filePath, structuredPatch: patch },
  });
}

/** Writes a file as a person would, without a hook. */
export function put({ work }: Pick<Reporting, 'work'>, path: string, text: string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), text);
}

/** Commits everything at the time of the memory's clock, which advances. */
export function commitAll({ work, clock }: Pick<Reporting, 'work' | 'clock'>, message: string): string {
  git(work, 'add', '-A');
  gitAt(clock.now(), work, 'commit', '-q', '--allow-empty', '-m', message);
  return headOf(work).head;
}

/** Runs git with the given time as its clock. */
export function gitAt(ms: number, cwd: string, ...args: string[]): string {
  const date = `${Math.floor(ms / 1000)} +0000`;
  const before = { author: process.env.GIT_AUTHOR_DATE, committer: process.env.GIT_COMMITTER_DATE };
  process.env.GIT_AUTHOR_DATE = date;
  process.env.GIT_COMMITTER_DATE = date;
  try {
    return git(cwd, ...args);
  } finally {
    restore('GIT_AUTHOR_DATE', before.author);
    restore('GIT_COMMITTER_DATE', before.committer);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** Reports a command and how it ended, as Claude Code does. */
export function runAs(
  memory: Reporting,
  session: string,
  turn: string,
  command: string,
  isOk: boolean,
  stdout = 'ok',
): void {
  uses++;
  memory.hook({
    session_id: session,
    prompt_id: turn,
    cwd: memory.work,
    tool_name: 'Bash',
    tool_use_id: `use-${session}-${uses}`,
    tool_input: { command },
    ...(isOk
      ? { hook_event_name: 'PostToolUse', tool_response: { stdout, stderr: '' } }
      : { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1\nexpected 2, got 3' }),
  });
}
