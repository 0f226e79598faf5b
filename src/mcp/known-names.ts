import { entryAt } from '../base/checkout-file.ts';
import type { McpParts } from './parts.ts';

const deadlineMs = 2_000;
const maxNames = 12;
const identifier = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u;

/** Returns those of the names that are a path or a defined symbol of the checkout. */
export async function knownNames(names: string[], parts: McpParts): Promise<Set<string>> {
  const known = new Set<string>();
  for (const name of names.slice(0, maxNames)) if (await isKnown(name, parts)) known.add(name);
  return known;
}

/** Accepts a path, or a path with lines: `src/load.ts:3-9`. */
export const isInCheckout = (name: string, { root }: Pick<McpParts, 'root'>): boolean =>
  ['file', 'folder'].includes(entryAt(root, name.replace(/^\.\//, '').replace(/:\d+(?:-\d+)?$/, '')));

async function isKnown(name: string, parts: McpParts): Promise<boolean> {
  if (isInCheckout(name, parts)) return true;
  if (!identifier.test(name)) return false;
  try {
    const search = { name, path: undefined, language: undefined, limit: 1, offset: 0, deadlineMs };
    const { total, isFolded } = await (await parts.code()).definitions(search);
    return total > 0 && !isFolded;
  } catch {
    // There is no code search for this folder. The name is then unknown, and the note waits for approval.
    return false;
  }
}
