import { setImmediate } from 'node:timers/promises';
import { contentId, uuidOf } from '../base/ids.ts';
import type { Link, MemorySource } from '../domain/memory.ts';
import type { Embedder } from '../models/embed.ts';
import type { PreparedMemory } from '../store/team-store.ts';
import { plainMarkdown } from '../text/plain-markdown.ts';
import { splitText } from '../text/split.ts';
import { linksIn, linksInTags } from './links.ts';

/** A memory as somebody brings it. */
export interface GivenMemory {
  source: MemorySource;
  sourceRef: string;
  text: string;
  metadata?: Record<string, unknown> | undefined;
  reader?: string | undefined;
  at: number;
  links?: Link[] | undefined;
}

/** As many as models elsewhere are asked about in one request. */
const judgedAtOnce = 64;

/** Nothing is longer: a build log is not a memory. */
export const longestText = 200_000;

/**
 * Made of what it was drawn from, so that saving the same thing again, from whichever process, finds the same
 * memory.
 */
export const documentIdOf = (
  project: string,
  { source, sourceRef, reader }: Omit<GivenMemory, 'text' | 'at'>,
): string => uuidOf(contentId('memory', project, source, sourceRef, reader ?? ''));

/** Cuts and judges. A model that cannot be reached costs the vectors and nothing else: words find it meanwhile. */
export async function prepare(
  project: string,
  given: GivenMemory[],
  embedder: Embedder | undefined,
): Promise<PreparedMemory[]> {
  const prepared = given.map((memory): PreparedMemory => {
    const documentId = documentIdOf(project, memory);
    const text = memory.text.slice(0, longestText).toWellFormed();
    const plain = plainMarkdown(text);
    return {
      documentId,
      source: memory.source,
      sourceRef: memory.sourceRef,
      text,
      metadata: memory.metadata ?? {},
      reader: memory.reader,
      at: memory.at,
      slices: splitText(plain).map((slice, at) => ({
        id: contentId('slice', documentId, String(at), slice),
        text: slice,
      })),
      links: [...linksIn(plain), ...linksInTags(memory.metadata ?? {}), ...(memory.links ?? [])],
    };
  });
  if (embedder !== undefined) await judge(prepared, embedder);
  return prepared;
}

async function judge(memories: PreparedMemory[], embedder: Embedder): Promise<void> {
  const slices = memories.flatMap((memory) => memory.slices);
  for (let from = 0; from < slices.length; from += judgedAtOnce) {
    const some = slices.slice(from, from + judgedAtOnce);
    const vectors = await embedder.embed(some.map(({ text }) => text));
    for (const [at, slice] of some.entries()) slice.vector = vectors[at];
    // The model in the package works in this process, and others want to be answered meanwhile.
    await setImmediate();
  }
}
