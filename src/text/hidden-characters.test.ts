import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { dropHidden, hasHidden, jsonWithoutHidden, showHidden } from './hidden-characters.ts';

const character = (code: number): string => String.fromCodePoint(code);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** One code point of every kind of hidden character, and all that are used for hidden messages in practice. */
const hiddenCodes = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0x00ad,
  0x034f,
  0x061c,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  0x3164,
  ...range(0xfe00, 0xfe0f),
  0xfeff,
  0xffa0,
  ...range(0xfff0, 0xfffb),
  ...range(0x1d173, 0x1d17a),
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
];

const ordinary = [
  'if (a < b && c > d) {\n\treturn "größer 🎉 数据";\n}',
  '这个函数返回用户的数据。',
  'データベースの接続を閉じる。',
  '데이터베이스 연결을 닫는다.',
  'هذه الدالة تُرجع بيانات المستخدم، ٣ مرات.',
  'הפונקציה מחזירה את נתוני המשתמש.',
  'این تابع را نمی\u200cخواهم؛ کتاب\u200cها',
  'क्\u200dष और क\u094d\u200cष अलग हैं',
  'ন্\u200dত র\u200d\u09cdয',
  'അവന\u0d4d\u200d വന്നു',
  'ශ\u0dca\u200dරී ලංකා',
  'ᠮᠣᠩᠭᠣᠯ ᠤ\u180bᠯ',
  '👩‍👩‍👧‍👦 ❤️ 👍🏽 🏳️‍🌈 👨🏿‍🦽 1️⃣ #️⃣ ©️ ™',
  'é as one and as two: é e\u0301',
  '\u0601١٢ \u06dd',
  'const f: Array<Map<string, number>> = x <| y |> z;',
];

describe('dropHidden', () => {
  it.each(ordinary)('leaves %j as it is', (text) => {
    expect(dropHidden(text)).toBe(text);
    expect(showHidden(text)).toBe(text);
  });

  it('removes every hidden character between letters; showHidden writes each of them out', () => {
    for (const code of hiddenCodes) {
      const text = `a${character(code)}b`;
      expect(dropHidden(text), code.toString(16)).toBe('ab');
      expect(showHidden(text), code.toString(16)).toBe(
        `a<U+${code.toString(16).toUpperCase().padStart(4, '0')}>b`,
      );
    }
  });

  it('removes exactly the characters that Unicode calls ignorable or format characters', () => {
    const byProperty =
      /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v;
    const wrong = range(0, 0x10_ffff)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .filter((code) => (dropHidden(`a${character(code)}b`) === 'ab') !== byProperty.test(character(code)));
    expect(wrong).toEqual([]);
  });

  it('keeps one joiner where a script needs it, but removes a run of joiners', () => {
    expect(dropHidden('می\u200c\u200d\u200c\u200dخواهم')).toBe('می\u200cخواهم');
    expect(dropHidden('a\u200d\u200cb')).toBe('ab');
    expect(dropHidden('❤\ufe0f\ufe0f\ufe0e\u{e0101}')).toBe('❤\ufe0f');
    expect(dropHidden('🏴\u{e0067}\u{e0062}\u{e007f}')).toBe('🏴');
  });

  it('replaces a lone surrogate', () => {
    expect(dropHidden('a\ud800b')).toBe('a\ufffdb');
  });

  it('is idempotent for any text', () => {
    const parts = fc.oneof(
      fc.constantFrom(...ordinary.flatMap((text) => [...text])),
      fc.constantFrom(...hiddenCodes.map(character)),
      fc.string({ unit: anyCharacter, maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        for (const clean of [dropHidden, showHidden]) expect(clean(clean(text))).toBe(clean(text));
        expect(hasHidden(text.toWellFormed())).toBe(showHidden(text) !== text.toWellFormed());
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes linear time', () => {
    const timeOf = (text: string): number => {
      const began = process.cpuUsage();
      dropHidden(text);
      showHidden(text);
      return cpuMsSince(began);
    };
    for (const unit of ['\u200d', '❤\ufe0f', 'می\u200c', '\r', '\u{e0041}', '#\ufe0f']) {
      timeOf(unit.repeat(1_000));
      expect(timeOf(unit.repeat(100_000)), JSON.stringify(unit)).toBeLessThan(2_000);
    }
  });
});

describe('showHidden', () => {
  it('writes out a carriage return that moves the cursor, but not one before a line feed', () => {
    expect(showHidden('one\r\ntwo\r')).toBe('one\r\ntwo<U+000D>');
    expect(showHidden('safe\revil')).toBe('safe<U+000D>evil');
  });
});

describe('jsonWithoutHidden', () => {
  it('parses to the same value and contains no hidden character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), (value) => {
        const json = jsonWithoutHidden(value, 2);
        expect(showHidden(json)).toBe(json);
        expect(JSON.parse(json)).toEqual(value);
      }),
    );
    expect(jsonWithoutHidden('\u009b\u{e0041}')).toBe('"\\u009b\\udb40\\udc41"');
  });
});
