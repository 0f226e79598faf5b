import type { Embedder } from '../../models/embed.ts';
import { createSourceReader } from '../source-file.ts';
import { hasMeaningfulWords } from '../words/file-words.ts';
import { type DefinitionChunk, definitionChunks } from './definition-chunks.ts';

/** A chunk of a file and how close its meaning is to each wording of the question, from 0 to 1. */
export interface ComparedChunk extends DefinitionChunk {
  similarities: number[];
}

/** About a third of a second on a slow machine. Files beyond it are compared by their words only. */
const maxBytes = 3_000_000;

/**
 * Compares chunks of files, best candidates first, with a question. No vectors are stored: comparing what words found
 * gives the same ranking as comparing every file, and costs nothing before the first question.
 */
export async function compareChunks(
  root: string,
  paths: readonly string[],
  questions: readonly string[],
  embedder: Embedder,
): Promise<Map<string, ComparedChunk[]>> {
  const read = createSourceReader(root);
  const asked = await embedder.embed([...questions]);
  const compared = new Map<string, ComparedChunk[]>();
  let bytes = 0;
  for (const path of paths) {
    const file = read(path);
    if (file.kind !== 'text' || !hasMeaningfulWords(path, file.bytes.length)) continue;
    bytes += file.bytes.length;
    if (bytes > maxBytes && compared.size > 0) break;
    const chunks = definitionChunks(file.bytes.toString('utf8'));
    if (chunks.length === 0) continue;
    const vectors = await embedder.embed(chunks.map(({ text }) => `${wordsOfPath(path)}\n${text}`));
    compared.set(
      path,
      chunks.map((chunk, at) => ({
        ...chunk,
        similarities: asked.map((vector) => similarityOf(vector, vectors[at] as Float32Array)),
      })),
    );
  }
  return compared;
}

/** The path says what a chunk is about, which its lines often leave out. */
const wordsOfPath = (path: string): string => path.replace(/\.[^./]*$/, '').replace(/[/_.-]/g, ' ');

function similarityOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return Math.max(0, sum);
}
