import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { contentId, uuidOf } from '../../base/ids.ts';
import type { Link, MemorySource } from '../../domain/memory.ts';
import type { Embedder } from '../../models/embed.ts';
import { plainMarkdown } from '../../text/plain-markdown.ts';
import { splitText } from '../../text/split-text.ts';
import type { TeamParts } from '../parts.ts';
import { linksIn, linksInTags } from '../sources/links.ts';
import type { PreparedMemory } from '../store/team-store.ts';

/** A memory to save, before it is split and embedded. */
export interface MemoryInput {
  source: MemorySource;
  sourceRef: string;
  text: string;
  metadata?: Record<string, unknown> | undefined;
  reader?: string | undefined;
  at: number;
  links?: Link[] | undefined;
}

/** Texts per request to a remote model. */
const embedBatchSize = 64;

/** Longer texts are truncated: a build log is not a memory. */
export const maxTextLength = 200_000;

/** Maximum length of the metadata as JSON text. */
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
): string => uuidOf(contentId('memory', project, source, sourceRef, reader ?? ''));

/** Splits the texts and embeds them, without a time limit. */
export async function prepare(
  project: string,
  given: MemoryInput[],
  embedder: Embedder | undefined,
): Promise<PreparedMemory[]> {
  const prepared = splitMemories(project, given);
  if (embedder !== undefined) await embedSlices(prepared, embedder, () => false);
  return prepared;
}

/**
 * How long to wait for the embedding model. A request waits meanwhile, and forges such as GitHub give up on a webhook
 * delivery after ten seconds and do not retry it.
 */
const embedTimeoutMs = 3_000;
/**
 * After a timeout the embedding model is not called for this long. Webhook deliveries come by the hundred, and each
 * would wait for the timeout again.
 */
const embedPauseMs = 30_000;
const pausedUntil = new WeakMap<TeamParts['embedder'], number>();

/**
 * Splits the texts and embeds as many as the model manages within a timeout. If the model is slow or unreachable, only
 * vectors are missing: full-text search finds the memories meanwhile, and a job adds the vectors later.
 */
export async function prepareWithTimeout(
  { embedder, clock }: Pick<TeamParts, 'embedder' | 'clock'>,
  project: string,
  given: MemoryInput[],
): Promise<{ prepared: PreparedMemory[]; model: Embedder | undefined }> {
  const prepared = splitMemories(project, given);
  if (given.length === 0 || (pausedUntil.get(embedder) ?? 0) > clock.now())
    return { prepared, model: undefined };
  let model: Embedder | undefined;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const embedAll = async (): Promise<void> => {
    const reached = await embedder();
    if (isLate) return;
    model = reached;
    if (model !== undefined) await embedSlices(prepared, model, () => isLate);
  };
  await Promise.race([
    embedAll().catch(() => {}),
    new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, embedTimeoutMs);
    }),
  ]);
  clearTimeout(timer);
  const hasNoVector =
    isLate && prepared.every(({ slices }) => slices.every(({ vector }) => vector === undefined));
  if (hasNoVector) pausedUntil.set(embedder, clock.now() + embedPauseMs);
  return { prepared, model };
}

const splitMemories = (project: string, given: MemoryInput[]): PreparedMemory[] =>
  given.map((memory): PreparedMemory => {
    const documentId = documentIdOf(project, memory);
    const text = memory.text.slice(0, maxTextLength).toWellFormed();
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

/**
 * Makes a vector for each slice, the parts that a text is split into. Drops vectors that arrive after the timeout,
 * when the memories are already being saved.
 */
async function embedSlices(
  memories: PreparedMemory[],
  embedder: Embedder,
  isTimedOut: () => boolean,
): Promise<void> {
  const slices = memories.flatMap((memory) => memory.slices);
  for (let from = 0; from < slices.length; from += embedBatchSize) {
    const batch = slices.slice(from, from + embedBatchSize);
    const vectors = await embedder.embed(batch.map(({ text }) => text));
    if (isTimedOut()) return;
    for (const [at, slice] of batch.entries()) slice.vector = vectors[at];
    // The built-in model runs in this process: let other requests proceed between batches.
    await setImmediate();
  }
}
