import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSegments } from '../index/build-segments.ts';
import { Segment } from '../index/segment.ts';
import { definedName } from './defined-name.ts';
import { goalWords } from './goal-words.ts';
import { hasWordFile, matchCheckout, writeWordFile } from './word-file.ts';
import { countIn, entryOf, keyIn, keyOf, termsOfToken } from './word-keys.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-words-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe('words of code', () => {
  it('are whole names and their parts', () => {
    expect(termsOfToken('parseHTTPHeaders')).toEqual(['parsehttphead', 'pars', 'http', 'header']);
    expect(termsOfToken('_retry')).toEqual(['retri']);
    expect(termsOfToken('42')).toEqual([]);
  });

  it('keep their key and count', () => {
    const entry = entryOf(keyOf('retri'), 7);
    expect([keyIn(entry), countIn(entry)]).toEqual([keyOf('retri'), 7]);
    expect(countIn(entryOf(keyOf('retri'), 1_000))).toBe(63);
  });

  it('distinguish a definition from a use', () => {
    const defined: [string, string | undefined][] = [
      ['export async function readAll(path: string) {', 'readAll'],
      ['    def parse_arguments(self, args):', 'parse_arguments'],
      ['pub(crate) fn route<T>(x: T) {', 'route'],
      ['func (s *Server) Handle(w http.ResponseWriter) {', 'Handle'],
      ['static int tty_write(struct tty *tty)', 'tty_write'],
      ['const char *name_of(int kind)', 'name_of'],
      ['static MAX_USERS: usize = 3;', 'MAX_USERS'],
      ['export const limits = 3;', 'limits'],
      ['#define MAX_LEN 20', 'MAX_LEN'],
      ['impl Display for Reason {', 'Reason'],
      ['  return parse(args);', undefined],
      ['  const local = 1;', undefined],
      ['  if (isReady()) {', undefined],
    ];
    for (const [line, name] of defined) expect(definedName(line), line).toBe(name);
  });
});

describe('a word file', () => {
  const root = join(top, 'checkout');
  const folder = join(top, 'index');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(folder);
  const texts: Record<string, string> = {
    'src/retry.ts': 'export function retryLater() {}\n'.repeat(200),
    'src/other.ts': 'const nothing = 1;\n',
    'data.bin': '\0\0',
    'empty.ts': '',
  };
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  const paths = Object.keys(texts).sort();
  const clock = { now: () => Date.now() + 60_000 };
  const [entry] = buildSegments({ root, folder, name: '1-1', paths, clock });
  if (entry === undefined) throw new Error('no segment');
  const segment = new Segment(folder, entry);
  afterAll(() => segment.close());
  const part = { segment, dead: new Uint8Array(1) };
  const goal = goalWords('retry later, other nothing');
  const seen = (view: Parameters<typeof matchCheckout>[0]) => {
    const { matches, statistics } = matchCheckout(view, folder, goal);
    return { matches: [...matches].sort((a, b) => (a.path < b.path ? -1 : 1)), statistics };
  };

  it('[pack-fresh] matches the source files, and is ignored if it is damaged', () => {
    const fromFiles = seen({ root, parts: [part], live: [] });
    expect(hasWordFile(folder, segment)).toBe(false);
    writeWordFile(root, folder, part);
    expect(hasWordFile(folder, segment)).toBe(true);
    expect(seen({ root, parts: [part], live: [] })).toEqual(fromFiles);
    expect(fromFiles.matches.map(({ path }) => path)).toEqual(['src/other.ts', 'src/retry.ts']);
    const name = readdirSync(folder).find((file) => file.endsWith('.words')) as string;
    writeFileSync(join(folder, name), 'cut off');
    expect(seen({ root, parts: [part], live: [] })).toEqual(fromFiles);
  });

  it('[pack-fresh] is not used for a file that has changed', () => {
    writeWordFile(root, folder, part);
    writeFileSync(join(root, 'src/other.ts'), 'retryLater();\n');
    const dead = new Uint8Array(1);
    const file = segment.findFile('src/other.ts');
    dead[0] = 1 << file;
    const { matches } = seen({ root, parts: [{ segment, dead }], live: ['src/other.ts'] });
    expect(matches.find(({ path }) => path === 'src/other.ts')?.chunks[0]?.terms.length).toBe(2);
  });
});
