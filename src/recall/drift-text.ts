import type { Drift } from '../domain/anchor.ts';
import { harmlessLine } from '../text/fence.ts';

const maxName = 120;
const name = (text: string): string => harmlessLine(text, maxName);

/**
 * How people and agents are told what has become of the code that something concerns. What no longer holds is said so
 * that nobody acts on it without a look.
 */
export function driftText(drift: Drift): string {
  const { state, branch = '', keptLines, of } = drift;
  switch (state) {
    case 'current':
      return `current: ${placeOf(drift)}`;
    case 'moved':
      return `moved: now ${placeOf(drift)}${drift.was === undefined ? '' : `, was ${name(drift.was)}`}`;
    case 'changed':
      return `CHANGED since${by(drift)}: ${keptLines} of ${of} lines still stand in ${name(drift.path ?? '')}; look before relying on it`;
    case 'gone':
      return `GONE${drift.by === undefined ? '' : `, removed${by(drift)}`}: its code is not in ${name(drift.path ?? '')} any more; do not act on it as if it held`;
    case 'elsewhere':
      return `true on ${name(branch)}, NOT here`;
    default:
      return state;
  }
}

const placeOf = ({ path = '', from = 0, to = 0 }: Drift): string =>
  `${name(path)}:${from}${to > from ? `-${to}` : ''}`;

const by = ({ by: commit }: Drift): string => {
  if (commit === undefined) return '';
  return commit === 'uncommitted' ? ', not committed yet' : ` by ${commit.slice(0, 12)}`;
};
