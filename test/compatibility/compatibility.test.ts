import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, type TestContext, test } from 'vitest';
import { compatibilityPage } from '../../scripts/compatibility-page.ts';
import { builtCapabilities, compatibilityRows } from './all.ts';
import { type Design, laterParts, type Row } from './row.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const nameOf = ({ design, kind, item }: Row): string => `${design} ${kind} ${item}`;
const namesWhere = (isWrong: (row: Row) => boolean): string[] =>
  compatibilityRows.filter(isWrong).map(nameOf);

describe('the rows', () => {
  test('every row names their item and ours', () => {
    expect(
      namesWhere(({ item, ours, why }) => item.trim() === '' || ours.trim() === '' || why?.trim() === ''),
    ).toEqual([]);
  });

  test('no item is listed twice', () => {
    const seen = new Set<string>();
    expect(namesWhere((row) => seen.has(nameOf(row)) || !seen.add(nameOf(row)))).toEqual([]);
  });

  test('an item called the same is not listed as renamed', () => {
    expect(
      namesWhere(({ status, item, ours }) => status === 'renamed' && ours.replaceAll('`', '') === item),
    ).toEqual([]);
  });

  test('a departure names a decision record that exists, and nothing else names one', () => {
    expect(namesWhere(({ status, adr }) => (status === 'departed') !== (adr !== undefined))).toEqual([]);
    const named = new Set(compatibilityRows.flatMap(({ adr }) => adr ?? []));
    expect([...named].filter((adr) => !existsSync(fromRoot(`docs/adr/${adr}`)))).toEqual([]);
  });

  test('whatever is built is shown by a test file that exists, and nothing planned claims one', () => {
    expect(namesWhere(({ status, test: file }) => (status === 'planned') !== (file === undefined))).toEqual(
      [],
    );
    const named = new Set(compatibilityRows.flatMap(({ test: file }) => file ?? []));
    expect([...named].filter((file) => !existsSync(fromRoot(file)))).toEqual([]);
  });

  test('what a built capability still lacks says which later part brings it', () => {
    const isVague = ({ status, capability, why }: Row) =>
      status === 'planned' &&
      builtCapabilities.includes(capability) &&
      !laterParts.some((part) => why?.includes(`Comes with ${part}.`));
    expect(namesWhere(isVague)).toEqual([]);
  });

  test('the page has one line for each row', () => {
    const cells = compatibilityPage()
      .split('\n')
      .map((line) => line.split(/(?<!\\)\|/));
    const kinds = new Set<string>(compatibilityRows.map(({ kind }) => kind));
    const lines = cells.filter((line) => kinds.has(line[2]?.trim() ?? ''));
    expect(lines).toHaveLength(compatibilityRows.length);
    expect(lines.filter((line) => line.length !== 7)).toEqual([]);
  });
});

const seedFolder = fromRoot('../shared/seeds');

