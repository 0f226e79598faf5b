import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { createTerminalText } from './terminal-text.ts';
import { wrap } from './wrap.ts';

const esc = String.fromCodePoint(0x1b);

describe('createTerminalText', () => {
  it('keeps its own colour codes and writes out all others', () => {
    const { style, render } = createTerminalText(true, 123_456);
    expect(render(style.bold(`bad${esc}]0;pwned\u0007name`))).toBe(
      `${esc}[1mbad<U+001B>]0;pwned<U+0007>name${esc}[0m`,
    );
    expect(render(style.good(`${esc}[31mred`))).toBe(`${esc}[32m<U+001B>[31mred${esc}[0m`);
    expect(render(style.dim('name\r'))).toBe(`${esc}[2mname<U+000D>${esc}[0m`);
  });

  it('returns only text if colour is off', () => {
    const { style, render } = createTerminalText(false, 0);
    expect(render(style.bold(`a${esc}[1;0mb`))).toBe('a<U+001B>[1;0mb');
  });

  it('lays out the visible text', () => {
    const { style, render } = createTerminalText(true, 99);
    const text = `${style.bold('name')}  ${`${esc}[2J word `.repeat(9)}`;
    const lines = render(text, (visible) => wrap(visible, 40)).split('\n');
    const plain = lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''));
    expect(plain.every((line) => line.length <= 40)).toBe(true);
  });

  it('lets no control character through except its own codes, for any text', () => {
    const { style, render } = createTerminalText(true, 77);
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(`${esc}[1m`, `${esc}[0;1m`, `${esc}[`, '\r', '\u009b31m', '\u202e'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const shown = render(pieces.map((one, at) => (at % 2 === 0 ? style.mark(one) : one)).join(''));
        const ours = new RegExp(`${esc}\\[(?:36|0)m`, 'g');
        expect(shown.replaceAll(ours, '').replaceAll('\r\n', '\n')).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/,
        );
      }),
    );
  });
});
