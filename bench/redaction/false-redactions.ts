import { globSync, readFileSync } from 'node:fs';
import { redact } from '../../src/memory/redact/redact.ts';

/** Typical files on a developer's machine: this repository, and the readable sources of its packages. */
const sources = [
  '{src,eval,test,docs,scripts}/**/*.{ts,md}',
  'node_modules/**/*.{js,cjs,mjs,ts,cts,mts,md,json}',
];
/** Matches files that contain text which looks like secrets on purpose: tests of redaction and lists of prefixes. */
const onPurpose = /redact|secret-|adversaries|synthetic|\.min\.|\.test\./;
const longestLine = 2_000;

export function falseRedactions(maxMegabytes: number): { megabytes: number; lines: string[] } {
  let length = 0;
  const lines: string[] = [];
  for (const file of sources.flatMap((pattern) => globSync(pattern))) {
    if (length > maxMegabytes * 1024 * 1024) break;
    if (onPurpose.test(file)) continue;
    const text = readText(file);
    if (text === undefined) continue;
    length += text.length;
    if (!redact(text).includes('[redacted:')) continue;
    for (const line of text.split('\n'))
      if (redact(line).includes('[redacted:')) lines.push(`${file}: ${line}`);
  }
  return { megabytes: length / 1024 / 1024, lines };
}

function readText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    // Minified files are not source.
    return text.split('\n').some((line) => line.length > longestLine) ? undefined : text;
  } catch {
    return undefined;
  }
}
