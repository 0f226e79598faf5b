import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { atLeast, atMost, type Evaluation, exactly, median, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { type Serving, startServing } from '../../test/harness/serving.ts';
import { hangMs } from '../../test/support/until.ts';
import { startBrowser } from './browser.ts';
import { createDataSet, type DataSet } from './data-set.ts';
import { hitsOf, linesOf, missedLandings } from './links.ts';
import {
  everyHomePages,
  overflow,
  pagesToShow,
  type Shown,
  show,
  takePicture,
  violationsIn,
} from './pages.ts';
import { type Look, looks, noPageErrors, settling, type Visitor, visit } from './visitor.ts';

const outFolder = join('.tmp', 'viewer');
const maxFirstViewKb = 60;
/** Two screens. */
const maxMedianSessionPx = 1_800;
/** Questions about any repository, for a home of which nothing else is known. */
const anyQuestions = ['test', 'fix', 'lint failed', 'error', 'config', 'refactor', 'hook', 'commit'];

/** Whether links land on what they name, and every page in both themes and three widths. */
export const viewerLinks: Evaluation = {
  name: 'viewer-links',
  summary:
    'Hits and ?line= links land on screen; every page: accessibility, width, size. --data HOME for real data.',
  file: import.meta.filename,
  measures: ['web', ':!web/team', 'client', 'src/http', 'src/api', 'src/wire'],
  async run({ isShort, seed, data: folder }) {
    const random = createRandom(seed);
    const home = createHome(installPackage());
    const data = folder === undefined ? await sampleIn(home, isShort, seed) : undefined;
    const real = folder === undefined ? home : useData(home, folder);
    const server = await startServing(real);
    const browser = await startBrowser();
    const mishaps = noPageErrors();
    rmSync(outFolder, { recursive: true, force: true });
    mkdirSync(outFolder, { recursive: true });
    const open = (look: Look): Promise<Visitor> => visit(browser, server.login(), look, mishaps);

    const first = await firstView(browser, server.login());
    const wide = await open(looks[0] as Look);
    const most = isShort ? 20 : 100;
    const hits = await hitsOf(wide, data?.questions ?? anyQuestions, most);
    const lines = await linesOf(server, random, most);
    const heights = await sessionHeights(wide, server);
    await wide.close();
    const missed: string[] = [];
    for (const look of looks.filter(({ theme }) => theme === 'light')) {
      const visitor = await open(look);
      missed.push(...(await missedLandings(visitor, [...hits, ...lines])));
      await visitor.close();
    }
    const pages = data === undefined ? everyHomePages(hits, lines) : pagesToShow(data);
    const swept = await sweep(open, pages, data);
    for (const line of [...missed, ...swept.faults, ...mishaps.errors, ...mishaps.outside])
      console.error(line);
    return {
      n: (hits.length + lines.length) * 3,
      figures: {
        hits: hits.length,
        lines: lines.length,
        sessions: heights.length,
        highestSessionPx: Math.max(...heights),
        pictures: swept.pictures,
        folder: outFolder,
        firstViewFiles: first.files,
      },
      bars: {
        links: atLeast(Math.min(hits.length, lines.length), most),
        missedLinks: exactly(missed.length, 0),
        medianSessionPx: atMost(median(heights), maxMedianSessionPx),
        firstViewKb: atMost(round(first.bytes / 1024), maxFirstViewKb),
        accessibilityViolations: exactly(swept.faults.length, 0),
        sidewaysOverflowPx: exactly(swept.widest, 0),
        outsideRequests: exactly(mishaps.outside.length, 0),
        consoleErrors: exactly(mishaps.errors.length, 0),
      },
    };
  },
};

function sampleIn(home: Home, isShort: boolean, seed: number): Promise<DataSet> {
  const size = isShort ? { sessions: 40, notes: 500 } : { sessions: 200, notes: 5_000 };
  return createDataSet(home, { ...size, random: createRandom(seed) });
}

/** Copies the memory of a real home, so that the evaluation leaves it as it is. */
function useData(home: Home, folder: string): Home {
  rmSync(home.backstory, { recursive: true });
  cpSync(join(folder, '.backstory'), home.backstory, { recursive: true });
  const [project = ''] = readdirSync(join(home.backstory, 'projects'));
  const { paths } = JSON.parse(
    readFileSync(join(home.backstory, 'projects', project, 'project.json'), 'utf8'),
  ) as { paths: string[] };
  return { ...home, repo: paths[0] ?? home.repo };
}

/** What a new browser loads before the first click, as the server sends it. */
async function firstView(browser: Browser, login: string): Promise<{ bytes: number; files: number }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(hangMs);
  const settled = settling(page);
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.ok() && !response.url().includes('/api/'))
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
  });
  await page.goto(login);
  await page.locator('.told, .empty, .today').first().waitFor();
  await settled();
  // What comes later could not be read: the page is closed then.
  page.removeAllListeners('response');
  const known = await Promise.all(sizes);
  await page.close();
  return { bytes: known.reduce((sum, one) => sum + one, 0), files: known.length };
}

/** The heights of the latest session pages, as they open. */
async function sessionHeights({ page, go }: Visitor, { url, headers }: Serving): Promise<number[]> {
  const response = await fetch(`${url}/api/v1/agent-sessions?limit=100`, { headers });
  const { items } = (await response.json()) as { items: { id: string }[] };
  const heights: number[] = [];
  for (const { id } of items) {
    await go(`session/${id}`);
    await page.locator('.turns').waitFor();
    heights.push((await page.evaluate('document.documentElement.scrollHeight')) as number);
  }
  return heights;
}

/** Shows every page in every look, with its dialogs, and folded turns open. */
async function sweep(open: (look: Look) => Promise<Visitor>, pages: Shown[], data: DataSet | undefined) {
  const seen = { faults: [] as string[], widest: 0, pictures: 0 };
  for (const look of looks) {
    const visitor = await open(look);
    const { page } = visitor;
    for (const shown of pages) {
      await show(visitor, shown);
      await takePicture(page, outFolder, shown.name, look);
      seen.pictures += 1;
      await page.evaluate(
        "document.querySelectorAll('.turn:not([open]) > summary').forEach((each) => each.click())",
      );
      seen.widest = Math.max(seen.widest, await overflow(page));
      for (const fault of await violationsIn(page))
        seen.faults.push(`${shown.name} ${look.theme} ${look.width}: ${fault}`);
    }
    if (data !== undefined) seen.pictures += await dialogs(visitor, data, look);
    await visitor.close();
  }
  return seen;
}

/** What opens above or within the pages. */
async function dialogs({ page, go }: Visitor, { fates }: DataSet, look: Look): Promise<number> {
  await go('timeline');
  await page.locator('.session').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.insertText('job queue');
  await page.locator('.choice .memory-line mark').first().waitFor();
  await takePicture(page, outFolder, 'palette', look);
  await page.keyboard.press('Escape');
  await go(`note/${fates.changed}`);
  await page.locator('.note').waitFor();
  await page.keyboard.press('w');
  await page.locator('.note textarea').waitFor();
  await takePicture(page, outFolder, 'note-wrong', look);
  await page.keyboard.press('Escape');
  return 2;
}
