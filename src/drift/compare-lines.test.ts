import { describe, expect, it } from 'vitest';
import { lineHash } from '../base/hash.ts';
import { compareVersions } from './compare-lines.ts';
import { isDistinctiveBlock, isRecognisable, SourceText } from './source-text.ts';

const source = `func First(name string) error {
  if err := open(name); err != nil {
    return err
  }
  return nil
}

func Second(name string) error {
  if err := close(name); err != nil {
    return err
  }
  return nil
}

func Third(name string) error {
  return nil
}
`;

/** Compares lines `from` to `to`, from 1, with the changed file. */
function compareLines(from: number, to: number, now: string) {
  const text = new SourceText(source);
  const block = Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at).filter(
    (at) => text.lines[at]?.trim() !== '',
  );
  return compareVersions({ keys: text.index.keys, block, text }, new SourceText(now));
}
const without = (from: number, to: number): string => {
  const lines = source.split('\n');
  return [...lines.slice(0, from - 1), ...lines.slice(to)].join('\n');
};

describe('compareVersions', () => {
  it('does not mistake the end of the next function for the end of the deleted one', () => {
    expect(compareLines(8, 13, without(8, 14))).toMatchObject({ kind: 'lost', keptLines: 0 });
    expect(compareLines(1, 6, without(1, 7))).toMatchObject({ kind: 'lost', keptLines: 0 });
  });

  it('finds lines with other whitespace and with new lines in between', () => {
    expect(compareLines(8, 13, source.replaceAll('  ', '\t'))).toMatchObject({ kind: 'whole' });
    expect(
      compareLines(
        8,
        13,
        `// new\n${source.replace('  return nil\n}\n\nfunc Third', '  log()\n  return nil\n}\n\nfunc Third')}`,
      ),
    ).toMatchObject({ kind: 'whole', block: [8, 9, 10, 11, 13, 14] });
  });

  it('counts the remaining lines and compares the replacement', () => {
    const edited = source.replace('close(name)', 'closeAll(name)');
    expect(compareLines(8, 13, edited)).toMatchObject({ kind: 'lost', keptLines: 3, of: 4 });
    const renamed = source.replace('func Second(name string)', 'func Next(name string)');
    expect(compareLines(8, 8, renamed)).toMatchObject({
      kind: 'lost',
      keptLines: 0,
      replacement: { isDistinctive: true },
    });
  });
});

/** Lines of a file by name; `}` and blank lines stand for themselves. */
const linesOf = (names: string): string[] =>
  names.split(' ').map((name) => (name === '_' ? '' : name === '}' ? '}' : `call_${name.repeat(12)}(here);`));
const textOf = (names: string) => new SourceText(linesOf(names).join('\n'));

/** Compares the lines at these indexes of the old file, of which only hashes may be known. */
function compare(then: string, block: number[], now: string, isHashed = false) {
  const text = textOf(then);
  return compareVersions({ keys: text.index.keys, block, ...(isHashed ? {} : { text }) }, textOf(now));
}

