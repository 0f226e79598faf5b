import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Random } from '../random.ts';

/** Code to be written into a repository: real lines of other repositories, common ones such as `return nil` included. */
export interface Donors {
  /** As many lines in a row, in a language like that of the file. */
  block(path: string, length: number): string[];
}

const kin: Record<string, string> = { '.ts': '.js', '.mjs': '.js', '.cjs': '.js', '.h': '.c' };
const familyOf = (path: string): string => kin[extname(path)] ?? extname(path);
export const sourceFile = /\.(?:[cm]?[jt]s|py|go|rs|c|h|rb)$/;

export function trackedSources(work: string): string[] {
  const listing = execFileSync('git', ['-c', 'core.quotePath=false', 'ls-files'], {
    cwd: work,
    encoding: 'utf8',
  });
  return listing
    .split('\n')
    .filter((path) => sourceFile.test(path) && !/(?:vendor|testdata|fixtures)\//.test(path));
}

const maxFiles = 60;

export function createDonors(repositories: string[], random: Random): Donors {
  const byFamily = new Map<string, string[][]>();
  const all: string[][] = [];
  for (const work of repositories) {
    for (const path of random.shuffled(trackedSources(work)).slice(0, maxFiles)) {
      const lines = readFileSync(join(work, path), 'utf8').split('\n');
      if (lines.length < 40 || lines.length > 4_000) continue;
      all.push(lines);
      byFamily.set(familyOf(path), [...(byFamily.get(familyOf(path)) ?? []), lines]);
    }
  }
  return {
    block(path, length) {
      const file = random.pick(byFamily.get(familyOf(path)) ?? all);
      const start = random.whole(0, Math.max(0, file.length - length - 1));
      return file.slice(start, start + length);
    },
  };
}
