/**
 * Runs one model provider's command-line program, such as `claude`, and kills it when the caller dies. If the caller
 * itself is killed, only a separate process like this one can stop the program from running up costs. The first line of
 * standard input says what to run; end of input means that the caller is gone.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { linesOf } from '../base/lines.ts';

interface Call {
  program: string;
  args: string[];
  input: string;
  timeoutMs: number;
}

/** Exit codes with the meaning that a shell (127) and `timeout` (124) give them. */
const cannotStartExitCode = 127;
const timeoutExitCode = 124;

let child: ChildProcess | undefined;

function killAndExit(code: number): void {
  const pid = child?.pid;
  // Kill the whole process group: most providers' commands are scripts, and the program that a script started would go
  // on.
  if (pid !== undefined) {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // The program has already exited.
      }
    }
  }
  process.exit(code);
}

function start({ program, args, input, timeoutMs }: Call): void {
  child = spawn(program, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  child.on('error', () => process.exit(cannotStartExitCode));
  child.on('exit', (code) => killAndExit(code ?? 1));
  // The program may exit without reading all of its input. Its exit code says whether it failed.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  setTimeout(() => killAndExit(timeoutExitCode), timeoutMs);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => killAndExit(1));
let isStarted = false;
for await (const line of linesOf(process.stdin)) {
  if (!isStarted) start(JSON.parse(line) as Call);
  isStarted = true;
}
killAndExit(1);
