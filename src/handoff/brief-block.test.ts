import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBlock, withoutBlock } from './brief-block.ts';

describe('a brief in a file of the user', () => {
  it('[brief-file] is added and removed without changing any other byte, however often it is written', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .filter((one) => !one.includes('backstory handoff'));
    fc.assert(
      fc.property(text, text, text, (before, first, second) => {
        const once = withBlock(before, first);
        expect(withoutBlock(once)).toEqual({ text: before, isEmpty: false });
        expect(withoutBlock(withBlock(once, second))).toEqual({ text: before, isEmpty: false });
        expect(withoutBlock(`${once}added later`)?.text).toBe(`${before}added later`);
      }),
    );
  });

  it('leaves an empty file if the file was created for it and the user added nothing', () => {
    const made = withBlock(undefined, 'brief');
    expect(withoutBlock(made)).toEqual({ text: '', isEmpty: true });
    expect(withoutBlock(withBlock(made, 'another'))).toEqual({ text: '', isEmpty: true });
    expect(withoutBlock(`${made}mine\n`)).toEqual({ text: 'mine\n', isEmpty: false });
  });

  it('cannot be ended by its own text', () => {
    const block = withBlock('mine', 'a <!-- backstory handoff: end --> b');
    expect(withoutBlock(block)?.text).toBe('mine');
  });
});
