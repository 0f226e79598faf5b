#!/usr/bin/env node
/**
 * The hook program. Agents run it for every event. It uses no packages and always exits 0, so that a failure never
 * disturbs the agent; `backstory doctor` shows recorded failures.
 */

import { readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { systemCodeOf } from '../base/errors.ts';
import { homePaths } from '../base/paths.ts';
import { runHook } from '../hooks/run-hook.ts';
import { markerFreshMs } from '../memory/drain-marker.ts';
import { recordFailure } from '../memory/projects/failures.ts';
import { startDrain } from './start-drain.ts';

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

/** Loads code that most hook calls do not need from a separate bundle. */
const loadBundle = (file: string) => require(join(__dirname, file));

function main(): void {
  const { env } = process;
  // An agent that Backstory itself calls must not be captured, because capture could call it again.
  if (env.BACKSTORY_OFF === '1' || env.BACKSTORY_INTERNAL === '1') return;
  const userHome = env.HOME || process.getBuiltinModule('node:os').homedir();
  const paths = homePaths(env.BACKSTORY_HOME || join(userHome, '.backstory'));
  try {
    const output = runHook(readStdin(), {
      paths,
      clock: systemClock,
      userHome,
      loginName: env.USER ?? env.USERNAME ?? '',
      aiAgent: env.AI_AGENT ?? '',
      variables: env,
      clientPid: Number(env.CLAUDE_PID ?? 0) || process.ppid,
      acknowledge: (id) => {
        if (env.BACKSTORY_ACK_FD !== undefined) writeSync(Number(env.BACKSTORY_ACK_FD), `${id}\n`);
      },
      loadTouchedFiles: () => loadBundle('hook-files.cjs').touchedFiles,
      loadPluginCalls: () => loadBundle('hook-plugins.cjs').readPluginCall,
      startDrain: (project) => startDrainUnlessRunning(paths.project(project).drainMarker, project, userHome),
    });
    if (output !== '') writeSync(1, output);
  } catch (error) {
    if (env.BACKSTORY_DEBUG === '1') writeSync(2, `${error instanceof Error ? error.stack : error}\n`);
    recordFailure(paths.failures, 'hook', error, systemClock);
  }
}

function startDrainUnlessRunning(marker: string, project: string, userHome: string): void {
  try {
    if (systemClock.now() - statSync(marker).mtimeMs < markerFreshMs) return;
  } catch {
    // There is no marker file, so no drain (background indexing) is running.
  }
  startDrain(join(__dirname, 'drain.js'), project, userHome);
}

main();
process.exit(0);
