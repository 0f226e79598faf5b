import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { createTermFinder } from '../text/words.ts';
import { hitPreviewLimit } from './hit.ts';
import { previewOf } from './preview.ts';

const corpus = (frequency: [string, number][]) => ({
  chunks: 100,
  averageTerms: 40,
  frequency: new Map(frequency),
});
const previewFor = (question: string[], text: string, kind: 'answer' | 'command' = 'answer'): string =>
  previewOf({ kind, text }, createTermFinder(question), corpus([['common', 90]]));

const filler = 'Nothing of note happened here on that day. '.repeat(8);

describe('[recall-preview] the preview of a hit', () => {
  it('is the whole text if it is short', () => {
    expect(previewFor(['heron'], 'A heron\nwas seen.')).toBe('A heron was seen.');
  });

  it('is the passage of a long text that contains the terms, from the start of its sentence', () => {
    expect(previewFor(['heron'], `${filler}The heron nests by the weir. ${filler}`)).toMatch(
      /^… The heron nests by the weir\. Nothing/,
    );
    expect(previewFor(['heron'], `${filler}\n- the heron nests\n- the otter does not\n${filler}`)).toMatch(
      /^… - the heron nests - the otter does not/,
    );
  });

  it('prefers rare terms, and passages that contain several of them', () => {
    const text = `A common thing. ${filler}A common heron. ${filler}A heron and an otter. ${filler}`;
    expect(previewFor(['common', 'heron'], text)).toMatch(/^… A common heron\./);
    expect(previewFor(['common', 'heron', 'otter'], text)).toMatch(/^… A heron and an otter\./);
  });

  it('is the beginning of the text if no passage is better', () => {
    expect(previewFor(['heron'], `The heron. ${filler}The heron.`)).toMatch(/^The heron\. Nothing/);
    expect(previewFor(['heron'], filler)).toMatch(/^Nothing/);
  });

  it('counts what fits into it: passages up to its limit, and the first of them however long', () => {
    const startOf = (limit: number, passages: string[]): string =>
      previewOf(
        { kind: 'answer', text: passages.join(' ') },
        createTermFinder(['heron', 'otter', 'crane']),
        corpus([]),
        limit,
      );
    const passages = [filler, 'heron aaaaa.', 'otter bbbbb.', filler, 'heron and crane.', filler];
    expect(startOf(26, passages)).toMatch(/^… heron aaaaa\. otter/);
    expect(startOf(25, passages)).toMatch(/^… heron and crane\./);
    expect(startOf(25, [filler, `heron${' and so on'.repeat(9)}.`, filler])).toMatch(/^… heron and so on/);
    const short = 'Nothing here. The heron.';
    expect(startOf(short.length, [short])).toBe(short);
  });

  it('never replaces the first line of a command by its output', () => {
    const text = `failed, exit 1\n$ npm test\n${filler}\nheron: all tests passed\n${filler}`;
    expect(previewFor(['heron'], text, 'command')).toMatch(/^failed, exit 1 \$ npm test/);
  });

  it('is one line within its limit, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 900 }),
        fc.array(fc.string()),
        (text, question) => {
          const line = previewFor(question, text);
          expect(line.length).toBeLessThanOrEqual(hitPreviewLimit);
          expect(line).not.toMatch(/\n/);
        },
      ),
    );
  });
});
