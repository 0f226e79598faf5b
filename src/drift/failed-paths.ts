import type { FailedPath } from '../domain/failed-path.ts';
import type { RecallQuery } from '../domain/hit.ts';
import type { Evidence } from '../recall/evidence.ts';
import { failedPathsIn } from '../recall/failed-paths.ts';
import { pathsInText } from '../recall/paths-in-text.ts';

const maxFiles = 3;
const maxResults = 3;

/** Finds reverted attempts in the files that a query names. Without a file in the query there are none. */
export async function failedPathsOf({ file, text }: RecallQuery, evidence: Evidence): Promise<FailedPath[]> {
  const names = [...(file === undefined ? [] : [file]), ...pathsInText(text)].slice(0, maxFiles);
  const paths = new Set<string>();
  for (const name of names) {
    const edits = await evidence.chunks({ file: name, kinds: ['edit'] }, 20);
    for (const path of edits.flatMap((edit) => edit.paths)) paths.add(path);
  }
  const found: FailedPath[] = [];
  for (const path of [...paths].slice(0, maxFiles)) found.push(...(await failedPathsIn(path, evidence)));
  return found.sort((a, b) => b.at - a.at).slice(0, maxResults);
}
