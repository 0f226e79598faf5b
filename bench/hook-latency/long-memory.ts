import { join } from 'node:path';
import { type Home, markPast } from '../../test/harness/home.ts';
import type { Prose } from '../../test/harness/prose.ts';
import type { Random } from '../../test/harness/random.ts';
import { writeTranscript } from '../recall-wordings/import-sessions.ts';
import type { RealMessage } from '../recall-wordings/read-sets.ts';

const turns = 1_500;
const promptLength = 160;
const answerLength = 600;

/** Imports a session of many turns into a home. Returns a request about one of them. */
export function writeLongMemory(home: Home, prose: Prose, random: Random): string {
  const start = Date.parse('2026-10-01T09:00:00Z');
  const words = (length: number): string => prose.take(length, random);
  const messages = Array.from({ length: turns }, (_, at): RealMessage[] => [
    { id: `p${at}`, at: start + at * 60_000, act: { kind: 'prompt', text: words(promptLength) } },
    { id: `a${at}`, at: start + at * 60_000 + 30_000, act: { kind: 'answer', text: words(answerLength) } },
  ]).flat();
  const asked =
    'the retry queue of #5 keeps its jobs in Postgres instead of Redis, because Redis lost jobs on failover';
  messages[turns] = { id: 'queue', at: messages[turns]?.at ?? start, act: { kind: 'prompt', text: asked } };
  writeTranscript(
    join(home.home, '.claude', 'projects', 'x', 'long.jsonl'),
    { id: 'long', messages },
    home.repo,
  );
  markPast(home.backstory, home.home);
  const { status, stderr } = home.cli('import', 'claude-code');
  if (status !== 0) throw new Error(`import failed: ${stderr}`);
  return 'where does the retry queue keep its jobs, in Redis or in Postgres?';
}
