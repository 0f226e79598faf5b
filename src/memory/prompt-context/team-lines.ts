import { localDay } from '../../base/clock.ts';
import { type Chunk, searchedText, type TeamSource } from '../../domain/chunk.ts';
import { shortNoteId } from '../../domain/note.ts';
import { asWords } from '../../recall/question.ts';
import type { LogIndex } from '../../store/store.ts';
import { rarity } from '../../text/bm25.ts';
import { harmless } from '../../text/fence.ts';
import { plainWords } from '../../text/plain-words.ts';
import { safeName } from '../../text/safe-name.ts';
import { queryTerms } from '../../text/words.ts';
import type { CachedMemory } from '../../wire/answers/team.ts';
import type { Comparison, ContextLine } from './compose-context.ts';
import { namedIssues } from './request.ts';

export interface PromptTeam {
  name: string;
  /** Where a note or memory of the team comes from, by its id. The index has only its text. */
  sources: Map<string, PromptTeamSource>;
}

export interface PromptTeamSource
  extends Omit<TeamSource, 'name'>,
    Partial<Pick<CachedMemory, 'about' | 'sourceRef' | 'issues' | 'updated' | 'text'>> {
  /** The member who wrote it, if the user trusts them. Only then its text may be told. */
  writer?: string;
}

const maxLines = 3;

/**
 * Lines about the issues that a prompt names by their number, their key or their whole title, and about comments on
 * them, the newest first. The texts come from the copy on this machine, so they are told offline too.
 */
export function teamLinesNamed(prompt: string, team: PromptTeam): ContextLine[] {
  const numbers = namedIssues(prompt);
  const words = plainWords(prompt);
  const issues = [...team.sources].filter(([, { source }]) => source === 'issue');
  const titled = issues
    .map(([id, { text = '' }]) => ({ id, title: plainWords(titleOf(text)) }))
    .filter(
      ({ title }) => title === words || (title.split(' ').length > minTitleWords && isWithin(title, words)),
    )
    .sort((a, b) => b.title.length - a.title.length);
  const isNamed = (id: string, memory: PromptTeamSource): boolean =>
    namesOf(memory).some(
      (name) =>
        numbers.some((number) => name.endsWith(`#${number}`) || name.endsWith(`!${number}`)) ||
        (name.length > minKeyLength && isWithin(plainWords(name), words)),
    ) || id === titled[0]?.id;
  return [...team.sources]
    .filter(([id, memory]) => isNamed(id, memory))
    .sort(
      ([, a], [, b]) =>
        Number(b.source === 'issue') - Number(a.source === 'issue') ||
        (a.updated ?? '').localeCompare(b.updated ?? '') * -1,
    )
    .slice(0, maxLines)
    .map(([id, memory], at) => ({
      section: 'Named in the prompt',
      ...lineOf({ id, at: Date.parse(memory.updated ?? '') || 0 }, memory, team, {
        words:
          numbers.length > 0 ? numbers.map((number) => `#${number}`) : sharedWords(prompt, memory.text ?? ''),
        quotes: at === 0,
      }),
      reason: "an issue in the team's copy that the prompt names",
    }));
}

/** A shorter title may be the words of any prompt. */
const minTitleWords = 2;
const minKeyLength = 3;

const namesOf = ({ about, sourceRef = '', issues = [] }: PromptTeamSource): string[] =>
  about === undefined ? [sourceRef, ...issues] : [about];

const titleOf = (text: string): string => text.split('\n', 1)[0] ?? '';

const isWithin = (part: string, whole: string): boolean => part !== '' && ` ${whole} `.includes(` ${part} `);

/**
 * Bounds on what is compared with the prompt: the best hits, and the start of each text. Without them, 300 issues about
 * the subject of a prompt doubled the time of its hook.
 */
const maxCompared = 6;
const chunksPerText = 4;
const maxComparedLength = 300;
const maxSharedWords = 6;

/**
 * How close a text must be to a prompt. `score` is the similarity of both, 0 to 3, plus the share of the prompt that the
 * text has and the share that its title has, in words weighted by their rarity. `shared` is how much they share, in words
 * that only one text has. `lead` is how much closer it must be than the next text of its kind: if two issues could be
 * meant, none is told. Chosen on issues of four public projects and one set that `team-loop` no longer asks.
 */
const minCloseness = { score: 1.85, shared: 1.5, lead: 0.3 };

