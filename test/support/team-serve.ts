import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

export interface ServedTeam {
  url: string;
  child: ChildProcess;
}

/** Starts the installed team server with this database until it is killed. */
export function serveTeam(
  sandbox: Sandbox,
  installedPackage: string,
  databaseUrl: string,
  ...options: string[]
): Promise<ServedTeam> {
  const child = spawn(
    process.execPath,
    [join(installedPackage, 'dist/main.js'), 'team', 'serve', '--port', '0', ...options],
    { env: { ...sandbox.env, BACKSTORY_DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return new Promise((resolve, reject) => {
    let output = '';
    const append = (data: Buffer) => {
      output += data;
      const url = /Answering at (\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve({ url, child });
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    child.on('close', () => reject(new Error(output)));
  });
}

/** Creates an organisation with its owner and one project, as an operator does. */
export function beginTeam(sandbox: Sandbox, databaseUrl: string): { token: string; project: string } {
  const begun = sandbox.cliWith(
    { BACKSTORY_OWNER_DATABASE_URL: databaseUrl },
    'team',
    'init',
    'acme',
    'ann',
    'queue',
    '--json',
  );
  if (begun.status !== 0) throw new Error(begun.stdout + begun.stderr);
  return JSON.parse(begun.stdout) as { token: string; project: string };
}
