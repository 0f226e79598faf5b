import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Default folder of the data sets, next to the project: the sets may be used but not redistributed. */
const besideProject = join(import.meta.dirname, '..', '..', '..', 'shared', 'data');

/** Reads a data file and rejects any other version than the one the figures were made with. */
export function readData(folder: string | undefined, name: string, sha256: string): unknown {
  const path = join(folder ?? besideProject, name);
  if (!existsSync(path)) throw new Error(`${path} is missing; name the folder of the data sets with --data`);
  const bytes = readFileSync(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${path} is another version: ${found}`);
  return JSON.parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
}
