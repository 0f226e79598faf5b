import { mkdirSync } from 'node:fs';
import { distilWithModel, type ModelExtractionReport } from '../../src/memory/notes/distil-with-model.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { createGovernor } from '../../src/spend/governor.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { tryWriterLock } from '../../src/store/sqlite/writer-lock.ts';
import { createFileWriter } from './file-writer.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Lets a model read all sessions of an imported project, oldest first, through files in a folder. Each answer is applied
 * before the next request is written, as in the product. The spending caps are off, because an import has all sessions
 * on one day.
 */
export async function readWithFiles(
  parts: OpenProject,
  folder: string,
  onWait?: (name: string) => void,
): Promise<ModelExtractionReport> {
  const { paths } = parts;
  // The import ends with the last session, which the product would not read before it was idle for a while.
  const clock = { now: () => parts.clock.now() + hourMs };
  mkdirSync(paths.home, { recursive: true });
  const ledger = openLedger(paths.ledger, clock);
  const none = Number.MAX_SAFE_INTEGER;
  const write = createGovernor({
    writer: createFileWriter(folder, onWait),
    ledger,
    tryLock: () => tryWriterLock(paths.modelCallLock),
    caps: { dailyTokens: none, monthlyTokens: none, dailyUsd: none, monthlyUsd: none },
    price: { input: 1, output: 1 },
    callMs: 24 * hourMs,
    clock,
  });
  return distilWithModel(
    { ...parts, clock, write, modelCalls: { ledger, since: 0 } },
    { retries: true, beginWithinMs: none },
  );
}
