import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Contents of every log, note and settings file before the fault. */
export type OldFiles = Map<string, Buffer>;

/** Matches files that the product may replace. The new version must be complete. */
const mayBeReplaced = /(?:^|\/)(?:project|prelude|rules|topics|told-sessions)\.json$/;
/** Matches files that may grow but must keep their old content. */
const mayGrow = /\.jsonl$/;
const isTruth = /\.(?:md|json|jsonl)$/;
const isDerived = /(?:^|\/)(?:index|paths)\//;

export function rememberFiles(folder: string): OldFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const kept = names.filter((name) => isTruth.test(name) && !isDerived.test(name));
  return new Map(kept.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Names of files that are neither unchanged nor a complete newer version. */
export function harmedFiles(folder: string, before: OldFiles): string[] {
  const now = rememberFiles(folder);
  return [...before].flatMap(([name, old]) => {
    const bytes = now.get(name);
    if (bytes === undefined) return [name];
    if (bytes.equals(old) || (mayGrow.test(name) && bytes.subarray(0, old.length).equals(old))) return [];
    return mayBeReplaced.test(name) && isWholeVersion(bytes, old) ? [] : [name];
  });
}

function isWholeVersion(bytes: Buffer, old: Buffer): boolean {
  try {
    const [now, then] = [bytes, old].map(
      (text) => JSON.parse(text.toString('utf8')) as { v: number; id?: string },
    );
    return now?.v === then?.v && now?.id === then?.id;
  } catch {
    return false;
  }
}
