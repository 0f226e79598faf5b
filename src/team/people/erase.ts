import { type GivenMemory, prepare } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { Mention, PeopleOperation } from '../store/team-people.ts';
import type { TeamOperation } from '../store/team-store.ts';

export interface Erasing {
  operation: Pick<TeamOperation, 'disable' | 'projects'>;
  people: PeopleOperation;
  org: string;
  person: string;
  /** Everything they are called by. */
  names: string[];
  /** Others' sentences stay as they are, names included. */
  keepMentions: boolean;
}

export interface Erased {
  removed: number;
  rewritten: number;
  /** Where a name still stands. */
  left: { place: string; rows: number }[];
}

const batchSize = 100;
const inPlaceOfName = '[erased]';

/**
 * Takes a person out of everything. They are shut out first, so that nothing new comes in meanwhile, and lose their
 * name last: whatever breaks this off, the same command goes on with it.
 */
export async function erasePerson(erasing: Erasing): Promise<Erased> {
  const { operation, people, org, person, names } = erasing;
  await operation.disable(org, person);
  const removed = await people.removeBelongings(org, person, 'all');
  let rewritten = 0;
  if (!erasing.keepMentions)
    for (const { id } of await operation.projects(org)) rewritten += await rewriteMentions(erasing, id);
  await people.anonymise(org, person, names);
  return { removed, rewritten, left: await people.placesOf(org, names) };
}

export async function countMentions({ people, org, names }: Erasing, project: string): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const found = await people.mentions(org, project, names, after, batchSize);
    count += found.length;
    if (found.length < batchSize) return count;
    after = found.at(-1)?.documentId ?? '';
  }
}

async function rewriteMentions({ people, org, names }: Erasing, project: string): Promise<number> {
  const without = nameRemover(names);
  let count = 0;
  for (let after = ''; ; ) {
    const found = await people.mentions(org, project, names, after, batchSize);
    const given = found.map((mention) => withoutNames(mention, without));
    // Cut here and judged later, by the server: an operator's machine needs no model.
    const prepared = await prepare(project, given, undefined);
    const memories = prepared.map((memory, at) => {
      const { author = null, hash = '' } = found[at] ?? {};
      return { memory, author, hash };
    });
    const written = memories.length === 0 ? 0 : await people.rewrite(org, project, memories, reindexJob);
    count += written;
    // Somebody changed or removed one meanwhile: what they wrote is read anew.
    if (written < found.length) continue;
    if (found.length < batchSize) return count;
    after = found.at(-1)?.documentId ?? '';
  }
}

const withoutNames = (mention: Mention, without: (text: string) => string): GivenMemory => ({
  source: mention.source,
  sourceRef: mention.sourceRef,
  text: without(mention.text),
  metadata: deeply(mention.metadata, without) as Record<string, unknown>,
  reader: mention.reader ?? undefined,
  at: mention.at,
  links: mention.links.map(({ relation, target }) => ({ relation, target: without(target) })),
});

/** Whole words, in large or small letters: `ann` goes and `announce` stays. */
export function nameRemover(names: string[]): (text: string) => string {
  // A pattern of no names is found between any two words.
  if (names.length === 0) throw new Error('nobody was named');
  // The longer first: an address begins with what may be a name too.
  const any = names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join('|');
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${any})(?![\p{L}\p{N}_])`, 'giu');
  return (text) => text.replace(pattern, inPlaceOfName);
}

function deeply(value: unknown, without: (text: string) => string): unknown {
  if (typeof value === 'string') return without(value);
  if (Array.isArray(value)) return value.map((one) => deeply(one, without));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [without(name), deeply(own, without)]),
  );
}
