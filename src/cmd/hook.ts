#!/usr/bin/env node
/**
 * The hook program. Agents run it for every event. It uses no packages and always exits 0, so that a failure never
 * disturbs the agent; `backstory doctor` shows recorded failures.
 *
 * An agent waits while it starts, so this file is small, and loads only the bundles that a call needs, from Node's
 * compile cache. It is built for old versions of Node, so that it can say that Node is too old.
 */

import { existsSync, readFileSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { processStart, systemClock } from '../base/clock.ts';
import { systemCodeOf } from '../base/errors.ts';
import { oldNodeMessage } from '../base/node-version.ts';
import { homePaths } from '../base/paths.ts';
import type { runHook } from '../hooks/run-hook.ts';
import type { Compared, EndedCommand } from '../memory/capture/compare-files.ts';
import { useHookCache } from './hook-cache.ts';
import { startDrain, startProgram } from './start-drain.ts';

/** A drain refreshes its marker file while it runs. If the marker is older than this, the drain was killed. */
const markerFreshMs = 15_000;

const maxInputBytes = 256 * 1024 * 1024;

function readStdin(): string {
  const pieces: Buffer[] = [];
  const piece = Buffer.allocUnsafe(64 * 1024);
  let total = 0;
  for (;;) {
    let count: number;
    try {
      count = readSync(0, piece, 0, piece.length, null);
    } catch (error) {
      if (systemCodeOf(error) === 'EAGAIN') continue;
      if (systemCodeOf(error) === 'EOF') break;
      throw error;
    }
    if (count === 0) break;
    total += count;
    if (total > maxInputBytes) throw new Error(`more than ${maxInputBytes} bytes on stdin`);
    pieces.push(Buffer.from(piece.subarray(0, count)));
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * The process of the agent, which also started the MCP server. Some agents start hooks through a shell that waits for
 * them; the agent is then the shell's parent. Only Linux says so without starting a process.
 */
function agentPid(): number {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? [];
    return /^(?:sh|dash|bash|zsh)$/.test(name ?? '') ? Number(parent) : process.ppid;
  } catch {
    return process.ppid;
  }
}

const loadBundle = (file: string) => require(join(__dirname, file));
const loadRedaction = () => loadBundle('hook-redaction.cjs');

async function main(): Promise<void> {
  const { env } = process;
  // An agent that Backstory itself calls must not be captured, because capture could call it again.
  if (env.BACKSTORY_OFF === '1' || env.BACKSTORY_INTERNAL === '1') return;
  const oldNode = oldNodeMessage(process.version, process.execPath);
  if (oldNode !== undefined) {
    const home = env.BACKSTORY_HOME || join(env.HOME || env.USERPROFILE || '', '.backstory');
    if (existsSync(homePaths(home).installs)) reportOldNode(oldNode);
    return;
  }
  const userHome = env.HOME || process.getBuiltinModule('node:os').homedir();
  const paths = homePaths(env.BACKSTORY_HOME || join(userHome, '.backstory'));
  // Checked first, so that hooks which are checked into a repository cost almost nothing for users who have not
  // installed Backstory.
  if (!existsSync(paths.installs)) return;
  try {
    useHookCache(paths, env);
    const run: typeof runHook = loadBundle('hook-core.cjs').runHook;
    const output = await run(readStdin(), {
      paths,
      clock: processStart,
      userHome,
      loginName: env.USER ?? env.USERNAME ?? '',
      aiAgent: env.AI_AGENT ?? '',
      variables: env,
      clientPid: Number(env.CLAUDE_PID ?? 0) || agentPid(),
      acknowledge: (id) => {
        if (env.BACKSTORY_ACK_FD !== undefined) writeSync(Number(env.BACKSTORY_ACK_FD), `${id}\n`);
      },
      loadRedaction,
      loadPlaces: () => loadBundle('hook-places.cjs'),
      loadTouchedFiles: () => loadBundle('hook-files.cjs').touchedFiles,
      loadRules: () => loadBundle('hook-rules.cjs'),
      loadOtherAgents: () => loadBundle('hook-agents.cjs').readOtherHook,
      loadTyped: () => loadBundle('hook-typed.cjs').createTyped(process.ppid, env),
      loadPrompts: () => loadBundle('hook-prompts.cjs'),
      loadRecall: () => loadBundle('hook-recall.cjs').createRecall(paths),
      compareFiles: (...args) =>
        startComparing(paths.project(args[0].project).fileStates(args[0].checkout), args, userHome),
      startDrain: (project) => startDrainUnlessRunning(paths.project(project).drainMarker, project, userHome),
    });
    if (output !== '') writeSync(1, output);
  } catch (error) {
    if (env.BACKSTORY_DEBUG === '1') writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
    loadRedaction().recordFailure(paths.failures, 'hook', error, systemClock);
  }
}

/**
 * Writes the line to stderr, which `backstory doctor` shows. Agents hide the stderr of a hook that exits 0, so at the
 * start of a session it is also a message that Claude Code and agents with its hooks show their user.
 */
function reportOldNode(message: string): void {
  writeSync(2, `${message}\n`);
  if (/"hook_event_name"\s*:\s*"SessionStart"/.test(readStdin()))
    writeSync(1, JSON.stringify({ systemMessage: message }));
}

function startDrainUnlessRunning(marker: string, project: string, userHome: string): void {
  try {
    if (systemClock.now() - statSync(marker).mtimeMs < markerFreshMs) return;
  } catch {
    // There is no marker file, so no drain (background indexing) is running.
  }
  startDrain(join(__dirname, 'drain.js'), project, userHome);
}

/** Without a command, files are compared only so that they are known before the next one. */
const comparedForMs = 20_000;

function startComparing(states: string, args: [Compared, EndedCommand[] | 'later'], userHome: string): void {
  const comparedAt = statSync(states, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isRecent = systemClock.now() - comparedAt < comparedForMs;
  if (args[1] === 'later' && comparedAt > 0) utimesSync(states, 0, 0);
  if (args[1] === 'later' || (args[1].length === 0 && isRecent)) return;
  startProgram(join(__dirname, 'compare-files.js'), [JSON.stringify(args)], userHome);
}

main().finally(() => process.exit(0));
