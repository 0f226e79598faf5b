import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import { type Link, type MemorySource, maxMemoryTextLength } from '../../domain/memory.ts';
import type { Embedder } from '../../models/embed.ts';
import { plainMarkdown } from '../../text/plain-markdown.ts';
import { splitText } from '../../text/split-text.ts';
import { linksIn, linksInTags } from '../sources/links.ts';
import type { PreparedMemory } from '../store/team-store.ts';

export interface MemoryInput {
  source: MemorySource;
  sourceRef: string;
  text: string;
  metadata?: Record<string, unknown> | undefined;
  reader?: string | undefined;
  at: number;
  links?: Link[] | undefined;
}

/** Texts that are embedded without a pause. */
const embedBatchSize = 64;

const maxMetadataLength = 64_000;
export const metadataShape = z
  .record(z.string().max(200), z.unknown())
  .refine(
    (given) => JSON.stringify(given).length <= maxMetadataLength,
    `at most ${maxMetadataLength} characters`,
  )
  .default({});

/**
 * Derives the id from the source, so that saving the same source again, from any process, replaces the same memory.
 */
export const documentIdOf = (
  project: string,
  { source, sourceRef, reader }: Omit<MemoryInput, 'text' | 'at'>,
): string => uuidOf(hashId('memory', project, source, sourceRef, reader ?? ''));

/** Splits the texts and makes a vector for each slice, the parts that a text is split into. */
export async function prepare(
  project: string,
  given: MemoryInput[],
  embedder: Embedder,
): Promise<PreparedMemory[]> {
  const prepared = splitMemories(project, given);
  const slices = prepared.flatMap((memory) => memory.slices);
  for (let from = 0; from < slices.length; from += embedBatchSize) {
    const batch = slices.slice(from, from + embedBatchSize);
    const vectors = await embedder.embed(batch.map(({ text }) => text));
    for (const [at, slice] of batch.entries()) slice.vector = vectors[at];
    // The model runs in this process: let other requests proceed between batches.
    await setImmediate();
  }
  return prepared;
}

/** Without vectors, which a job makes. */
export const splitMemories = (project: string, given: MemoryInput[]): PreparedMemory[] =>
  given.map((memory): PreparedMemory => {
    const documentId = documentIdOf(project, memory);
    const text = memory.text.slice(0, maxMemoryTextLength).toWellFormed();
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
        id: hashId('slice', documentId, String(at), slice),
        text: slice,
      })),
      links: [...linksIn(plain), ...linksInTags(memory.metadata ?? {}), ...(memory.links ?? [])],
    };
  });
