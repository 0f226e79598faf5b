import { setImmediate } from 'node:timers/promises';
import { contentId, uuidOf } from '../../base/ids.ts';
import type { Link, MemorySource } from '../../domain/memory.ts';
import type { Embedder } from '../../models/embed.ts';
import { plainMarkdown } from '../../text/plain-markdown.ts';
import { splitText } from '../../text/split-text.ts';
import type { TeamParts } from '../parts.ts';
import { linksIn, linksInTags } from '../sources/links.ts';
import type { PreparedMemory } from '../store/team-store.ts';

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
const embedBatchSize = 64;

/** Nothing is longer: a build log is not a memory. */
export const maxTextLength = 200_000;

/**
 * Made of what it was drawn from, so that saving the same thing again, from whichever process, finds the same
 * memory.
 */
export const documentIdOf = (
  project: string,
  { source, sourceRef, reader }: Omit<GivenMemory, 'text' | 'at'>,
): string => uuidOf(contentId('memory', project, source, sourceRef, reader ?? ''));

/** Cuts and judges, however long that takes. */
export async function prepare(
  project: string,
  given: GivenMemory[],
  embedder: Embedder | undefined,
): Promise<PreparedMemory[]> {
  const prepared = cut(project, given);
  if (embedder !== undefined) await embedSlices(prepared, embedder, () => false);
  return prepared;
}

/** Somebody waits for the answer, with others behind them; forges wait ten seconds and then never ask again. */
const modelPatienceMs = 3_000;
/** A model that was silent once is not waited for again for a while: deliveries come by the hundred. */
const modelRestMs = 30_000;
const restingUntil = new WeakMap<TeamParts['embedder'], number>();

/**
 * Cuts, and judges as far as the model comes while somebody waits. One that is slow or away costs vectors and nothing
 * else: what has none is found by words meanwhile, and a job makes them.
 */
export async function prepareSoon(
  { embedder, clock }: Pick<TeamParts, 'embedder' | 'clock'>,
  project: string,
  given: GivenMemory[],
): Promise<{ prepared: PreparedMemory[]; model: Embedder | undefined }> {
  const prepared = cut(project, given);
  if (given.length === 0 || (restingUntil.get(embedder) ?? 0) > clock.now())
    return { prepared, model: undefined };
  let model: Embedder | undefined;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const judging = async (): Promise<void> => {
    const reached = await embedder();
    if (isLate) return;
    model = reached;
    if (model !== undefined) await embedSlices(prepared, model, () => isLate);
  };
  await Promise.race([
    judging().catch(() => {}),
    new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, modelPatienceMs);
    }),
  ]);
  clearTimeout(timer);
  const isSilent =
    isLate && prepared.every(({ slices }) => slices.every(({ vector }) => vector === undefined));
  if (isSilent) restingUntil.set(embedder, clock.now() + modelRestMs);
  return { prepared, model };
}

const cut = (project: string, given: GivenMemory[]): PreparedMemory[] =>
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

/** What comes after it was given up is dropped: the memories are being saved by then. */
async function embedSlices(
  memories: PreparedMemory[],
  embedder: Embedder,
  isGivenUp: () => boolean,
): Promise<void> {
  const slices = memories.flatMap((memory) => memory.slices);
  for (let from = 0; from < slices.length; from += embedBatchSize) {
    const some = slices.slice(from, from + embedBatchSize);
    const vectors = await embedder.embed(some.map(({ text }) => text));
    if (isGivenUp()) return;
    for (const [at, slice] of some.entries()) slice.vector = vectors[at];
    // The model in the package works in this process, and others want to be answered meanwhile.
    await setImmediate();
  }
}
