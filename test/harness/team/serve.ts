import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onEnd } from '../cleanup.ts';
import type { InstalledPackage } from '../package.ts';

export interface ServedTeam {
  url: string;
  pid: number;
  close(): Promise<void>;
}

/** Starts the installed team server as a separate process. */
export function serveTeam(
  installed: InstalledPackage,
  database: string,
  ...more: string[]
): Promise<ServedTeam> {
  const args = [
    join(installed.folder, 'dist', 'main.js'),
    'team',
    'serve',
    '--port',
    '0',
    '--database',
    database,
  ];
  const child = spawn(process.execPath, [...args, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(() => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    void ended.then(() => reject(new Error('the team server ended')));
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      const url = /Answering at (\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        pid: child.pid as number,
        async close() {
          child.kill('SIGTERM');
          await ended;
        },
      });
    });
  });
}
