import { join } from 'node:path';
import { hashId } from '../../src/base/hash.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { rulesOnly } from '../../src/memory/redact/redact.ts';
import { recall } from '../../src/recall/recall.ts';
import { type RankingWeights, rankingWeights } from '../../src/recall/weights.ts';
import { type RecallParts, thoroughLimits } from '../../src/recall/with-index.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { openProject } from '../../test/harness/home.ts';
import type { Conversation, Message } from './conversation.ts';

/** A conversation as a project of the product: a real event log in its own folder, and the real index. */
export interface ConversationProject {
  parts: RecallParts;
  /** Message ids, best first, and the product's own rating of the match. */
  ask(text: string, limit: number, weights?: RankingWeights): Promise<{ ids: string[]; match: string }>;
}

export async function toProject(conversation: Conversation): Promise<ConversationProject> {
  const project = hashId('evaluation', conversation.id);
  const parts = openProject(join(temporaryFolder('retrieval'), project));
  const events = conversation.messages.map((message, at) => eventOf(message, at, project));
  const messageOf = new Map(events.map(({ id }, at) => [id, conversation.messages[at]?.id ?? '']));
  parts.log.append(events);
  const question = (text: string, limit: number, weights: RankingWeights) =>
    recall(parts, { text, limit }, thoroughLimits, weights);
  // The first question indexes everything and does not count.
  await question('begin', 1, rankingWeights);
  return {
    parts,
    async ask(text, limit, weights = rankingWeights) {
      const { hits, match } = await question(text, limit, weights);
      return { ids: hits.map(({ chunk }) => messageOf.get(chunk.sourceId) ?? ''), match };
    },
  };
}

function eventOf({ id, who, session, at, text }: Message, place: number, project: string): EventEnvelope {
  const isAgent = who === 'assistant';
  return {
    v: 1,
    id: hashId(project, id),
    at: new Date(at).toISOString(),
    seq: place,
    device: '0123456789abcdef',
    actor: 'evaluation',
    agent: 'claude-code',
    agentVersion: '',
    agentSession: session,
    clientPid: 0,
    project,
    checkout: '',
    branch: '',
    head: '',
    origin: who,
    trust: isAgent ? 1 : 2,
    kind: isAgent ? 'answer' : 'prompt',
    body: { text: rulesOnly.redact(text) },
  };
}
