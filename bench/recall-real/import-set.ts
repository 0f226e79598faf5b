import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTranscripts } from '../../src/agents/find-transcripts.ts';
import { recordId } from '../../src/agents/provisional-ids.ts';
import { systemClock } from '../../src/base/clock.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { Note } from '../../src/domain/note.ts';
import { importTranscripts } from '../../src/memory/capture/import-transcripts.ts';
import { drain } from '../../src/memory/drain.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { recall } from '../../src/recall/recall.ts';
import type { RankingWeights } from '../../src/recall/weights.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { markInstalled, openDrain } from '../../test/harness/home.ts';
import { recordsOf } from '../distil/transcript.ts';
import { createFts5, documentOf } from '../retrieval/baselines.ts';
import type { RealMessage, RealSession, RealSet } from './read-sets.ts';

/**
 * An imported project with two search methods: recall and plain full-text search. Both return the sources of their
 * hits, best first.
 */
export interface ImportedSet {
  recall(
    text: string,
    limit: number,
    weights: RankingWeights,
  ): Promise<{ found: AnswerSource[]; match: string }>;
  /** Plain full-text search over the imported events. */
  fts5(text: string, limit: number): AnswerSource[];
}

export interface AnswerSource {
  /** Ids of the messages that the hit is, or that it was extracted from. */
  messages: string[];
  /** The whole text of the hit; empty for commands and edits, which contain no answer in words. */
  text: string;
}

/**
 * Writes the sessions as Claude Code transcripts, then imports them, indexes them and extracts notes as the product
 * does.
 */
export async function importSet({ name, sessions }: RealSet): Promise<ImportedSet> {
  const home = temporaryFolder('recall-real');
  const root = join(home, 'repo');
  const claude = join(home, '.claude');
  // Give the project a remote, because its id is made from the remote or else from the temporary path. Hits with equal
  // scores are ordered by ids derived from it.
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['-C', root, 'remote', 'add', 'origin', `https://example.com/${name}.git`]);
  for (const [at, session] of sessions.entries()) {
    const path = join(claude, 'projects', 'repo', `${String(at).padStart(4, '0')}.jsonl`);
    writeTranscript(path, session, root);
  }
  const paths = homePaths(join(home, '.backstory'));
  markInstalled(paths.home);
  const { place, remember } = resolvePlace(paths, root, systemClock);
  remember();
  // The clock is set to the day of the last session, so that notes have not aged when questions are asked.
  const messages = sessions.flatMap((session) => session.messages);
  const now = Math.max(...messages.map(({ at }) => at));
  const parts = openDrain(paths, place.project, {
    userHome: home,
    clock: { now: () => now },
    transcriptRoots: [join(claude, 'projects')],
  });
  const none = { claudeState: '', codex: '', opencode: '', opencodeState: '', pi: '', cursor: '' };
  const transcripts = findTranscripts({ claude, ...none }, ['claude-code']);
  await importTranscripts(parts, transcripts, { onRead() {}, onIndex() {} });
  const { isComplete } = await drain(parts);
  if (!isComplete) throw new Error(`${name} was not indexed completely`);
  const sources = answerSources(messages, await parts.notes.list());
  const documents = [...parts.log.read({})].flatMap(({ entry }) =>
    entry.kind === 'event' ? (documentOf(entry.event) ?? []) : [],
  );
  const search = createFts5(documents);
  const sourceOf = (id: string): AnswerSource => sources.get(id) ?? { messages: [], text: '' };
  return {
    async recall(text, limit, weights) {
      const { hits, match } = await recall(parts, { text, limit, now }, thoroughLimits, weights);
      return { found: hits.map(({ chunk }) => sourceOf(chunk.sourceId)), match };
    },
    fts5: (text, limit) => search(text, limit).map(sourceOf),
  };
}

/** Sources by the id of the event or note. */
function answerSources(messages: RealMessage[], notes: Note[]): Map<string, AnswerSource> {
  const copies = Map.groupBy(messages.filter(isProse), proseOf);
  const sources = new Map<string, AnswerSource>();
  for (const message of messages) {
    const text = proseOf(message);
    // Recall shows equal texts only once, so one hit stands for all messages with this text.
    const own = text === '' ? [message] : (copies.get(text) ?? []);
    sources.set(eventOf(message), { messages: own.map(({ id }) => id), text });
  }
  for (const { id, kind, text, derivedFrom } of notes)
    sources.set(id, {
      // A summary is extracted from a whole session, but does not answer every question about it, so it counts for no
      // message.
      messages: kind === 'summary' ? [] : derivedFrom.flatMap((from) => sources.get(from)?.messages ?? []),
      text,
    });
  return sources;
}

const isProse = ({ act }: RealMessage): boolean => act.kind === 'prompt' || act.kind === 'answer';

const proseOf = ({ act }: RealMessage): string =>
  act.kind === 'prompt' || act.kind === 'answer' ? act.text : '';

/** The id that the import gives to the event of a message. */
const eventOf = (message: RealMessage): string =>
  recordId('claude-code', isProse(message) ? message.id : `toolu_${message.id}`);

function writeTranscript(path: string, { id, messages }: RealSession, cwd: string): void {
  let promptId = '';
  let parentUuid = '';
  const records = messages.flatMap((message) => {
    if (message.act.kind === 'prompt') promptId = `turn-${message.id}`;
    return recordsOf(message.act, message.id, cwd).map((record, at) => {
      const uuid = at === 0 ? message.id : `${message.id}-result`;
      const chain = record.type === 'user' ? { promptId } : {};
      const common = { sessionId: id, cwd, version: '2.1.325', gitBranch: 'main', isSidechain: false };
      const timestamp = new Date(message.at).toISOString();
      const line = JSON.stringify({ ...common, ...chain, ...record, uuid, parentUuid, timestamp });
      parentUuid = uuid;
      return `${line}\n`;
    });
  });
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, records.join(''));
  // The import reads transcripts in the order of their modification time.
  const end = Math.max(...messages.map(({ at }) => at)) / 1000;
  utimesSync(path, end, end);
}