/** The designs' own texts are kept beside the repository, not in it; a clone alone cannot be checked against them. */
function seedText(design: Design, { skip }: TestContext): string {
  if (!existsSync(seedFolder)) {
    const message = 'the source designs are not here: ../shared/seeds is missing beside the repository';
    if (process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(message);
    skip(message);
  }
  const file = readdirSync(seedFolder).find((name) => name.startsWith(`${design}-`));
  return readFileSync(`${seedFolder}/${file}`, 'utf8');
}

/** What a pattern's first group finds in a design, each once; finding nothing would mean the pattern is wrong. */
function namesIn(text: string, pattern: RegExp): string[] {
  const names = [...new Set([...text.matchAll(pattern)].map((match) => match[1] as string))];
  expect(names).not.toEqual([]);
  return names;
}

const rowsIn = (design: Design, ...kinds: Row['kind'][]): Row[] =>
  compatibilityRows.filter(
    (row) => row.design === design && (kinds.length === 0 || kinds.includes(row.kind)),
  );
const wordsOf = (rows: Row[]): Set<string> => new Set(rows.flatMap(({ item }) => item.match(/\w+/g) ?? []));

describe('checked against the designs in ../shared/seeds', () => {
  test.for([
    ['000', /`(\w+)\(\w+\)`/g],
    ['001', /^### `(\w+)`/gm],
    ['002', /\b(forge_[a-z]+)/g],
    ['003', /\b(search_[a-z]+)\b/g],
  ] as const)('every tool of design %s is listed (reads ../shared/seeds)', ([design, pattern], context) => {
    const listed = rowsIn(design, 'tool').map(({ item }) => item);
    expect(namesIn(seedText(design, context), pattern).filter((name) => !listed.includes(name))).toEqual([]);
  });

  test.for(['002', '003'] as const)(
    'every route of design %s is listed (reads ../shared/seeds)',
    (design, context) => {
      const listed = rowsIn(design, 'route').map(({ item }) => item.replace(/^[A-Z]+ /, ''));
      const routes = namesIn(seedText(design, context), /(\/api\/[\w/:-]+)/g);
      expect(routes.filter((route) => !listed.includes(route))).toEqual([]);
    },
  );

  test('every error code of design 001 is listed (reads ../shared/seeds)', (context) => {
    const listed = rowsIn('001', 'error-code').map(({ item }) => item);
    const codes = namesIn(seedText('001', context), /^\| `([A-Z_]+)` \|/gm);
    expect(codes.toSorted()).toEqual(listed.toSorted());
  });

  test.for(['001', '004'] as const)(
    'every JSON key of design %s is listed (reads ../shared/seeds)',
    (design, context) => {
      const listed = wordsOf(rowsIn(design, 'field', 'parameter'));
      const keys = namesIn(seedText(design, context), /"(\w+)"\s*:/g);
      expect(keys.filter((key) => !listed.has(key))).toEqual([]);
    },
  );

  test.for(['001', '003', '004'] as const)(
    'every name in snake case that design %s sets in backticks is listed (reads ../shared/seeds)',
    (design, context) => {
      const listed = wordsOf(rowsIn(design));
      const names = namesIn(seedText(design, context), /`([a-z]+(?:_[a-z]+)+)`/g);
      expect(names.filter((name) => !listed.has(name))).toEqual([]);
    },
  );

  test.for([
    ['001', /\btriseek ([a-z]+)/g],
    ['004', /\bthehook ([a-z]+)/g],
  ] as const)(
    'every command of design %s is listed (reads ../shared/seeds)',
    ([design, pattern], context) => {
      const listed = wordsOf(rowsIn(design, 'command'));
      expect(namesIn(seedText(design, context), pattern).filter((name) => !listed.has(name))).toEqual([]);
    },
  );

  test('every request parameter and file of design 003 is listed (reads ../shared/seeds)', (context) => {
    const text = seedText('003', context);
    const parameters = rowsIn('003', 'parameter').map(({ item }) => item.slice(item.indexOf('?') + 1));
    const named = namesIn(text, /^(?:\|\s*)?- `(\w+)` - /gm).filter(
      (name) => !['index', 'full'].includes(name),
    );
    expect(named.filter((name) => !parameters.includes(name))).toEqual([]);
    const files = rowsIn('003', 'file').map(({ item }) => item.slice(item.lastIndexOf('/') + 1));
    expect(namesIn(text, /([\w-]+\.md)\b/g).filter((name) => !files.includes(name))).toEqual([]);
  });

  test('every lifecycle event and every field in camel case of design 002 is listed (reads ../shared/seeds)', (context) => {
    const text = seedText('002', context);
    const hooks = rowsIn('002', 'hook').map(({ item }) => item);
    expect(namesIn(text, /\b([a-z]+:[a-z]+)\b/g).filter((name) => !hooks.includes(name))).toEqual([]);
    const listed = wordsOf(rowsIn('002', 'field', 'parameter'));
    expect(namesIn(text, /\b([a-z]+[A-Z][a-z]+)\b/g).filter((name) => !listed.has(name))).toEqual([]);
  });

  test('every file of the storage layout of design 000 is listed (reads ../shared/seeds)', (context) => {
    const layout = seedText('000', context).split('Storage layout')[1]?.split('Cross-platform')[0] ?? '';
    const listed = rowsIn('000', 'file').map(({ item }) =>
      item.slice(item.lastIndexOf('/', item.length - 2) + 1),
    );
    expect(
      namesIn(layout, /^\s*([\w.]+(?:\.\w+|\/))(?:\s|$)/gm).filter((name) => !listed.includes(name)),
    ).toEqual([]);
  });
});
