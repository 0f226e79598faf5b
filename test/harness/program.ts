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
  /** Ids the program said were safely on disk. */
  acknowledged: string[];
}

export interface StartedProgram {
  child: ChildProcess;
  /** Resolves at the first acknowledgement, or at the end when there is none. */
  acknowledgement: Promise<void>;
  ended: Promise<Ended>;
}

/** Runs a Node program beside this one, with a fourth stream on which a hook acknowledges what it has stored. */
export function startProgram(args: string[], { cwd, env, input = '' }: ProgramOptions): StartedProgram {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, BACKSTORY_ACK_FD: '3' },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const { promise: acknowledgement, resolve: acknowledge } = Promise.withResolvers<void>();
  (child.stdio[3] as Readable).on('data', (data) => {
    said += data;
    acknowledge();
  });
  // A killed program stops reading; that is the point of killing it.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  let wallMs = 0;
  child.on('exit', () => {
    wallMs = performance.now() - started;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    // Not "exit": the acknowledgements may still be on their way then.
    child.on('close', (code, signal) => {
      acknowledge();
      // An id without its newline was cut off by the kill and is no acknowledgement.
      resolve({ code, signal, wallMs, acknowledged: said.split('\n').slice(0, -1) });
    });
  });
  return { child, acknowledgement, ended };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
