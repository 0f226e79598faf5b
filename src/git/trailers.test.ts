import { expect, it } from 'vitest';
import { trailersOf } from './trailers.ts';

const commit = (message: string): string => `tree abc\nauthor Ada <ada@example.com> 1 +0000\n\n${message}\n`;
const trailers = (message: string) =>
  trailersOf(commit(message)).map(({ name, value }) => `${name}=${value}`);

it.each([
  [
    'the last paragraph',
    'Round yen\n\nWhy: x\n\nSigned-off-by: Ada\nReviewed-by:  Eve \n',
    ['Signed-off-by=Ada', 'Reviewed-by=Eve'],
  ],
  ['the last of many paragraphs', 'Round yen\n\nA: b\n\nC: d\n\nE: f\n\nG: h', ['G=h']],
  ['none of a message of one paragraph', 'Fix: round yen\nSigned-off-by: Ada', []],
  ['none in sentences', 'Round yen\n\nNote that: this is prose\nhttps://example.com', []],
  ['none without a name or value', 'Round yen\n\n: x\n1st: x\nEmpty:\nEmpty: ', []],
  ['only lines that are trailers', 'Round yen\n\nA sentence.\nA: b', ['A=b']],
  ['values of at most 200 characters', `Round yen\n\nA: ${'x'.repeat(300)}`, [`A=${'x'.repeat(200)}`]],
  ['the end of a message of any length', `Round yen\n\n${'x'.repeat(70_000)}\n\nA: b`, ['A=b']],
  ['none if the last paragraph has no beginning', `Round yen\n\n${'A: b\n'.repeat(20_000)}`, []],
])('the trailers of a commit are %s', (_, message, expected) => {
  expect(trailers(message)).toEqual(expected);
});
