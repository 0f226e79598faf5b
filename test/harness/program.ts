import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ProgramOptions {
  cwd: string;
  env: Record<string, string>;
  input?: string;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  wallMs: number;
  /** Ids that the program acknowledged as stored on disk. */
  acknowledged: string[];
}

export interface StartedProgram {
  child: ChildProcess;
  /** Resolves at the first acknowledgement, or at the end of the program if there is none. */
  acknowledgement: Promise<void>;
  ended: Promise<Ended>;
}

/** Starts a Node program. A hook acknowledges stored events on its fourth stream. */
export function startProgram(args: string[], { cwd, env, input = '' }: ProgramOptions): StartedProgram {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, BACKSTORY_ACK_FD: '3' },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const { promise: acknowledgement, resolve: acknowledge } = Promise.withResolvers<void>();
  (child.stdio[3] as Readable).on('data', (data) => {
    output += data;
    acknowledge();
  });
  // A killed program stops reading its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  let wallMs = 0;
  child.on('exit', () => {
    wallMs = performance.now() - started;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    // On "exit", acknowledgements may still be in transit.
    child.on('close', (code, signal) => {
      acknowledge();
      // An id without its newline was cut off by the kill and does not count.
      resolve({ code, signal, wallMs, acknowledged: output.split('\n').slice(0, -1) });
    });
  });
  return { child, acknowledgement, ended };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
