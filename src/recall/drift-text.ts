import { harmlessLine } from '../text/fence.ts';
import type { Drift } from '../wire/answers/memory.ts';

const maxName = 120;
const name = (text: string): string => harmlessLine(text, maxName);

/** Describes the state of the code that a memory refers to. States that make the memory unreliable are in capitals. */
export function driftText(drift: Drift): string {
  const { state, branch = '', keptLines, of } = drift;
  switch (state) {
    case 'current':
      return `current: ${placeOf(drift)}`;
    case 'moved':
      return `moved: now ${placeOf(drift)}${drift.was === undefined ? '' : `, was ${name(drift.was)}`}`;
    case 'changed':
      return `CHANGED since${by(drift)}: ${keptLines === 0 ? 'its code is gone from' : `${keptLines} of ${of} lines still exist in`} ${name(drift.path ?? '')}; look before relying on it`;
    case 'gone':
      return `GONE${drift.by === undefined ? '' : `, removed${by(drift)}`}: its code is no longer in ${name(drift.path ?? '')}; do not rely on it`;
    case 'elsewhere':
      return `written on ${name(branch)}, NOT here`;
    default:
      return state;
  }
}

const placeOf = ({ path = '', from = 0, to = from }: Drift): string =>
  `${name(path)}:${from}${to > from ? `-${to}` : ''}`;

const by = ({ by: commit }: Drift): string => {
  if (commit === undefined) return '';
  return commit === 'uncommitted' ? ', not committed yet' : ` by ${commit.slice(0, 12)}`;
};
