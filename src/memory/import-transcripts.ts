import { statSync } from 'node:fs';
import type { FoundTranscript } from '../agents/find-transcripts.ts';
import { transcriptSources } from '../agents/transcripts.ts';
import { catchUp } from '../recall/catch-up.ts';
import { withTilde } from './capture.ts';
import type { DrainParts } from './drain.ts';
import { renderPrelude } from './drain.ts';
import { ingestTranscript } from './ingest.ts';

/**
 * Past sessions become events, in the order they happened, exactly as if they had been captured then. Ids are
 * the agents' own, so importing twice, or going on after a kill, adds nothing twice.
 */
export interface ImportReport {
  files: number;
  events: number;
  isComplete: boolean;
}

const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, isOver: () => false };

export async function importTranscripts(
  parts: DrainParts,
  transcripts: FoundTranscript[],
  onProgress: (bytes: number) => void,
): Promise<ImportReport> {
  const writing = parts.access.forWriting();
  if (writing === undefined) return { files: 0, events: 0, isComplete: false };
  const report: ImportReport = { files: 0, events: 0, isComplete: true };
  try {
    const { index } = writing;
    const limits = { maxBytes: Number.MAX_SAFE_INTEGER };
    await catchUp(parts, index, limits);
    const stamps = await index.transcriptStamps();
    const cursors = await index.transcriptCursors();
    for (const { agent, file, bytes } of transcripts) {
      const source = transcriptSources[agent];
      if (source === undefined) continue;
      for (const path of [file, ...source.companions(file)]) {
        const display = withTilde(path, parts.userHome);
        const stamp = stampOf(path);
        if (stamps.get(display) === stamp) continue;
        const from = cursors.get(display) ?? { offset: 0, turn: '' };
        const done = await ingestTranscript(
          { ...parts, index },
          { file: display, agent, source },
          from,
          unlimited,
          new Set(),
        );
        // Before the next file: a fork repeats records of this one, and only the index knows them.
        await catchUp(parts, index, limits);
        await index.markTranscript(display, stamp);
        report.files += 1;
        report.events += done.events;
      }
      onProgress(bytes);
    }
    await renderPrelude(parts, index);
  } finally {
    await writing.close();
  }
  return report;
}

const stampOf = (path: string): string => {
  const { size, mtimeMs } = statSync(path);
  return `${size}:${mtimeMs}`;
};
