import { readJson, writeJson } from '../../base/files.ts';
import { randomHex } from '../../base/ids.ts';

/** This machine: a random id, and the key of its keyed hashes. */
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
