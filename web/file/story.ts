import type { FileStory } from '../../src/wire/answers/file-page.ts';
import { agentName } from '../parts/agents.ts';
import { dayOf } from '../parts/days.ts';
import { fileLink } from '../parts/file-link.ts';
import { dayMs, shortDay } from '../parts/time.tsx';
import { linkTo } from '../router.ts';

export type Origin = FileStory['origins'][number];
export type FileNote = FileStory['notes'][number];
export type Tried = FileStory['tried'][number];

/** Lines with one origin, and what is known about them. */
export interface StoryBlock {
  from: number;
  to: number;
  origin: Origin;
  /** Title of the session. */
  title: string;
  /** Notes whose code begins in this block. */
  notes: FileNote[];
  /** Attempts of the session that wrote the block. */
  tried: Tried[];
}

export function blocksOf({ blocks, origins, notes, tried, titles }: FileStory): StoryBlock[] {
  const shownTried = new Set<Tried>();
  return blocks.map(({ from, to, origin: index }) => {
    const origin = origins[index] as Origin;
    // An attempt is shown with the first block of its session.
    const own = tried.filter(
      (each) => !shownTried.has(each) && each.agentSession === origin.session?.agentSession,
    );
    for (const each of own) shownTried.add(each);
    return {
      from,
      to,
      origin,
      title: titles[origin.session?.agentSession ?? ''] ?? '',
      notes: notes.filter(({ lines }) => lines.some(([start]) => start >= from && start <= to)),
      tried: own,
    };
  });
}

/** What the lines were written for, or else the commit's subject. */
export const titleOf = ({ reason, commit, session }: Origin): string =>
  reason?.name ??
  commit?.summary ??
  (session === undefined ? 'Not committed, and no session is known' : 'No prompt recorded');

export const whoOf = ({ session, commit }: Origin): string =>
  session === undefined ? (commit?.author ?? 'Unknown') : agentName(session.agent);

export const timeOf = ({ session, commit }: Origin): number | undefined => session?.at ?? commit?.at;

/** Where a click on a block leads: to the turn that wrote it, or else to the file as of its commit. */
export function originLink({ session, commit }: Origin, path: string): string | undefined {
  if (session !== undefined) return linkTo('session', session.agentSession, { at: session.edit });
  return commit === undefined ? undefined : fileLink(path, { commit: commit.hash });
}

export const colourings = ['session', 'person', 'age'] as const;
export type Colouring = (typeof colourings)[number];

/** One colour of the bar beside the code, and what it means. */
export interface Tone {
  /** Number of the colour; 0 is grey. */
  tone: number;
  label: string;
  /** Agent of a session. */
  agent?: string;
  lines: number;
  /** The first line that has it. */
  first: number;
}

const maxTones = 8;
const ages: [maxDays: number, label: string][] = [
  [1, 'Last day'],
  [7, 'Last week'],
  [30, 'Last month'],
  [365, 'Last year'],
];

/** Assigns a colour to each block. The most frequent origins have colours of their own; the others share grey. */
export function tonesOf(blocks: StoryBlock[], by: Colouring): { of: Map<StoryBlock, Tone>; legend: Tone[] } {
  const named = new Map<string, Tone>();
  const keys = new Map<StoryBlock, string>();
  for (const block of blocks) {
    const { key, ...meaning } = meaningOf(block, by);
    const known = named.get(key) ?? { tone: 0, lines: 0, first: block.from, ...meaning };
    known.lines += block.to - block.from + 1;
    named.set(key, known);
    keys.set(block, key);
  }
  const order = (a: Tone, b: Tone) => (by === 'age' ? a.tone - b.tone : b.lines - a.lines);
  const legend = [...named].sort(([, a], [, b]) => order(a, b));
  const distinct = by === 'age' ? [] : legend.filter(([key]) => key !== '').slice(0, maxTones);
  for (const [at, [, tone]] of distinct.entries()) tone.tone = at + 1;
  return {
    of: new Map([...keys].map(([block, key]) => [block, named.get(key) as Tone])),
    legend: legend.map(([, tone]) => tone),
  };
}

function meaningOf(
  { origin, title }: StoryBlock,
  by: Colouring,
): { key: string; label: string; agent?: string; tone?: number } {
  const { session, commit } = origin;
  if (by === 'session')
    return session === undefined
      ? { key: '', label: 'No agent session known' }
      : {
          key: session.agentSession,
          label: `${shortDay(dayOf(session.at))}: ${title || agentName(session.agent)}`,
          agent: session.agent,
        };
  if (by === 'person')
    return commit === undefined
      ? { key: '', label: 'Not committed' }
      : { key: commit.author, label: commit.author };
  const at = timeOf(origin);
  const days = at === undefined ? 0 : (Date.now() - at) / dayMs;
  const step = ages.findIndex(([max]) => days < max);
  const tone = step === -1 ? ages.length + 1 : step + 1;
  return { key: String(tone), label: ages[step]?.[1] ?? 'Older', tone };
}
