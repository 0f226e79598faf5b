import { describe, expect, it } from 'vitest';
import { compareVersions } from './compare-lines.ts';
import { SourceText } from './source-text.ts';

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
