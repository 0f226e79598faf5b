import { expect, it } from 'vitest';
import { parseRegex } from './parse.ts';
import { compileProgram } from './program.ts';

const compile = (regex: string, isReversed = false) =>
  compileProgram(parseRegex(regex, { ignoreCase: false, wholeWord: false }), isReversed);
const rejected = expect.objectContaining({ code: 'INVALID_QUERY' });

it('rejects a pattern of more than 20,000 states', () => {
  // One of them is the match.
  expect(() => compile('a{1000}'.repeat(20))).toThrowError(rejected);
});

it('rejects repetitions that take as long, though they need no states', () => {
  expect(compile('(?:){1000}').states).toHaveLength(1);
  expect(() => compile('(?:(?:){1000}){1000}')).toThrowError(rejected);
});

it('shares the sets and states of characters that are alike', () => {
  const { states, sets } = compile('[a-c]x[a-c]y[a-c]x');
  expect([states.length, sets.length]).toEqual([7, 3]);
  expect(compile('ax|bx').states.filter(({ op }) => op === 'byte')).toHaveLength(3);
  expect(Array.from(sets[0] ?? []).flatMap((is, byte) => (is === 1 ? [byte] : []))).toEqual([0x78]);
});

it('reads backwards with the assertions mirrored', () => {
  const asserted = (regex: string) =>
    compile(regex, true).states.flatMap((state) => (state.op === 'assert' ? [state.what] : []));
  expect(asserted('^a')).toEqual(['line-end']);
  expect(asserted('a$')).toEqual(['line-start']);
  expect(asserted('\\ba\\B').sort()).toEqual(['no-word-boundary-back', 'word-boundary']);
});

it('has one transition for each first byte of a character, the one for ASCII first', () => {
  const transitions = (regex: string) =>
    compile(regex).states.flatMap((state) => (state.op === 'character' ? [state.transitions.length] : []));
  expect(transitions('[aé]')).toEqual([2]);
  expect(transitions('[éí]')).toEqual([2]);
  expect(transitions('[ab]')).toEqual([]);
  expect(transitions('é')).toEqual([]);
  expect(['\u0080', '[a-\u007f]'].flatMap(transitions)).toEqual([]);
  expect(transitions('[a-\u0080]')).toEqual([2]);
  const members = compile('[\u007f\u0080]').sets.map((set) =>
    Array.from(set.keys()).filter((byte) => set[byte] === 1),
  );
  expect(members.toSorted()).toEqual([[127], [128], [194]]);
});
