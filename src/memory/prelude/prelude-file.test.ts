import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { readJson, writeJson } from '../../base/files.ts';
import { homePaths } from '../../base/paths.ts';
import { readRules } from '../rules/rule-table.ts';
import { writeEverywhere } from './everywhere-lines.ts';
import {
  everywhereSection,
  type Prelude,
  type PreludeLine,
  preludeText,
  readPrelude,
  recapSection,
  recapText,
  removePrelude,
  type StoredRecap,
  withoutOneLine,
  writePrelude,
} from './prelude-file.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-prelude-'));
const paths = homePaths(home);
const own = paths.project('p');
beforeEach(() => rmSync(home, { recursive: true, force: true }));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const line = (
  text: string,
  section: PreludeLine['section'] = 'Decided',
  more: Partial<PreludeLine> = {},
): PreludeLine => ({ section, text, reason: 'x', ...more });
const textsOf = (lines: PreludeLine[] = []): string[] => lines.map(({ text }) => text);

describe('a prelude that is too long', () => {
  it('loses the last line of its longest section', () => {
    const lines = [line('1', 'Rules'), line('2'), line('3'), line('4', 'You said')];
    expect(textsOf(withoutOneLine(lines))).toEqual(['1', '2', '4']);
    const equal = [line('1', 'Rules'), line('2', 'Rules'), line('3'), line('4')];
    expect(textsOf(withoutOneLine(equal)), 'the first of equal sections').toEqual(['1', '3', '4']);
  });

  it('loses the least important lines first, whatever the length of their section', () => {
    const lines = [
      line('1'),
      line('2'),
      line('3', 'Rules', { leftOut: 1 }),
      line('4', 'Rules', { leftOut: 2 }),
    ];
    const fewer = withoutOneLine(lines);
    expect(textsOf(fewer)).toEqual(['1', '2', '3']);
    expect(textsOf(withoutOneLine(fewer))).toEqual(['1', '2']);
  });
});

describe('the recap of a session', () => {
  const at = Date.parse('2026-11-01T00:00:00Z');
  const recap = (name: string, place: Partial<StoredRecap>): StoredRecap => ({
    ...{ branch: 'main', checkout: 'here', head: 'a', at, brief: `brief ${name}` },
    short: [line(name, recapSection), line(`${name} uncommitted`, recapSection, { isOfHead: true })],
    beside: [line(`narrow ${name}`, recapSection)],
    long: [line(`long ${name}`, recapSection), line('long uncommitted', recapSection, { isOfHead: true })],
    ...place,
  });
  const here = { branch: 'main', checkout: 'here', head: 'a' };
  const told = (recaps: StoredRecap[], place?: Partial<typeof here>): Prelude | undefined => {
    writePrelude(own.prelude, { v: 1, position: {}, lines: [line('decided')], recaps });
    return readPrelude(paths, 'p', place && { ...here, ...place });
  };
  const shortOf = (recaps: StoredRecap[], place: Partial<typeof here>) =>
    textsOf(told(recaps, place)?.recap?.short);

  it('is the newest of its working tree, on whatever branch, and names the last one on this branch', () => {
    const recaps = [recap('theme', { branch: 'theme' }), recap('main', {})];
    expect(shortOf(recaps, { branch: 'theme' })).toEqual(['theme', 'theme uncommitted']);
    expect(shortOf(recaps, {})).toEqual(['narrow theme', 'last on this branch: brief main']);
    expect(shortOf(recaps, { branch: 'new' })[0]).toBe('theme');
    expect(textsOf(told(recaps, {})?.recap?.long).at(-1)).toBe('last on this branch: brief main');
  });

  it('names what is newer in another working tree in one line', () => {
    const newer = recap('there', { checkout: 'there', branch: 'next' });
    const recaps = [newer, recap('theme', { branch: 'theme' }), recap('main', {})];
    const line = 'newer, in another working tree: brief there';
    expect(shortOf(recaps, { branch: 'theme' })).toEqual(['narrow theme', line]);
    expect(shortOf(recaps, {})).toEqual(['narrow theme', line]);
    expect(shortOf(recaps, { checkout: 'there', branch: 'next' })[0]).toBe('there');
  });

  it('is that of its branch, or the newest of all, if nothing was done in its working tree, and says so', () => {
    const recaps = [recap('next', { checkout: 'b', branch: 'next' }), recap('main', { checkout: 'c' })];
    const elsewhere = 'in another working tree: ';
    expect(shortOf(recaps, {})[0]).toBe(`${elsewhere}narrow main`);
    expect(shortOf(recaps, { branch: 'new' })).toEqual([`${elsewhere}next`]);
    expect(shortOf(recaps, { branch: '' })).toEqual([`${elsewhere}next`]);
  });

  it('is the newest if the place does not matter, with all lines', () => {
    const prelude = told([recap('newest', { branch: 'theme' }), recap('main', {})]);
    expect(textsOf(prelude?.lines)).toEqual(['newest', 'newest uncommitted', 'decided']);
    expect(textsOf(prelude?.recap?.long)).toEqual(['long newest', 'long uncommitted']);
  });

  it('is told however long ago it was', () => {
    expect(shortOf([recap('main', { at: Date.parse('2019-01-01T00:00:00Z') })], {})[0]).toBe('main');
  });

  it('says what is not committed only in the same working tree at the same commit', () => {
    const shown = (place: Partial<typeof here>) => {
      const prelude = told([recap('main', {})], place);
      return [textsOf(prelude?.recap?.short), textsOf(prelude?.recap?.long)];
    };
    expect(shown({})).toEqual([
      ['main', 'main uncommitted'],
      ['long main', 'long uncommitted'],
    ]);
    expect(shown({ head: 'b' })).toEqual([['main'], ['long main']]);
    expect(shown({ checkout: 'there' }).flat().join()).not.toContain('uncommitted');
  });

  it('is part of what the boundary of the prelude depends on', () => {
    const digests = [[], [recap('a', {})], [recap('b', {})]].map((recaps) => told(recaps)?.digest);
    expect(new Set(digests).size).toBe(3);
  });

  it('has a heading when somebody asks for it', () => {
    expect(recapText(['a', 'b'])).toEqual([`${recapSection}:`, '- a', '- b']);
  });
});

