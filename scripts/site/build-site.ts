import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { build } from 'esbuild';
import { escapeHtml, type Page, readPage, sitePath } from './page.ts';

const template = readFileSync(new URL('page.html', import.meta.url), 'utf8');

/**
 * Builds a static site from README and docs. The folders are those of the repository, so every relative link works in
 * both, and the site works at any address. Returns the links that lead nowhere: a site that has one must not be
 * published.
 */
export async function buildSite(root: string, folder: string): Promise<{ pages: number; broken: string[] }> {
  const paths = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const pages = new Map(paths.sort().map((path) => [path, readPage(read(path))]));
  const { broken, files } = checkLinks(root, pages);
  // The Markdown, too, for language models.
  for (const path of [...paths, ...files]) cpSync(join(root, path), join(folder, path));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, page] of pages) write(sitePath(path), htmlOf(path, page, pages));
  write('search-index.js', `globalThis.searchIndex=${JSON.stringify(searchIndex(pages))}`);
  write('llms.txt', llmsText(read('docs/README.md'), pages));
  cpSync(join(import.meta.dirname, '../../web/icon.svg'), join(folder, 'icon.svg'));
  await build({
    entryPoints: ['search.ts', 'site.css'].map((name) => join(import.meta.dirname, name)),
    outdir: folder,
    bundle: true,
    minify: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    logLevel: 'warning',
  });
  return { pages: pages.size, broken };
}

/** Links that lead nowhere, and linked files that are not pages, such as pictures. */
function checkLinks(root: string, pages: Map<string, Page>): { broken: string[]; files: string[] } {
  const links = [...pages].flatMap(([path, page]) =>
    page.links.map((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      return { path, link, target, anchor, page: pages.get(target) };
    }),
  );
  const leadsNowhere = ({ page, target, anchor }: (typeof links)[number]): boolean =>
    page === undefined
      ? target.startsWith('..') || !existsSync(join(root, target))
      : anchor !== undefined && !page.sections.some(({ id }) => id === anchor);
  const broken = links.filter(leadsNowhere);
  const files = links.filter((link) => link.page === undefined && !broken.includes(link));
  return {
    broken: broken.map(({ path, link }) => `${path}: ${link}`),
    files: [...new Set(files.map(({ target }) => target))],
  };
}

/** One entry for each section: address, title of the page, heading, text. Pages for contributors and the index are left out. */
const searchIndex = (pages: Map<string, Page>): string[][] =>
  [...pages]
    .filter(([path]) => !/^docs\/(?:adr\/|internals\/|README)|^(?!README|SECURITY)[A-Z]+\.md$/.test(path))
    .flatMap(([path, { title, sections }]) =>
      sections.map(({ id, heading, text }, at) => [
        sitePath(path) + (at === 0 ? '' : `#${id}`),
        title,
        heading,
        text,
      ]),
    );

/** The index of the documentation, as llmstxt.org proposes. Language models may skip what is under "Optional". */
function llmsText(index: string, pages: Map<string, Page>): string {
  const home = pages.get('README.md');
  const list = index
    .slice(index.indexOf('## '))
    .replaceAll(/^\*\*.+\n\n/gm, '')
    .replace('## Contributing', '## Optional')
    .replaceAll(/^(- \[.+\]\()(.+)\)$/gm, (_, start: string, link: string) => {
      const path = posix.join('docs', link);
      const { summary = '' } = pages.get(path.replace(/#.*/, '')) ?? {};
      return `${start}${path})${summary === '' ? '' : `: ${summary}`}`;
    });
  return `# ${home?.title}\n\n> ${home?.summary}\n\n${list}`;
}

function htmlOf(path: string, page: Page, pages: Map<string, Page>): string {
  const here = sitePath(path);
  const up = '../'.repeat(here.split('/').length - 1);
  const outline = page.sections
    .filter(({ level }) => level === 2)
    .map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  // The index of the documentation is the navigation of every page.
  const index = pages.get('docs/README.md')?.html ?? '';
  const contents = index
    .slice(index.indexOf('<h2'))
    .replaceAll(/ id="[^"]*"/g, '')
    .replaceAll(/href="([^"]+)"/g, (_, link: string) => {
      const target = posix.join('docs', link);
      return `href="${up}${target}"${target === here ? ' aria-current="page"' : ''}`;
    });
  const parts: Record<string, string> = {
    up,
    title: escapeHtml(page.title === 'Backstory' ? page.title : `${page.title} · Backstory`),
    summary: escapeHtml(page.summary),
    markdown: posix.basename(path),
    html: page.html,
    outline: outline.join(''),
    contents,
  };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
}
