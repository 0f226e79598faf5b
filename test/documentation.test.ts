import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * ARCHITECTURE.md, the decision records and docs/internals name many source files. A file that was moved or removed
 * must not stay in them.
 */
const records = globSync('docs/adr/0*.md').sort();
const pages = ['ARCHITECTURE.md', 'docs/adr/README.md', ...records, ...globSync('docs/internals/*.md')];
const read = (path: string): string => readFileSync(path, 'utf8');

const codeFolders = /^(?:src|client|web|test|eval|bench|scripts|sql|deploy|assets|docs)\//;
const sourceFile = /\.(?:ts|tsx|sql|wat)$/;
const namesOfFiles = new Set(
  globSync('{src,client,web,test,bench,scripts,sql}/**/*.*').map((path) => basename(path)),
);

/** Paths may omit `src/`, contain `*` or `<placeholder>`, or be only a file name after a full path. */
function exists(name: string): boolean {
  const pattern = name.replace(/<[^>]*>/g, '*');
  if (globSync(pattern).length > 0 || globSync(`src/${pattern}`).length > 0) return true;
  return !name.includes('/') && namesOfFiles.has(name);
}

function unknownPaths(text: string): string[] {
  const names = [...text.matchAll(/`([\w.*<>/-]+)`/g)].map(([, name]) => name as string);
  return names.filter((name) => (codeFolders.test(name) || sourceFile.test(name)) && !exists(name));
}

const evaluations = new Set(
  globSync(['bench/*/*.ts', 'test/faults/*/*.ts']).flatMap((path) =>
    [...read(path).matchAll(/^ {2}name: '([\w-]+)',$/gm)].map(([, name]) => name),
  ),
);
const unknownEvaluations = (text: string): string[] =>
  [...text.matchAll(/`(?:npm run eval --|eval) ([a-z-]+)((?:`, `[a-z-]+(?=`))*)/g)]
    .flatMap(([, first, others = '']) => [first as string, ...others.split('`, `').slice(1)])
    .filter((name) => !evaluations.has(name));

const sections = ['Decision', 'Why', 'Passed over', 'Enforced by'];
const replaced = /^# .+\n\nReplaced by \[/;
const sectionsOf = (text: string): string[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name as string);

describe('the documentation of the code', () => {
  it('names only files that exist', () => {
    expect(pages.flatMap((path) => unknownPaths(read(path)).map((name) => `${path}: ${name}`))).toEqual([]);
  });

  it('names only evaluations that exist', () => {
    const all = globSync(['*.md', 'docs/**/*.md']);
    expect(all.flatMap((path) => unknownEvaluations(read(path)).map((name) => `${path}: ${name}`))).toEqual(
      [],
    );
    expect(unknownEvaluations('`npm run eval -- crash`, `rhymes`; `npm run eval -- poems`')).toHaveLength(2);
  });

  it('is reported if it names others', () => {
    const wrong =
      'See `src/text/rhymes.ts`, `text/rhymes.ts`, `rhymes.ts`, `src/poems/<poem>.ts` and `docs/poems`.';
    expect(unknownPaths(wrong)).toHaveLength(5);
  });

  it('has decision records without gaps, each in the index, with the same sections or a successor', () => {
    const index = read('docs/adr/README.md');
    for (const [at, path] of records.entries()) {
      expect(basename(path)).toMatch(new RegExp(`^${String(at + 1).padStart(4, '0')}-`));
      expect(read(path), path).toMatch(new RegExp(`^# ${at + 1}\\. \\S`));
      expect(index).toContain(`](${basename(path)})`);
      expect(sectionsOf(read(path)), path).toEqual(replaced.test(read(path)) ? [] : sections);
    }
  });

  it('names the test of every invariant', () => {
    const listed = (read('ARCHITECTURE.md').split('## Invariants')[1] as string).split('\n## ')[0] as string;
    const bullets = (listed + read('docs/internals/invariants.md'))
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(bullets.length).toBeGreaterThan(30);
    expect(bullets.filter((line) => !/ _`.+`_$/.test(line))).toEqual([]);
  });

  it('keeps ARCHITECTURE.md at 1,500 words or fewer', () => {
    expect(read('ARCHITECTURE.md').split(/\s+/).length).toBeLessThanOrEqual(1_500);
  });
});
