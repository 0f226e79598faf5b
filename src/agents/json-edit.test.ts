import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendValue,
  type EditedText,
  parseSettings,
  removeValue,
  setValue,
  undoEdits,
} from './json-edit.ts';

const fresh = (text: string): EditedText => ({ text, undo: [] });
const parsed = (text: string) => parseSettings(text, 'settings.json');

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
const key = fc.constantFrom('a', 'hooks', 'Stop', 'x y', 'größe', '//', '{');
const { value } = fc.letrec<{ value: Value; map: Record<string, Value> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Value[]>(null, true, 12, 'text', 'http://x, // no comment', '/* none */', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('map'),
  ),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const map = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

/** Writes a value with any whitespace, comments and trailing commas that a user might use. */
const styles = fc.record({
  blanks: fc.array(fc.constantFrom('', ' ', '\n', '\n  ', '\t', '\r\n    ', ' // why, "so"\n', '/* , */'), {
    minLength: 1,
    maxLength: 7,
  }),
  hasTrailingComma: fc.boolean(),
  mark: fc.constantFrom('', '\uFEFF'),
});
function write(whole: Value, style: { blanks: string[]; hasTrailingComma: boolean; mark: string }): string {
  let at = 0;
  const gap = () => style.blanks[at++ % style.blanks.length] as string;
  const show = (one: Value): string => {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const parts = Array.isArray(one)
      ? one.map((inner) => gap() + show(inner))
      : Object.entries(one).map(
          ([name, inner]) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${show(inner)}`,
        );
    const [open, close] = Array.isArray(one) ? '[]' : '{}';
    const tail = parts.length > 0 && style.hasTrailingComma ? `${gap()},` : '';
    return open + parts.map((part) => part + gap()).join(',') + tail + gap() + close;
  };
  return style.mark + gap().replace(/^\S.*/, '') + show(whole) + gap();
}

describe('editing JSON settings', () => {
  it('[json-edit-exact] sets a value, changes nothing else, and can be undone byte for byte', () => {
    fc.assert(
      fc.property(map, styles, value, (before, style, added) => {
        const text = write(before, style);
        const edited = setValue(fresh(text), ['new', 'deep'], added);
        expect(parsed(edited.text)).toEqual({ ...before, new: { deep: added } });
        expect(undoEdits(edited.text, edited.undo)).toBe(text);
        const replaced = setValue(edited, ['new'], 'other');
        expect(parsed(replaced.text)).toEqual({ ...before, new: 'other' });
        expect(undoEdits(replaced.text, replaced.undo)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('[json-edit-exact] removes what it added and leaves every other byte, even without the undo record', () => {
    fc.assert(
      fc.property(map, styles, value, (before, style, added) => {
        fc.pre(Object.keys(before).length > 0);
        const text = write(before, style);
        const edited = setValue(fresh(text), ['new'], added);
        expect(removeValue(fresh(edited.text), ['new']).text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('appends to an array and removes any item from it', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), styles, value, fc.nat(), (items, style, added, pick) => {
        const text = write({ list: items, z: 1 }, style);
        const edited = appendValue(fresh(text), ['list'], added);
        expect(parsed(edited.text)).toEqual({ list: [...items, added], z: 1 });
        expect(undoEdits(edited.text, edited.undo)).toBe(text);
        const at = pick % (items.length + 1);
        const left = removeValue(edited, ['list', at]);
        expect(parsed(left.text)).toEqual({ list: [...items, added].toSpliced(at, 1), z: 1 });
        expect(undoEdits(left.text, left.undo)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('removes any value from any object and leaves the rest unchanged', () => {
    fc.assert(
      fc.property(map, styles, fc.nat(), (before, style, pick) => {
        const keys = Object.keys(before);
        fc.pre(keys.length > 0);
        const gone = keys[pick % keys.length] as string;
        const text = write(before, style);
        const left = removeValue(fresh(text), [gone]);
        const { [gone]: _, ...rest } = before;
        expect(parsed(left.text)).toEqual(rest);
        expect(undoEdits(left.text, left.undo)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the indentation and line ends of the text', () => {
    expect(setValue(fresh('{\r\n\t"a": 1\r\n}\r\n'), ['b', 'c'], [1]).text).toBe(
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}\r\n'.replace(
        '{\r\n\t\t"c"',
        '{\r\n\t\t"c"',
      ),
    );
    expect(setValue(fresh('{"a":1}'), ['b'], { c: [1] }).text).toBe('{"a":1,"b":{"c":[1]}}');
    expect(setValue(fresh(''), ['b'], 1).text).toBe('{\n  "b": 1\n}');
  });

  it.each(['{', '[1]', '"x"', 'null', '{"a":1}}', '{"a" 1}', '{a:1}', 'x'])('rejects %s', (text) => {
    expect(() => parsed(text)).toThrow('not valid JSON');
  });
});
