import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../test/harness/home.ts';
import { git } from '../../test/support/sandbox.ts';

/** A public repository with the raw Claude Code transcripts of its own work. */
export interface RealRepository {
  /** A clone at the commit to show. */
  checkout: string;
  transcripts: string;
}

/** Puts the repository and its transcripts into a home and imports them as a new user does. Returns when that was. */
export function importRepository(
  { home, repo, cli }: Home,
  { checkout, transcripts }: RealRepository,
): number {
  rmSync(repo, { recursive: true, force: true });
  git(home, 'clone', '-q', checkout, repo);
  const name = git(checkout, 'remote', 'get-url', 'origin').trim();
  git(repo, 'remote', 'set-url', 'origin', name);
  const folder = join(home, '.claude/projects/real');
  mkdirSync(folder, { recursive: true });
  // The transcripts were recorded in other folders of the same name.
  const project = /([^/]+?)(?:\.git)?$/.exec(name)?.[1] ?? '';
  const elsewhere = new RegExp(`"(?:/[^"/]+)*/${project.replace(/\W/g, '\\$&')}(?=[/"])`, 'g');
  for (const file of readdirSync(transcripts))
    writeFileSync(
      join(folder, file),
      readFileSync(join(transcripts, file), 'utf8').replaceAll(elsewhere, () => `"${repo}`),
    );
  for (const args of [['install', 'claude-code'], ['import']]) {
    const { status, stdout, stderr } = cli(...args);
    if (status !== 0) throw new Error(stdout + stderr);
    process.stdout.write(stdout);
  }
  return Date.parse(git(repo, 'log', '-1', '--format=%cI').trim());
}