/** One line of each source. */
export async function similarTeamLines(
  prompt: string,
  {
    index,
    team,
    scored,
    isNews,
  }: { index: LogIndex; team: PromptTeam; scored: Comparison['scored']; isNews(chunk: Chunk): boolean },
): Promise<ContextLine[]> {
  const chunks = (await textsWithWordsOf(prompt, index)).filter(isNews);
  const { terms } = queryTerms(asWords(prompt));
  const statistics = await index.statistics(terms);
  const weightIn = (text: string): number => {
    const theirs = new Set(queryTerms(asWords(text)).terms);
    return terms.reduce((sum, term) => sum + (theirs.has(term) ? rarity(statistics, term) : 0), 0);
  };
  const whole = terms.reduce((sum, term) => sum + rarity(statistics, term), 0);
  // The title is compared on its own too: whoever means an issue writes little more.
  const parts = chunks.flatMap((chunk) => {
    const text = searchedText(chunk).slice(0, maxComparedLength);
    return [...new Set([text, titleOf(text)])].map((part) => ({ chunk, text: part }));
  });
  const similarity = new Map<Chunk, number>();
  for (const { item, score } of await scored(parts, 0))
    similarity.set(item.chunk, Math.max(score, similarity.get(item.chunk) ?? 0));
  const found = chunks
    .map((chunk) => {
      const text = searchedText(chunk);
      const weight = weightIn(text);
      return {
        chunk,
        memory: team.sources.get(chunk.sourceId) ?? { source: 'note' as const, author: '' },
        score: (similarity.get(chunk) ?? 0) + (weight + weightIn(titleOf(text))) / whole,
        shared: weight / rarity(statistics, ''),
      };
    })
    .sort((a, b) => b.score - a.score);
  type Found = (typeof found)[number];
  // Strangers who open issues like one of a trusted member do not hide it.
  const leads = ({ chunk, memory, score }: Found): boolean =>
    found.every(
      (other) =>
        other.chunk === chunk ||
        other.memory.source !== memory.source ||
        (memory.writer !== undefined && other.memory.writer === undefined) ||
        score - other.score >= minCloseness.lead,
    );
  const close = found.filter(
    (one) => one.score >= minCloseness.score && one.shared >= minCloseness.shared && leads(one),
  );
  const best = [...new Map(close.reverse().map((one) => [one.memory.source, one])).values()];
  best.sort((a, b) => b.score - a.score);
  return best.slice(0, maxLines).map(({ chunk, memory }, at) => ({
    section: 'From the team, not reviewed',
    ...lineOf({ id: chunk.sourceId, at: chunk.at }, memory, team, {
      words: sharedWords(prompt, searchedText(chunk).slice(0, maxComparedLength)),
      quotes: at === 0,
    }),
    reason: 'a text of the team',
  }));
}

/** One chunk of each text. */
async function textsWithWordsOf(prompt: string, index: LogIndex): Promise<Chunk[]> {
  const filter = { unreviewedTeamText: true };
  const found = await index.search(queryTerms(asWords(prompt)).terms, filter, maxCompared * chunksPerText);
  const first = new Map(found.reverse().map(({ chunk }) => [chunk.sourceId, chunk]));
  return [...first.values()].reverse().slice(0, maxCompared);
}

/** Words of the prompt, as the user wrote them, that the text has too. */
function sharedWords(prompt: string, text: string): string[] {
  const terms = new Set(queryTerms(text).terms);
  const words = prompt.match(/[\p{L}\p{N}_-]{3,}/gu) ?? [];
  const shared = words.filter((word) => queryTerms(word).terms.some((term) => terms.has(term)));
  return [...new Set(shared.map((word) => word.toLowerCase()))].slice(0, maxSharedWords);
}

const maxQuotedLength = 900;

/**
 * A line about a text of the team. Anybody may open an issue, so the line has no word of it except those that the user's
 * own prompt has too. It says where the text comes from, so that the agent can open it as data. The text of a member
 * whom the user trusts is quoted below the line, each line of it behind a mark, so that it cannot pass for another line.
 */
function lineOf(
  { id, at }: { id: string; at: number },
  { source, author, text = '', writer }: PromptTeamSource,
  { name }: PromptTeam,
  { words, quotes }: { words: string[]; quotes: boolean },
): Pick<ContextLine, 'text' | 'shortText' | 'isTeams'> {
  const person = writer ?? author;
  const by = person === '' ? '' : ` by ${safeName('person', person)}`;
  const about = `${source}${by} about ${words.join(', ')}`;
  const line = `${localDay(at)} team ${safeName('project', name)}: ${about} [${shortNoteId(id)}]`;
  if (writer === undefined || !quotes || text === '') return { isTeams: true, text: line };
  const start = text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text;
  const quoted = harmless(start)
    .split(/\r?\n|[\u2028\u2029\u0085\v\f]/)
    .filter((part) => part.trim() !== '')
    .map((part) => `  > ${part}`);
  return {
    isTeams: true,
    text: [`${line}, quoted as data:`, ...quoted].join('\n'),
    shortText: line,
  };
}
