import { readUnindexedLog } from '../../recall/unindexed-events.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { IndexAccess } from '../../store/store.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { readTeamCache, readTrustedMembers } from '../team-cache.ts';
import { type ContextLine, type PromptRecall, type RecallForPrompt, silent } from './answer-prompt.ts';
import { issueLines } from './named-issues.ts';
import { namedIssues, typedText } from './request.ts';
import { type PromptTeam, type PromptTeamSource, teamLinesNamed } from './team-lines.ts';
import { namedIn, readTopics } from './topic-table.ts';

export interface RecallForPromptParts {
  access: Pick<IndexAccess, 'forReading'>;
  log: EventLog;
  topics: string;
  teamMemories: string;
  membership: string;
  isFile(path: string): boolean;
}

/** Events beyond this size that are not indexed yet are not read: the index is being built, and an answer would be old. */
const maxUnindexedBytes = 1024 * 1024;
const maxTopics = 6;

/**
 * Chooses what a session is told about a prompt: only what the words of the prompt identify. Prose comes only from the
 * user, as in the prelude. An agent's answer and the team's texts are given as ids.
 */
export async function recallForPrompt(
  parts: RecallForPromptParts,
  { prompt, agentSession, told: ids, maxTokens }: Parameters<RecallForPrompt>[0],
): Promise<PromptRecall> {
  const text = typedText(prompt);
  if (text === '') return silent('all of it is pasted text');
  const told = new Set(ids);
  const isNamed = namedIn(text);
  const settled = [...readTopics(parts.topics)].filter(([, topic]) => isNamed(topic));
  const fresh = settled
    .filter(([note]) => !told.has(note))
    .slice(0, maxTopics)
    .map(
      ([, { section, text, reason }]): ContextLine => ({
        section: section === 'Failed before' ? section : 'Settled',
        text,
        reason,
      }),
    );
  const issues = namedIssues(text);
  const own = issues.length === 0 ? [] : await knownOf(issues, parts, { agentSession, told });
  const team = teamOf(parts.teamMemories, parts.membership);
  const lines = [...(team === undefined ? [] : teamLinesNamed(prompt, team)), ...own, ...fresh];
  const kept = withinBudget(lines, maxTokens);
  if (kept.length > 0) return { text: rendered(kept), lines: kept };
  return silent(
    settled.length === 0 ? 'it names nothing that is remembered' : 'the prelude tells already what it names',
  );
}

/** Nothing, if there is no index or it is far behind: another process may be writing it. */
async function knownOf(
  issues: string[],
  { access, log, isFile }: RecallForPromptParts,
  session: { agentSession: string; told: ReadonlySet<string> },
): Promise<ContextLine[]> {
  const reading = access.forReading();
  if (reading === undefined) return [];
  try {
    const { index } = reading;
    const tail = await readUnindexedLog(log, index, maxUnindexedBytes);
    return tail.isCut ? [] : await issueLines(issues, { index, tail }, { ...session, isFile });
  } finally {
    await reading.close();
  }
}

/** The sources of the team's memories, from the local copy. A hook makes no request. */
function teamOf(path: string, membership: string): PromptTeam | undefined {
  const cache = readTeamCache(path);
  if (cache === undefined) return undefined;
  const { name, memories, writers = [] } = cache;
  const trusted = new Map(readTrustedMembers(membership).map((member) => [member.id, member.name]));
  const writerOf = new Map(writers.map(({ memory, person }) => [memory, trusted.get(person)]));
  const sources = new Map(
    memories.map((memory): [string, PromptTeamSource] => {
      const writer = writerOf.get(memory.id);
      return [memory.id, writer === undefined ? memory : { ...memory, writer }];
    }),
  );
  return { name, sources };
}

const sections: ContextLine['section'][] = ['Named in the prompt', 'Settled', 'Failed before'];

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
