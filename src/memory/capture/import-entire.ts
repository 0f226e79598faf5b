import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcriptSources } from '../../agents/transcripts.ts';
import { hashId } from '../../base/hash.ts';
import { teammateSessionId } from '../../domain/agent-session.ts';
import type { KnownAgent } from '../../domain/event.ts';
import { type Checkpoint, readCheckpoints } from '../../git/checkpoints.ts';
import { readObjects } from '../../git/objects.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { redact } from '../redact/redact.ts';
import { importEvents } from '../wait-for-writer.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';

/**
 * Imports the sessions that Entire stored in a branch of the repository. Anyone who can push may have written them, so
 * they are a teammate's: their prompts and answers have trust 0, are found by recall with the author's name, and are
 * told to nobody unasked. That holds for the user's own commits too: an email address proves nothing.
 */
/** Entire's names of agents whose transcripts it stores as the agent wrote them. Its first versions named none. */
const agents: Record<string, KnownAgent> = {
  '': 'claude-code',
  Agent: 'claude-code',
  'Claude Code': 'claude-code',
  Codex: 'codex',
  'Factory AI Droid': 'droid',
  Pi: 'pi',
};

/** `skipped`: sessions that cannot be read, of other agents or too large. */
export async function importEntire(parts: OpenProject, root: string) {
  const done = { sessions: 0, events: 0, skipped: 0 };
  await importEvents(parts, async (index) => {
    for (const checkpoint of longest(await readCheckpoints(root))) {
      const { agent, transcript } = checkpoint;
      const source = transcriptSources[agents[agent] ?? 'backstory'];
      const words = source && (await readObjects(root, [transcript])).get(transcript);
      const added =
        words === undefined ? undefined : await addSession({ ...parts, index }, checkpoint, words);
      if (added === undefined) done.skipped += 1;
      else if (added > 0) done.sessions += 1;
      done.events += added ?? 0;
    }
    return done.events;
  });
  return done;
}

/** A session is stored again with every commit that it led to; the longest transcript has all of it. */
const longest = (checkpoints: Checkpoint[]): Checkpoint[] => [
  ...new Map(checkpoints.toSorted((a, b) => a.bytes - b.bytes).map((each) => [each.session, each])).values(),
];

async function addSession(
  parts: IngestParts,
  { agent: name, session, author }: Checkpoint,
  transcript: string,
): Promise<number> {
  const agent = agents[name] as KnownAgent;
  const writer = createEventWriter({ ...parts, actor: harmlessLine(author, 60) }, agent);
  const folder = mkdtempSync(join(tmpdir(), 'backstory-entire-'));
  const file = join(folder, 'session.jsonl');
  try {
    writeFileSync(file, transcript, { mode: 0o600 });
    const steps = transcriptSources[agent]?.read(file, '', { offset: 0, turn: '' }, redact) ?? [];
    for (const { kind, id, at, body } of [...steps].flatMap(({ observations }) => observations)) {
      if ((kind !== 'prompt' && kind !== 'answer') || body.subagent !== undefined) continue;
      // The user's own session, which was captured here.
      if ((await parts.index.events([id])).has(id)) continue;
      await writer.add({
        kind,
        id: hashId('entire', id),
        ...(at === undefined ? {} : { at }),
        origin: 'teammate',
        trust: 0,
        agentSession: teammateSessionId(session),
        body: { turn: hashId('entire', session, body.turn ?? ''), text: body.text },
      });
    }
    return writer.flush();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
