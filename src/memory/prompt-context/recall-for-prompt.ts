import type { EmbedderSource } from '../../models/embed.ts';
import { asksForLastWork } from '../../recall/question.ts';
import { readUnindexedLog } from '../../recall/unindexed-events.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { IndexAccess } from '../../store/store.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { readTeamCache, readTrustedMembers } from '../team-cache.ts';
import { type PromptRecall, silent } from './answer-prompt.ts';
import { type ContextLine, composeContext, type PromptQuestion } from './compose-context.ts';
import type { PromptTeam, PromptTeamSource } from './team-lines.ts';
import { readTopics } from './topic-table.ts';

export interface RecallForPromptParts {
  access: Pick<IndexAccess, 'forReading'>;
  log: EventLog;
  topics: string;
  teamMemories: string;
  membership: string;
  embedder?: EmbedderSource;
}

/** Events beyond this size that are not indexed yet are not read: the index is being built, and an answer would be old. */
const maxUnindexedBytes = 1024 * 1024;

/** If there is no index, or it is far behind, nothing is told: another process may be writing it. */
export async function recallForPrompt(
  { access, log, topics, teamMemories, membership, embedder }: RecallForPromptParts,
  { maxTokens, told, ...question }: Omit<PromptQuestion, 'told'> & { told: string[]; maxTokens: number },
): Promise<PromptRecall> {
  const reading = access.forReading();
  if (reading === undefined) return silent('nothing is indexed yet');
  try {
    const { index } = reading;
    const tail = await readUnindexedLog(log, index, maxUnindexedBytes);
    if (tail.isCut) return silent('the index is being built');
    const memory = {
      index,
      tail,
      topics: readTopics(topics),
      ...teamOf(teamMemories, membership),
      ...(embedder === undefined ? {} : { embedder }),
    };
    const { lines, silence } = await composeContext(memory, { ...question, told: new Set(told) });
    if (question.isOver()) return silent('the search took too long');
    const kept = withinBudget(lines, maxTokens);
    if (kept.length > 0) return { text: rendered(kept), lines: kept };
    const found = silent(silence ?? 'no line fits');
    return (await asksForLastWork(embedder, question.prompt)) ? { ...found, asksForLastWork: true } : found;
  } finally {
    await reading.close();
  }
}

/** The sources of the team's memories, from the local copy. A hook makes no request. */
function teamOf(path: string, membership: string): { team?: PromptTeam } {
  const cache = readTeamCache(path);
  if (cache === undefined) return {};
  const { name, memories, authors = {}, writers = [] } = cache;
  const trusted = new Map(readTrustedMembers(membership).map((member) => [member.id, member.name]));
  const writerOf = new Map(writers.map(({ memory, person }) => [memory, trusted.get(person)]));
  const sources = new Map<string, PromptTeamSource>([
    ...Object.entries(authors).map(([id, author]) => [id, { source: 'note' as const, author }] as const),
    ...memories.map((memory): [string, PromptTeamSource] => {
      const writer = writerOf.get(memory.id);
      return [memory.id, writer === undefined ? memory : { ...memory, writer }];
    }),
  ]);
  return { team: { name, sources } };
}

const sections: ContextLine['section'][] = [
  'Named in the prompt',
  'Settled',
  'Failed before',
  'Asked before',
  'From the team, not reviewed',
];

/**
 * A line that does not fit is told without its quotation, or left out. What the team wrote comes last, so that it never
 * takes the place of the user's own memory.
 */
function withinBudget(found: ContextLine[], maxTokens: number): ContextLine[] {
  const kept = new Map<ContextLine, ContextLine>();
  const inOrder = () => found.flatMap((line) => kept.get(line) ?? []);
  for (const line of [...found].sort((a, b) => Number(a.isTeams ?? false) - Number(b.isTeams ?? false)))
    for (const text of [line.text, line.shortText ?? line.text]) {
      kept.set(line, { ...line, text });
      if (estimateTokens(rendered(inOrder()).join('\n')) <= maxTokens) break;
      kept.delete(line);
    }
  return inOrder();
}

const rendered = (lines: ContextLine[]): string[] =>
  sections.flatMap((section) => {
    const own = lines.filter((line) => line.section === section);
    return own.length === 0 ? [] : [`${section}:`, ...own.map(({ text }) => `- ${text}`)];
  });
