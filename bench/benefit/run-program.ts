import { spawn } from 'node:child_process';

export interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
  isTimedOut: boolean;
}

/**
 * Runs a program in a process group of its own. At the time limit, and if this process ends first, the whole group is
 * killed.
 */
export async function runProgram(
  program: string,
  args: string[],
  { cwd, env, limitMs }: { cwd: string; env: Record<string, string>; limitMs: number },
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (data) => {
    output.stdout += data;
  });
  child.stderr.setEncoding('utf8').on('data', (data) => {
    output.stderr += data;
  });
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    killGroup();
  }, limitMs);
  process.once('exit', killGroup);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { ...output, code, isTimedOut };
  } finally {
    clearTimeout(timer);
    process.off('exit', killGroup);
    // Servers that the program started and did not end.
    killGroup();
  }
}
