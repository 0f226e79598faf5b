import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { linesOf } from '../base/lines.ts';

/**
 * Runs one program of a model's maker and sees to its end. Our own process may be killed at any moment, and the
 * program it had started would go on asking and being charged for; nothing but another process can prevent that.
 * Standard input is the lifeline: its first line says what to run, and when it closes whoever asked is gone.
 */
interface Call {
  program: string;
  args: string[];
  input: string;
  timeoutMs: number;
}

/** What a shell says of a program that cannot be started. */
const cannotStart = 127;
const timedOut = 124;

let child: ChildProcess | undefined;

function endAll(code: number): void {
  const pid = child?.pid;
  // The whole family: most of these programs are started by a script that starts the real one.
  if (pid !== undefined) {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It had just ended by itself.
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
  child.on('error', () => process.exit(cannotStart));
  child.on('exit', (code) => endAll(code ?? 1));
  // It may end before it has read everything; that is its answer.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  setTimeout(() => endAll(timedOut), timeoutMs);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endAll(1));
let isStarted = false;
for await (const line of linesOf(process.stdin)) {
  if (!isStarted) start(JSON.parse(line) as Call);
  isStarted = true;
}
endAll(1);
