import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file that is truth or setting, as it was. */
export type OldFiles = Map<string, Buffer>;

/** Written anew by the product now and then; then the new one must be whole. */
const mayBeReplaced = /(?:^|\/)(?:project|prelude)\.json$/;
/** Grows; what was in it must stay. */
const mayGrow = /\.jsonl$/;
const isTruth = /\.(?:md|json|jsonl)$/;
const isDerived = /(?:^|\/)(?:index|paths)\//;

export function rememberFiles(folder: string): OldFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const kept = names.filter((name) => isTruth.test(name) && !isDerived.test(name));
  return new Map(kept.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Names of the files that are not what they were and not a whole newer version of it either. */
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