describe('lines that moved within their file', () => {
  it('are found at their new place, which is shifted, and not whole', () => {
    expect(compare('a b c d e f g h', [0, 1, 2], 'd e f g h a b c')).toEqual({
      kind: 'shifted',
      block: [5, 6, 7],
    });
    expect(compare('x a b c', [1, 2, 3], 'x y a b c')).toEqual({ kind: 'whole', block: [2, 3, 4] });
    expect(compare('a b } c', [0, 1, 2], 'a b c')).toEqual({ kind: 'whole', block: [0, 1] });
  });

  it('are not found if they are too short to be recognised', () => {
    const [then, now] = ['a1b2();', 'c1d2();'].map((line) => new SourceText(`${line}\nelse1();\nelse2();`));
    const source = { keys: then?.index.keys ?? [], block: [0], text: then as SourceText };
    expect(compareVersions(source, now as SourceText)).toMatchObject({ kind: 'lost' });
    const moved = new SourceText('else1();\nelse2();\na1b2();');
    expect(compareVersions(source, moved)).toMatchObject({ kind: 'lost' });
  });

  it('are not other lines with the same text, which the file had before', () => {
    expect(compare('a b c d e f g h a b c', [0, 1, 2], 'd e f g h a b c')).toMatchObject({
      kind: 'lost',
      keptLines: 0,
    });
    expect(compare('a b d e f g h a b', [0, 1], 'x d e f g h a b a b')).toMatchObject({ kind: 'shifted' });
  });

  it('are found among others that stayed if they are distinctive, and there is only one such block', () => {
    const block = [0, 1, 2, 3];
    expect(compare('a b c d e f g h', block, 'e a b f c g d h')).toEqual({
      kind: 'shifted',
      block: [1, 2, 4, 6],
    });
    expect(compare('a b c d e f g h a b c d', block, 'e f g h a b c d')).toMatchObject({ kind: 'lost' });
  });

  it('are found where less than half of the lines were before', () => {
    expect(compare('a b c d', [0, 1], 'a d b a b')).toEqual({ kind: 'shifted', block: [3, 4] });
    expect(compare('a b c b e', [0, 1, 2], 'a a b e c')).toEqual({ kind: 'shifted', block: [1, 2, 4] });
  });

  it('keep about the gaps between them', () => {
    const far = 'd e f g h i j k l m n a x y b x y c';
    expect(compare('a b c d e f g h i j k l m n', [0, 1, 2], far)).toMatchObject({ kind: 'lost' });
    expect(compare('a b c d e f g h i j k l m n', [0, 1, 2], far, true)).toEqual({
      kind: 'shifted',
      block: [11, 14, 17],
    });
    const near = 'd e f g h i j k l m n a x b y c';
    expect(compare('a b c d e f g h i j k l m n', [0, 1, 2], near)).toMatchObject({
      kind: 'shifted',
      block: [11, 13, 15],
    });
    expect(compare('a _ b c d e f g h i j k l m n', [0, 2, 3], far)).toMatchObject({ kind: 'shifted' });
  });
});

