import { setups } from '../agents/setups.ts';
import { ageOf } from '../recall/render.ts';
import { harmlessLine } from '../text/fence.ts';
import type { OpenStory } from './stories.ts';

const functions = ['function', 'method', 'constructor'];
const maxRequestLength = 80;

/** A function that an agent wrote or changed last, with its first line on disk. */
export interface Lens {
  line: number;
  title: string;
}

export function lensesOf({ symbols, story: { blocks, origins } }: OpenStory, now: number): Lens[] {
  return symbols.flatMap(({ kind, startLine, endLine }) => {
    if (!functions.includes(kind)) return [];
    const sessions = blocks
      .filter(({ from, to }) => from <= endLine && to >= startLine)
      .flatMap(({ origin }) => (origins[origin]?.session === undefined ? [] : [origins[origin]]));
    const last = sessions.sort((a, b) => (b?.session?.at ?? 0) - (a?.session?.at ?? 0))[0];
    if (last?.session === undefined) return [];
    const { session, reason } = last;
    const request = harmlessLine(reason?.name ?? '', maxRequestLength);
    const who = `${titleOf(session.agent)}, ${ageOf(session.at, now)}`;
    // VS Code draws an icon for `$(name)` in a title.
    return [
      { line: startLine, title: `${who}${request === '' ? '' : `: ${request}`}`.replaceAll('$(', '$ (') },
    ];
  });
}

const titleOf = (agent: string): string =>
  Object.entries(setups).find(([name]) => name === agent)?.[1].title ?? agent;
