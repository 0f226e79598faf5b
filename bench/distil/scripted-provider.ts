import { mkdirSync } from 'node:fs';
import type { WriterProvider } from '../../src/domain/writer-choice.ts';
import { distilWithModel } from '../../src/memory/notes/distil-with-model.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { createGovernor } from '../../src/spend/governor.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { tryWriterLock } from '../../src/store/sqlite/writer-lock.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { scriptedWriter } from '../../test/support/scripted-writers.ts';
import { startWritingServer } from '../../test/support/writing-server.ts';
import type { ScriptedSession } from './script.ts';
import { scriptedAnswer } from './scripted-model.ts';

/** The scripted model behind one provider, for the sessions of any project. */
export interface ScriptedProvider {
  askAbout(parts: OpenProject): Promise<void>;
  close(): Promise<void>;
}

export async function startScriptedProvider(
  provider: WriterProvider,
  sessions: ScriptedSession[],
): Promise<ScriptedProvider> {
  const server = await startWritingServer(({ data }) => ({
    kind: 'answer',
    text: scriptedAnswer(sessions, data),
  }));
  const writer = scriptedWriter(provider, server.url, temporaryFolder('asked'));
  return {
    async askAbout(parts) {
      const { paths, clock } = parts;
      mkdirSync(paths.home, { recursive: true });
      const ledger = openLedger(paths.ledger, clock);
      const unlimited = Number.MAX_SAFE_INTEGER;
      const write = createGovernor({
        writer,
        ledger,
        tryLock: () => tryWriterLock(paths.modelCallLock),
        caps: {
          dailyTokens: unlimited,
          monthlyTokens: unlimited,
          dailyUsd: unlimited,
          monthlyUsd: unlimited,
        },
        price: { input: 1, output: 1 },
        callMs: 60_000,
        clock,
      });
      const { failed, refused } = await distilWithModel({
        ...parts,
        write,
        modelCalls: { ledger, since: 0 },
      });
      if (failed === 0 && refused === undefined) return;
      const why = ledger.read().attempts.findLast(({ kept }) => kept === undefined)?.end?.why;
      throw new Error(`${provider}: ${failed} failed (${why}), ${refused}`);
    },
    close: () => server.close(),
  };
}