describe('what took the place of lost lines', () => {
  const replacement = (then: string, block: number[], now: string, isHashed = false) => {
    const result = compare(then, block, now, isHashed);
    return result?.kind === 'lost' ? result.replacement : result?.kind;
  };

  it('is what is between the lines around them, without blank ones and those that are left', () => {
    expect(replacement('a b c', [1], 'a x _ y c')).toMatchObject({ lines: 2, isDistinctive: true });
    expect(replacement('a b c', [1], 'a c')).toEqual({ lines: 0, similarity: 0, isDistinctive: false });
    expect(replacement('a b c d', [1, 2], 'a x c d')).toMatchObject({ lines: 1 });
    expect(replacement('a b c d', [1, 2], 'a b x d')).toMatchObject({ lines: 1 });
    expect(replacement('a b c d', [1, 2], 'a c x d')).toMatchObject({ lines: 1 });
    expect(replacement('a b c d e', [1, 2, 3], 'a c x e')).toMatchObject({ lines: 1 });
    expect(replacement('a b c', [1], 'a } c')).toMatchObject({ lines: 1, isDistinctive: false });
  });

  it('reaches to the start or the end of the file', () => {
    expect(replacement('a b c', [0], 'x y b c')).toMatchObject({ lines: 2 });
    expect(replacement('a b c', [2], 'a b x y z')).toMatchObject({ lines: 3 });
    expect(replacement('a b', [0, 1], 'x y z')).toMatchObject({ lines: 3 });
    expect(replacement('a b c d', [2], 'a b')).toMatchObject({ lines: 0 });
    expect(replacement('a b c', [1, 2], 'x y a')).toMatchObject({ lines: 0 });
    expect(replacement('a b c', [0], 'b x c')).toMatchObject({ lines: 0 });
    expect(replacement('b c a', [0, 1], 'a x y')).toMatchObject({ lines: 0 });
    expect(replacement('a b c d e', [2], 'x a y b z d v e w')).toMatchObject({ lines: 1 });
    expect(replacement('a b c d e', [2], 'x a y z e w')).toMatchObject({ lines: 2 });
  });

  it('is as similar as the share of old words that it has; unknown words are not compared', () => {
    const similarity = (then: string, now: string, isHashed = false) => {
      const [old, fresh] = [then, now].map((line) => new SourceText(`first();\n${line}\nlast();`)) as [
        SourceText,
        SourceText,
      ];
      const result = compareVersions(
        { keys: old.index.keys, block: [1], ...(isHashed ? {} : { text: old }) },
        fresh,
      );
      return result?.kind === 'lost' ? result.replacement.similarity : result;
    };
    expect(similarity('open(theFile, quickly, 200);', 'close(theFile, 200);')).toBe(0.5);
    expect(similarity('open(theFile);', 'theFile.open();')).toBe(1);
    expect(similarity('open(theFile);', 'theFile.open();', true)).toBe(0);
    expect(similarity('a = b;', 'c = b;')).toBe(0);
  });

  it('counts lines without words only if there are no others', () => {
    expect(compare('a } } b', [1, 2], 'a b')).toMatchObject({ kind: 'lost', keptLines: 0, of: 2 });
    expect(compare('a } c } b', [1, 2, 3], 'a x b')).toMatchObject({ kind: 'lost', keptLines: 0, of: 1 });
    expect(compare('a } } b', [1, 2], 'a } b')).toMatchObject({ kind: 'lost', keptLines: 1, of: 2 });
    expect(compare('a b c', [0, 1], 'a x c')).toMatchObject({ kind: 'lost', keptLines: 1, of: 2 });
  });
});

describe('a block of lines', () => {
  const text = (...lines: string[]) => new SourceText(lines.join('\n'));
  const letters = (count: number): string => `${'x'.repeat(count)}();`;

  it('is distinctive with three distinctive lines that have 80 letters, and recognisable with 25', () => {
    const isDistinctive = (...counts: number[]) =>
      isDistinctiveBlock(text(...counts.map(letters)), [...counts.keys()]);
    expect([isDistinctive(30, 30, 20), isDistinctive(30, 30, 19), isDistinctive(60, 60)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isRecognisable(text(letters(25)), [0]), isRecognisable(text(letters(24)), [0])]).toEqual([
      true,
      false,
    ]);
    expect(isRecognisable(text(letters(20), 'else', letters(5)), [0, 1, 2])).toBe(true);
    expect(isRecognisable(text(letters(20), 'else', letters(4)), [0, 1, 2])).toBe(false);
  });

  it('is found everywhere, by its rarest line, also behind very many lines like its first', () => {
    const file = text(
      ...Array.from({ length: 70 }, () => '}'),
      'unique();',
      ...Array.from({ length: 5 }, () => '}'),
    );
    const hashes = (...lines: string[]) => lines.map(lineHash);
    expect(file.find(hashes('}', 'unique();', '}'))).toEqual([[69, 70, 71]]);
    expect(file.find(hashes('}', 'absent();', '}'))).toEqual([]);
    expect(file.find([])).toEqual([]);
    expect(text('a1();', 'b1();', 'x();', 'a1();', 'b1();').find(hashes('a1();', 'b1();'))).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  it('begins at a line without regard to blank lines', () => {
    const file = text('', 'a1();', '', '', 'b1();');
    const hashes = ['a1();', 'b1();'].map(lineHash);
    expect(file.startsAt(hashes, 0)).toEqual([1, 4]);
    expect(file.startsAt(hashes, 1)).toEqual([1, 4]);
    expect(file.startsAt(hashes, 2)).toBeUndefined();
    expect(file.startsAt([...hashes, lineHash('c1();')], 1)).toBeUndefined();
  });
});
