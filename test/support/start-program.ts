import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface Ended {
  status: number | null;
  stdout: string;
  /** Ids that the hook acknowledged as stored on disk. */
  acknowledged: string[];
}

/** Starts a Node program. A hook acknowledges stored events on its fourth stream. */
export function startProgram(
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string },
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: { ...options.env, BACKSTORY_ACK_FD: '3' },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  let stdout = '';
  let output = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  (child.stdio[3] as Readable).on('data', (data) => {
    output += data;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, acknowledged: output.split('\n').slice(0, -1) }));
  });
}
