import { readJson, writeJson } from '../../base/files.ts';
import { randomHex } from '../../base/ids.ts';

/** This machine: an id that says nothing about it, and the key of its tombstones' hashes. */
export interface Device {
  id: string;
  key: string;
}

export function deviceOf(path: string): Device {
  const known = readJson<Device>(path);
  if (known?.id !== undefined && known.key !== undefined) return known;
  const fresh = { id: randomHex(8), key: randomHex(32) };
  writeJson(path, fresh);
  return fresh;
}
