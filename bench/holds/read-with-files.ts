import { mkdirSync } from 'node:fs';
import { distilAuthor } from '../../src/memory/notes/distil-mark.ts';
import type { ModelExtractionReport } from '../../src/memory/notes/distil-with-model.ts';
import { beginRun, learn, planLearning } from '../../src/memory/notes/learn.ts';
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
 * Lets a model learn from the sessions of an imported project through files in a folder, newest first. Each answer is
 * applied before the next request is written, as in the product.
 */
export async function readWithFiles(
  imported: OpenProject,
  { sessions, ...files }: FileWriterOptions & { sessions?: number },
): Promise<ReadWithFiles> {
  const { paths } = imported;
  // The import ends with the last session, which the product would not read before it was idle for a while.
  const clock = { now: () => imported.clock.now() + hourMs };
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
  const parts = { ...imported, clock, write, modelCalls: { ledger, since: clock.now() } };
  const plan = await planLearning(parts, sessions === undefined ? {} : { sessions }, {
    overheadTokens: 0,
    price: { input: 1, output: 1 },
  });
  const report = await learn(parts, beginRun(parts, plan, 'model'));
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
