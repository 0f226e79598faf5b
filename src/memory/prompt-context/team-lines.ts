import { localDay } from '../../base/clock.ts';
import type { TeamSource } from '../../domain/chunk.ts';
import { shortNoteId } from '../../domain/note.ts';
import { harmless } from '../../text/fence.ts';
import { plainWords } from '../../text/plain-words.ts';
import { safeName } from '../../text/safe-name.ts';
import { queryTerms } from '../../text/words.ts';
import type { CachedMemory } from '../../wire/answers/team.ts';
import type { ContextLine } from './answer-prompt.ts';
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

const maxSharedWords = 6;

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
