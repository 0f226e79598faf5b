import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePaths } from '../../src/base/paths.ts';
import { readPrelude } from '../../src/memory/prelude/prelude-file.ts';
import { installPackage } from '../../test/harness/package.ts';
import { type McpServerUnderTest, startMcp } from '../../test/support/mcp.ts';
import { createSandbox, type Sandbox, settle } from '../../test/support/sandbox.ts';
import { type RealSession, readSessions } from '../recall-wordings/read-sets.ts';
import type { Told } from './holds.ts';

/** A call of `remember` that an agent made. It belongs to the prompt with the number `after`. */
interface RecordedCall {
  after: number;
  topic: string;
  quote?: string;
  reading?: string;
  proposal?: string;
  kind?: string;
  files?: string[];
  /** The line in the file, counted from 1, of the call whose note it replaces. */
  replaces?: number;
}

/** The installed package, built once for all projects. */
let packed: string | undefined;

/**
 * Plays the sessions of a project through the installed hooks, and makes the recorded calls of `remember` through the
 * installed MCP server, each after the prompt it belongs to and before the answer to that prompt.
 */
export async function playAgent(_project: string, folder: string): Promise<Told> {
  packed ??= installPackage().folder;
  const installed = packed;
  const sandbox = createSandbox(installed);
  try {
    sandbox.cli('install', 'claude-code');
    const calls = readCalls(folder);
    const ids: string[] = [];
    const refused: string[] = [];
    for (const session of readSessions(folder)) {
      hook(sandbox, session.id, 'SessionStart', { source: 'startup' });
      const server = await startMcp(sandbox, installed, 'core');
      try {
        await playSession(sandbox, session, async (prompt) => {
          for (const [at, call] of calls.entries()) {
            if (String(call.after) !== prompt) continue;
            const answer = await remember(server, call, ids);
            ids[at] = /id ([0-9a-f]{8})/.exec(answer)?.[1] ?? '';
            if (!answer.startsWith('Remembered'))
              refused.push(`${call.topic}: ${call.reading || (call.quote ?? '')} | ${answer}`);
          }
        });
      } finally {
        await server.stop();
      }
      settle(sandbox);
    }
    return { lines: toldIn(sandbox), refused, missing: '' };
  } finally {
    sandbox.remove();
  }
}

const readCalls = (folder: string): RecordedCall[] => {
  const path = join(folder, 'calls.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as RecordedCall);
};

async function remember(
  server: McpServerUnderTest,
  { after: _, replaces, ...given }: RecordedCall,
  ids: string[],
): Promise<string> {
  const id = replaces === undefined ? undefined : ids[replaces - 1];
  const { content } = await server.call('remember', { ...given, ...(id ? { replaces: id } : {}) });
  return content[0]?.text ?? '';
}

async function playSession(
  sandbox: Sandbox,
  { id, messages }: RealSession,
  onPrompt: (message: string) => Promise<void>,
): Promise<void> {
  let turn = '';
  let answer = '';
  const endTurn = (): void => {
    if (answer !== '') hook(sandbox, id, 'Stop', { prompt_id: turn, last_assistant_message: answer });
    answer = '';
  };
  for (const { id: message, act } of messages) {
    if (act.kind === 'answer') answer = act.text;
    if (act.kind !== 'prompt') continue;
    endTurn();
    turn = `turn-${message}`;
    hook(sandbox, id, 'UserPromptSubmit', { prompt_id: turn, prompt: act.text });
    await onPrompt(message);
  }
  endTurn();
}

function hook(sandbox: Sandbox, session: string, name: string, more: object): void {
  const call = { session_id: session, cwd: sandbox.repo, hook_event_name: name, ...more };
  const { status } = sandbox.hook(call, { CLAUDE_PID: String(process.pid) });
  if (status !== 0) throw new Error(`the hook ${name} failed`);
}

/** The lines of the prelude that tell a note. */
function toldIn(sandbox: Sandbox): string[] {
  const paths = homePaths(join(sandbox.home, '.backstory'));
  const project = sandbox.projectFolder().split('/').at(-1) ?? '';
  const lines = readPrelude(paths, project)?.lines ?? [];
  return lines.filter(({ note }) => note !== undefined).map(({ text }) => text.replace(/ \[\w+\]$/, ''));
}
