import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compatibilityPage } from '../../scripts/compatibility-page.ts';
import { builtCapabilities, compatibilityRows } from './all.ts';
import { laterParts, type Row } from './row.ts';

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