describe('the stored prelude', () => {
  const everywhere = [line('mine', everywhereSection), line('muted', everywhereSection, { mutedIn: ['p'] })];

  it('is undefined if nothing is stored, or if another version wrote it', () => {
    expect(readPrelude(paths, 'p')).toBeUndefined();
    writeJson(own.prelude, { v: 2, position: {}, lines: [line('a')] });
    expect(readPrelude(paths, 'p')).toBeUndefined();
    writeJson(paths.everywhere.prelude, { v: 2, lines: everywhere });
    expect(readPrelude(paths, 'p')).toBeUndefined();
  });

  it('begins with the lines for every project that are not muted in this one', () => {
    writePrelude(paths.everywhere.prelude, { v: 1, lines: everywhere });
    expect(textsOf(readPrelude(paths, 'p')?.lines)).toEqual(['mine']);
    expect(textsOf(readPrelude(paths, 'q')?.lines)).toEqual(['mine', 'muted']);
    writePrelude(own.prelude, { v: 1, position: { a: 1 }, lines: [line('own')] });
    expect(readPrelude(paths, 'p')).toMatchObject({ position: { a: 1 } });
    expect(textsOf(readPrelude(paths, 'p')?.lines)).toEqual(['mine', 'own']);
  });

  it('has the notes for every project, and their rules, as soon as they are written', () => {
    const match = { command: ['npm'] };
    writeEverywhere(paths, [
      aNote({ text: 'use pnpm', kind: 'rule', everywhere: true, pinned: true, match }),
    ]);
    expect(readPrelude(paths, 'q')?.lines).toMatchObject([{ section: everywhereSection }]);
    expect(readRules(paths.everywhere.rules)).toMatchObject([{ match }]);
  });

  it('has a digest of both files, or none if that of one is missing', () => {
    writePrelude(paths.everywhere.prelude, { v: 1, lines: everywhere });
    const alone = readPrelude(paths, 'p')?.digest;
    expect(alone).toMatch(/^\w+ $/);
    writePrelude(own.prelude, { v: 1, position: {}, lines: [line('own')] });
    const { digest } = readJson<Prelude>(own.prelude) ?? {};
    expect(readPrelude(paths, 'p')?.digest).toBe(`${alone}${digest}`);
    writeJson(own.prelude, { v: 1, position: {}, lines: [line('own')] });
    expect(readPrelude(paths, 'p')).not.toHaveProperty('digest');
    writePrelude(own.prelude, { v: 1, position: {}, lines: [line('own')] });
    writeJson(paths.everywhere.prelude, { v: 1, lines: everywhere });
    expect(readPrelude(paths, 'p')).not.toHaveProperty('digest');
  });

  it('is removed with everything that was derived from the same notes', () => {
    const derived = [own.prelude, own.rules, own.topics, own.observed, own.toldSessions];
    for (const path of derived) writeJson(path, {});
    writeJson(own.identity, {});
    removePrelude(own);
    expect(derived.filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(own.identity)).toBe(true);
  });
});

describe('the text of the prelude', () => {
  it('is empty if there is nothing to tell', () => {
    expect(preludeText([], [], 'shop')).toBe('');
  });

  it('has the sections in a fixed order and the news at the end', () => {
    const lines = [line('d'), line('r', 'Rules'), line('g', 'Going on'), line('e', everywhereSection)];
    const text = preludeText(lines, ['you asked: x'], 'shop');
    expect(text.split('\n').slice(5, -1)).toEqual([
      ...['', 'Yours, in every project:', '- e', '', 'Rules:', '- r', '', 'Decided:', '- d'],
      ...['', 'Going on:', '- g', '', 'Since then:', '- you asked: x'],
    ]);
  });

  it('is told if there are only news, or only lines', () => {
    expect(preludeText([], ['you asked: x'], 'shop')).toContain('Since then:\n- you asked: x');
    expect(preludeText([line('d')], [], 'shop')).not.toContain('Since then');
  });

  it('has the same boundary for the same content, and another for other content or news', () => {
    const boundary = (...args: Parameters<typeof preludeText>) => /-(\w{8}) /.exec(preludeText(...args))?.[1];
    const same = boundary([line('d')], [], 'shop');
    expect(boundary([line('d')], [], 'shop')).toBe(same);
    expect(boundary([line('e')], [], 'shop')).not.toBe(same);
    expect(boundary([line('d')], ['x'], 'shop')).not.toBe(same);
    expect(boundary([line('d')], [], 'shop', 'another digest')).not.toBe(same);
  });
});
