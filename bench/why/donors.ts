import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Random } from '../../test/harness/random.ts';

/** Code to write into a repository: real lines of other repositories, including common ones such as `return nil`. */
export interface Donors {
  /** Returns consecutive lines in a similar language if possible. No position of a file is used twice. */
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
const header = 30;
const maxTries = 400;

export function createDonors(repositories: string[], random: Random): Donors {
  const byFamily = new Map<string, string[][]>();
  const all: string[][] = [];
  for (const work of repositories) {
    for (const path of random.shuffled(trackedSources(work)).slice(0, maxFiles)) {
      const lines = readFileSync(join(work, path), 'utf8').split('\n');
      if (lines.length < 80 || lines.length > 4_000) continue;
      all.push(lines);
      byFamily.set(familyOf(path), [...(byFamily.get(familyOf(path)) ?? []), lines]);
    }
  }
  const taken = new Map<string[], Set<number>>();
  return {
    block(path, length) {
      const own = byFamily.get(familyOf(path)) ?? all;
      for (let tries = 0; tries < maxTries; tries++) {
        const file = random.pick(tries < maxTries / 2 ? own : all);
        // Skips the licence header, which nobody writes into the middle of a file.
        const start = random.whole(header, Math.max(header, file.length - length - 1));
        const places = Array.from({ length }, (_, at) => start + at);
        const used = taken.get(file) ?? new Set();
        taken.set(file, used);
        if (places.some((place) => used.has(place))) continue;
        for (const place of places) used.add(place);
        return file.slice(start, start + length);
      }
      throw new Error('there is no code left to write');
    },
  };
}
