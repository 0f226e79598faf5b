import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { catchUp } from '../../../src/recall/catch-up.ts';
import { emptyReplay, replayRecord } from '../../../src/recall/replay-log.ts';
import type { EventLog } from '../../../src/store/events/event-log.ts';
import { currentDatabase } from '../../../src/store/sqlite/index-files.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { openProject } from '../../harness/home.ts';
import { indexDigest } from '../../harness/index-digest.ts';
import type { GrowingTranscript } from './transcript.ts';

/** Checks the index. The results are 1 for yes and 0 for no, because figures are numbers. */
export async function checkIndex(projectFolder: string) {
  return {
    indexEqualsRebuild: Number(
      digestOf(join(projectFolder, 'index')) === (await digestOfRebuild(projectFolder)),
    ),
    indexIsSound: Number(isSound(join(projectFolder, 'index'))),
  };
}

function digestOf(indexFolder: string): string {
  const database = currentDatabase(indexFolder);
  return database === undefined ? `no index in ${indexFolder}` : indexDigest(database);
}

/** Digest of an index rebuilt from the same log in another folder. */
async function digestOfRebuild(projectFolder: string): Promise<string> {
  const folder = temporaryFolder('rebuild');
  const parts = openProject(projectFolder, folder);
  const writing = parts.access.forWriting();
  try {
    if (writing !== undefined) await catchUp(parts, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
  } finally {
    await writing?.close();
  }
  return digestOf(folder);
}

/** SQLite's integrity check of the tables and of the full-text index. */
function isSound(indexFolder: string): boolean {
  const file = readdirSync(indexFolder).find((name) => name.endsWith('.db')) as string;
  const database = new DatabaseSync(join(indexFolder, file));
  try {
    database.exec(`insert into chunk_terms (chunk_terms) values ('integrity-check')`);
    const rows = database.prepare('pragma integrity_check').all() as { integrity_check: string }[];
    return rows[0]?.integrity_check === 'ok';
  } finally {
    database.close();
  }
}

/** Checks that every record of the transcript is in the log exactly once, even if a hook reported it too. */
export function checkTranscript(
  log: EventLog,
  expected: GrowingTranscript['expected'],
  acknowledged: string[],
) {
  const fold = emptyReplay();
  const lines = new Map<string, number>();
  for (const record of log.read({})) {
    replayRecord(fold, record, new Map());
    if (record.entry.kind !== 'event') continue;
    lines.set(record.entry.event.id, (lines.get(record.entry.event.id) ?? 0) + 1);
  }
  const live = [...fold.rows.values()].filter(({ state }) => state === 'live');
  const liveIds = new Set(live.map(({ id }) => id));
  const wanted = [...expected.prompts, ...expected.answers, ...expected.tools];
  const captured = live.filter(({ kind }) => kind === 'prompt' || kind === 'answer' || kind === 'command');
  return {
    transcriptRecords: wanted.length,
    transcriptLost: wanted.filter((id) => !liveIds.has(id)).length,
    transcriptDoubled: captured.length - wanted.filter((id) => liveIds.has(id)).length,
    repeatedLines: [...lines.values()].filter((count) => count > 1).length,
    hookEvents: acknowledged.length,
    hookEventsLost: acknowledged.filter((id) => !fold.rows.has(id)).length,
  };
}
