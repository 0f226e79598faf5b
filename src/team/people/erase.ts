import { escapePattern } from '../../text/escape-pattern.ts';
import { mapStrings } from '../../text/fence.ts';
import { type MemoryInput, splitMemories } from '../memories/prepare.ts';
import type { Mention } from '../store/team-people.ts';
import type { TeamOperation } from '../store/team-store.ts';

export interface Erasure {
  operation: TeamOperation;
  org: string;
  person: string;
  /** The person's name, email address and the names given with `--also`. */
  names: string[];
  /** Leaves memories of other people unchanged, even if they contain a name. */
  keepMentions: boolean;
}

const batchSize = 100;
const namePlaceholder = '[erased]';

/**
 * Deletes a person's memories and removes their name from everything else. Access is revoked first, so that nothing new
 * arrives meanwhile, and the name is removed last: if this is interrupted, the same command can find the person and
 * continue.
 */
export async function erasePerson(erasing: Erasure) {
  const { operation, org, person, names } = erasing;
  await operation.disable(org, person);
  const removed = await operation.removeBelongings(org, person, 'all');
  let rewritten = 0;
  if (!erasing.keepMentions)
    for (const { id } of await operation.projects(org)) rewritten += await rewriteMentions(erasing, id);
  await operation.anonymise(org, person, names);
  // `left`: table columns that still contain a name.
  return { removed, rewritten, left: await operation.findNames(org, names) };
}

async function rewriteMentions({ operation, org, names }: Erasure, project: string): Promise<number> {
  const removeNames = nameRemover(names);
  let count = 0;
  for (let after = ''; ; ) {
    const found = await operation.mentions(org, project, names, after, batchSize);
    const given = found.map((mention) => withoutNames(mention, removeNames));
    // The server's job makes the vectors, so that the operator's machine needs no model.
    const memories = splitMemories(project, given).map((memory, at) => {
      const { author = null, hash = '' } = found[at] ?? {};
      return { memory, author, hash };
    });
    const written = await operation.rewrite(org, project, memories);
    count += written;
    // Some memories of this batch were changed or removed since they were read: read the batch again.
    if (written < found.length) continue;
    if (found.length < batchSize) return count;
    after = found.at(-1)?.documentId ?? '';
  }
}

const withoutNames = (mention: Mention, removeNames: (text: string) => string): MemoryInput => ({
  source: mention.source,
  sourceRef: mention.sourceRef,
  text: removeNames(mention.text),
  metadata: mapStrings(mention.metadata, removeNames),
  reader: mention.reader ?? undefined,
  at: mention.at,
  links: mention.links.map(({ relation, target }) => ({ relation, target: removeNames(target) })),
});

/** Matches whole words and ignores case: removes `ann` but not `announce`. */
export function nameRemover(names: string[]): (text: string) => string {
  // Without a name, the regular expression would match between any two words.
  if (names.length === 0) throw new Error('no names given');
  // Longest first, because an email address may begin with the name.
  const any = names
    .toSorted((a, b) => b.length - a.length)
    .map(escapePattern)
    .join('|');
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${any})(?![\p{L}\p{N}_])`, 'giu');
  return (text) => text.replace(pattern, namePlaceholder);
}
