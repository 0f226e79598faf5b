import { mkdirSync } from 'node:fs';
import { distilAuthor } from '../../src/memory/notes/distil-mark.ts';
import { distilWithModel, type ModelExtractionReport } from '../../src/memory/notes/distil-with-model.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { createGovernor } from '../../src/spend/governor.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { tryWriterLock } from '../../src/store/sqlite/writer-lock.ts';
import { createFileWriter, type FileWriterOptions } from './file-writer.ts';

const hourMs = 60 * 60 * 1000;

export interface ReadWithFiles {
  report: ModelExtractionReport;
  /** The first request without an answer; empty if all sessions were read. */
  missing: string;
  /** Number of answers to a request that has changed since. */
  changed: number;
  /** Statements of the model that wait for approval. */
  refused: string[];
}

/**
 * Lets a model read all sessions of an imported project, oldest first, through files in a folder. Each answer is applied
 * before the next request is written, as in the product. The spending caps are off, because an import has all sessions
 * on one day.
 */
export async function readWithFiles(parts: OpenProject, files: FileWriterOptions): Promise<ReadWithFiles> {
  const { paths } = parts;
  // The import ends with the last session, which the product would not read before it was idle for a while.
  const clock = { now: () => parts.clock.now() + hourMs };
  mkdirSync(paths.home, { recursive: true });
  const ledger = openLedger(paths.ledger, clock);
  const none = Number.MAX_SAFE_INTEGER;
  const writer = createFileWriter(files);
  const write = createGovernor({
    writer,
    ledger,
    tryLock: () => tryWriterLock(paths.modelCallLock),
    caps: { dailyTokens: none, monthlyTokens: none, dailyUsd: none, monthlyUsd: none },
    price: { input: 1, output: 1 },
    callMs: 24 * hourMs,
    clock,
  });
  const report = await distilWithModel(
    { ...parts, clock, write, modelCalls: { ledger, since: 0 } },
    { retries: true, beginWithinMs: none },
  );
  const notes = await parts.notes.list();
  const refused = notes
    .filter(
      ({ state, author, topic }) => state === 'candidate' && author === distilAuthor && topic !== undefined,
    )
    .map(({ topic, text, quote = '' }) => `${topic}: ${text} | quote: ${quote}`);
  const missing = writer.missing();
  return {
    report,
    missing: missing === '' ? '' : `${files.folder}/${missing}.answer.txt`,
    changed: writer.changed(),
    refused,
  };
}
