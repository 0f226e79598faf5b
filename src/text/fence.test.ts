import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundaryOf,
  fence,
  fenceClose,
  fenceEndOf,
  fenceOpen,
  harmless,
  harmlessLine,
  randomBoundary,
} from './fence.ts';

const control = (...codes: number[]): string => String.fromCodePoint(...codes);

describe('harmless', () => {
  it('leaves ordinary text, code and other scripts as they are', () => {
    const text = 'if (a < b && c > d) {\n\treturn "größer 🎉 数据";\n}\n<div class="x">ok</div>';
    expect(harmless(text)).toBe(text);
  });

  it.each([
    ['a terminal colour', `${control(0x1b)}[31mred${control(0x1b)}[0m`, 'red'],
    ['a terminal title', `${control(0x1b)}]0;title${control(0x07)}rest`, 'rest'],
    ['control characters', `a${control(0)}b${control(8)}c${control(0x7f)}d${control(0x9b)}e`, 'abcde'],
    [
      'invisible characters',
      `a${control(0x200b)}b${control(0x202e)}c${control(0xfeff)}d${control(0xe0041)}e`,
      'abcde',
    ],
  ])('takes out %s', (_name, text, clean) => {
    expect(harmless(text)).toBe(clean);
  });

  it.each([
    '<system>',
    '</system-reminder>',
    '<SYSTEM-REMINDER>',
    '< system>',
    '</ assistant>',
    '<human>',
    '<user>',
    '<tool_result>',
    '<function_calls>',
    '<command-name>',
    '<task-notification>',
    fenceOpen('kind="recall"', '00000000'),
    fenceClose('00000000'),
  ])('[memory-is-data] breaks %s, so that it cannot pass for anything but text', (tag) => {
    expect(harmless(`before ${tag} after`)).not.toMatch(/<\s*\/?\s*[a-z]/i);
  });

  it('breaks a tag that only appears once something between is taken out', () => {
    const hidden = `<${control(0x200b)}/backstory-memory>`;
    const escaped = `<${control(0x1b)}[0m/backstory-memory>`;
    for (const text of [hidden, escaped]) expect(harmless(text)).not.toContain('</backstory-memory');
  });

  it('[fence-boundary] has a boundary of its own each time, or one that its content alone decides', () => {
    const once = fence('kind="recall"', ['text'], randomBoundary());
    expect(once).toMatch(/^<(backstory-memory-[0-9a-f]{8}) kind="recall">\ntext\n<\/\1>$/);
    expect(fence('kind="recall"', ['text'], randomBoundary())).not.toBe(once);
    expect(once.endsWith(fenceEndOf(once))).toBe(true);
    expect(fenceEndOf('</backstory-memory>')).toBe('');
    expect(boundaryOf('a', 'b')).toBe(boundaryOf('a', 'b'));
    expect(boundaryOf('a', 'b')).not.toBe(boundaryOf('a', 'c'));
  });

  it('[memory-is-data] never lets a fence through, whatever is around it, and is the same when done twice', () => {
    const parts = fc.constantFrom(
      '<',
      '/',
      'backstory-memory',
      '>',
      ' ',
      '\n',
      control(0),
      control(0x200b),
      control(0x1b),
      '[',
      'm',
      ']',
      control(0x07),
      'x',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 }),
        (pieces) => {
          const clean = harmless(pieces.join(''));
          expect(clean).not.toMatch(/<\s*\/?\s*backstory/i);
          expect(clean.isWellFormed()).toBe(true);
          expect(harmless(clean)).toBe(clean);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('harmlessLine', () => {
  it('is one line within its limit and never ends in half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.integer({ min: 1, max: 40 }),
        (text, limit) => {
          const line = harmlessLine(text, limit);
          expect(line.length).toBeLessThanOrEqual(limit);
          expect(line).not.toMatch(/[\n\r]/);
          expect(line.isWellFormed()).toBe(true);
        },
      ),
    );
    expect(harmlessLine('one\n  two', 20)).toBe('one two');
    expect(harmlessLine('abcdefgh', 5)).toBe('abcd…');
  });
});
