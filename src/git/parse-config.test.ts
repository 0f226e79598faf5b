import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/harness/random.ts';
import { parseGitConfig } from './parse-config.ts';

/** Returns what git itself parses; undefined if it rejects the file. */
function byGit(text: string): [string, string[]][] | undefined {
  try {
    const said = execFileSync('git', ['config', '--file', '-', '--no-includes', '-z', '--list'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const found = new Map<string, string[]>();
    for (const entry of said.split('\0').slice(0, -1)) {
      const end = entry.indexOf('\n');
      const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      found.set(key, [...(found.get(key) ?? []), value]);
    }
    return [...found];
  } catch {
    return undefined;
  }
}

const read = (text: string) => {
  const config = parseGitConfig(text);
  return config && [...config];
};

describe('a git configuration', () => {
  it.each([
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://x/y.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[Core] Bare = true ; no\n[CORE]\nworktree=../x # y\n',
    '[a "B \\"c\\" \\\\d"]\nKey = "  quoted # ; " and   more  \n',
    '[a.B]\nx = one \\\n  two\ny = a\\tb\\nc\\\\d\\"e\n',
    '[a]\nflag\nempty =\nx = 1\nx = 2\n',
    '\uFEFF[a]\r\nx = 1\r\ny = "2"\r\n',
    '; comment\n# comment\n[a]x=1\n\n[b] ; c\n y = "a""b"c\n',
    '[a]\nx = "open\n',
    '[a]\nx = \\q\n',
    '[a\nx = 1\n',
    '[a]\n1x = 1\n',
    '[include]\npath = /etc/passwd\n',
    '',
  ])('is read as git reads it: %j', (text) => {
    expect(read(text)).toEqual(byGit(text));
  });

  it('is parsed as git parses it, for any characters', () => {
    const random = createRandom(39);
    // No tab, because older versions of git turn a tab inside a value into a space.
    const pieces = [
      '[',
      ']',
      '"',
      '\\',
      '\n',
      ' ',
      '=',
      '#',
      ';',
      'a',
      'B1',
      '-',
      '.',
      '[core]\n',
      '[r "x"]\n',
      'key = ',
      'v v',
    ];
    for (let round = 0; round < 150; round++) {
      const letters = Array.from({ length: random.whole(1, 14) }, () => random.pick(pieces));
      const text = `[s]\n${letters.join('')}\n`;
      expect({ text, read: read(text) }).toEqual({ text, read: byGit(text) });
    }
  });
});
