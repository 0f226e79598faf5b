import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxPictureBytes, pictureFiles, pictureFolder } from '../scripts/pictures/manifest.ts';
import { decode, looksSame, smallPng } from '../scripts/pictures/small-png.ts';
import { terminalSvg, textOfSvg } from '../scripts/pictures/terminal-svg.ts';

const pages = globSync(['*.md', 'docs/**/*.md']);

/** The pictures of a page, relative to the repository, and their alternative texts. */
function picturesIn(page: string, text: string): { path: string; alt: string | undefined }[] {
  const elements = [...text.matchAll(/<(?:img|source) [^>]*>|!\[([^\]]*)\]\(([^)\s]+)\)/g)];
  return elements.map(([element, markdownAlt, markdownPath]) => {
    const [, path = markdownPath ?? ''] = /(?:src|srcset)="([^"]+)"/.exec(element) ?? [];
    const alt = element.startsWith('<source')
      ? undefined
      : (/alt="([^"]*)"/.exec(element)?.[1] ?? markdownAlt ?? '');
    return { path: join(dirname(page), path), alt };
  });
}

const shown = pages.flatMap((page) =>
  picturesIn(page, readFileSync(page, 'utf8')).map((picture) => ({ page, ...picture })),
);

/** What GitHub and npm would remove from an SVG, or what would make a request. */
const unsafe = /<script|<foreignObject|\son\w+=|href=|url\(|@import|@font-face|<image|<!/i;

describe('the pictures of the documentation', () => {
  it('[pictures] exist, and each has a text that says what is to be seen', () => {
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter(({ path }) => !existsSync(path))).toEqual([]);
    expect(shown.filter(({ alt }) => alt !== undefined && alt.length < 80)).toEqual([]);
    const missing = picturesIn('docs/a.md', '<img alt="x" src="pictures/gone.png"> ![y](pictures/gone.svg)');
    expect(missing.map(({ path }) => existsSync(path))).toEqual([false, false]);
  });

  it('[pictures] are those of the manifest, and each is on a page', () => {
    expect(readdirSync(pictureFolder).sort()).toEqual([...pictureFiles].sort());
    const unused = pictureFiles.filter(
      (name) => !shown.some(({ path }) => path === join(pictureFolder, name)),
    );
    expect(unused).toEqual([]);
    const onReadme = shown.filter(({ page }) => page === 'README.md').map(({ path }) => path);
    expect(onReadme).toEqual(expect.arrayContaining([join(pictureFolder, 'file-light.png')]));
  });

  it('are small and safe to show', () => {
    for (const name of pictureFiles) {
      const bytes = readFileSync(join(pictureFolder, name));
      expect(bytes.length, name).toBeLessThanOrEqual(maxPictureBytes);
      if (name.endsWith('.svg')) expect(bytes.toString(), name).not.toMatch(unsafe);
    }
  });
});

describe('a terminal as SVG', () => {
  const command = { prompt: '$ ', command: 'show', ms: 10 };

  it('contains what the terminal showed, and no markup from it', () => {
    const output = '\x1b[?25l\x1b[1mbold\x1b[0m <script>alert("1")</script> & more\r\n\x1b[?25h';
    const svg = terminalSvg([{ ...command, output }], 'A <title>');
    expect(textOfSvg(svg)).toBe('$ show\nbold <script>alert("1")</script> & more');
    expect(svg).toContain('<tspan class="c1">bold</tspan>');
    expect(svg).not.toMatch(unsafe);
    expect(svg).not.toContain('\x1b');
  });

  it('breaks long lines where the terminal does', () => {
    const svg = terminalSvg([{ ...command, output: 'x'.repeat(200) }], '');
    expect(
      textOfSvg(svg)
        .split('\n')
        .map(({ length }) => length),
    ).toEqual([6, 118, 82]);
  });
});

describe('a small PNG', () => {
  const before = readFileSync(join(pictureFolder, 'today-light.png'));

  it('has the same pixels if there are few colours', () => {
    const after = smallPng(before);
    expect(decode(after)).toEqual(decode(before));
    expect(looksSame(before, after)).toBe(true);
  });

  it('is told apart from another picture', () => {
    expect(looksSame(before, readFileSync(join(pictureFolder, 'today-dark.png')))).toBe(false);
  });
});
