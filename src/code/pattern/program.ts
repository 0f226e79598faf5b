import { invalidPattern } from './parse.ts';
import type { Assertion, Pattern, Range } from './syntax.ts';
import { utf8Sequences } from './utf8.ts';

/**
 * A pattern compiled to a nondeterministic automaton over bytes. It needs no stack and no backtracking, so
 * matching is linear in the text.
 */
export interface Program {
  states: State[];
  start: number;
  /** Sets of bytes that states refer to. Entry `b` of a set is 1 if the set contains byte `b`. */
  sets: Uint8Array[];
}

export type State =
  | { op: 'byte'; set: number; next: number }
  /** A character encoded in several lengths: one transition per first byte, the one for ASCII first. */
  | { op: 'character'; transitions: { set: number; next: number }[] }
  | { op: 'split'; next: number; other: number }
  | { op: 'assert'; what: Assertion; next: number }
  | { op: 'match' };

const maxStates = 20_000;
const byteValues = 256;
const tooLarge = ['too many repetitions', 'Use smaller counts, or * and +'] as const;

/** The assertion to test instead when the text is read backwards, because before and after are swapped. */
const mirrored: Record<Assertion, Assertion> = {
  'line-start': 'line-end',
  'line-end': 'line-start',
  'word-boundary': 'word-boundary',
  'no-word-boundary': 'no-word-boundary-back',
  'no-word-boundary-back': 'no-word-boundary',
  'no-word-before': 'no-word-after',
  'no-word-after': 'no-word-before',
};

/** Compiles a pattern. `isReversed` compiles it for text read from its end, to find where matches start. */
export function compileProgram(pattern: Pattern, isReversed = false): Program {
  const states: State[] = [{ op: 'match' }];
  const sets: Uint8Array[] = [];
  const setIds = new Map<string, number>();
  const byteStates = new Map<string, number>();

  const push = (state: State): number => {
    if (states.length >= maxStates) throw invalidPattern(...tooLarge);
    return states.push(state) - 1;
  };
  const setId = (ranges: Range[]): number => {
    const key = ranges.join(';');
    const known = setIds.get(key);
    if (known !== undefined) return known;
    const members = new Uint8Array(byteValues);
    for (const [low, high] of ranges) members.fill(1, low, high + 1);
    setIds.set(key, sets.push(members) - 1);
    return sets.length - 1;
  };
  const byteState = (ranges: Range[], next: number): number => stateOf(setId(ranges), next);
  const stateOf = (set: number, next: number): number => {
    const key = `${set} ${next}`;
    const state = byteStates.get(key) ?? push({ op: 'byte', set, next });
    byteStates.set(key, state);
    return state;
  };
  const splitInto = (choices: number[]): number =>
    choices.reduceRight((other, next) => push({ op: 'split', next, other }));

  const emitSet = (ranges: Range[], next: number): number => {
    const ascii = ranges
      .filter(([low]) => low < 128)
      .map(([low, high]) => [low, Math.min(high, 127)] as const);
    const longer = ranges
      .filter(([, high]) => high >= 128)
      .flatMap(([low, high]) => utf8Sequences(Math.max(low, 128), high))
      .map((bytes) => {
        const [first, ...rest] = isReversed ? bytes.toReversed() : bytes;
        const then = rest.reduceRight((after, range) => byteState([range], after), next);
        return { set: setId([first as Range]), next: then };
      });
    const transitions = [...(ascii.length > 0 ? [{ set: setId(ascii), next }] : []), ...longer];
    const distinct = [...new Map(transitions.map((each) => [`${each.set} ${each.next}`, each])).values()];
    const [only] = distinct;
    if (distinct.length > 1) return push({ op: 'character', transitions: distinct });
    // An empty set matches nothing.
    return only === undefined ? byteState([], next) : stateOf(only.set, only.next);
  };

  let emitted = 0;
  const emit = (node: Pattern, next: number): number => {
    // Count calls too: nested repetitions of an empty pattern create no states but take as long.
    if (++emitted > maxStates * 4) throw invalidPattern(...tooLarge);
    if (node.kind === 'set') return emitSet(node.ranges, next);
    if (node.kind === 'assert')
      return push({ op: 'assert', what: isReversed ? mirrored[node.what] : node.what, next });
    if (node.kind === 'alt') return splitInto(node.parts.map((part) => emit(part, next)));
    if (node.kind === 'cat')
      return (isReversed ? node.parts : node.parts.toReversed()).reduce(
        (then, part) => emit(part, then),
        next,
      );
    return emitRepeat(node, next);
  };

  const emitRepeat = ({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>, next: number): number => {
    let then = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = push({ op: 'split', next: -1, other: next });
      states[loop] = { op: 'split', next: emit(part, loop), other: next };
      then = loop;
    } else {
      for (let extra = min; extra < max; extra++)
        then = push({ op: 'split', next: emit(part, then), other: next });
    }
    for (let needed = 0; needed < min; needed++) then = emit(part, then);
    return then;
  };

  const start = emit(pattern, 0);
  return { states, start, sets };
}
