import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { type Person, withTeamDatabase } from '../../test/harness/team/database.ts';
import { serveTeam } from '../../test/harness/team/serve.ts';
import { hangMs } from '../../test/support/until.ts';
import { startBrowser } from '../viewer/browser.ts';
import { overflow, takePicture, violationsIn } from '../viewer/pages.ts';
import { type Look, looks, noPageErrors, type PageErrors, type Visitor, visit } from '../viewer/visitor.ts';
import { isSeen } from './seen.ts';
import { setbacks } from './setbacks.ts';
import { fillTeam, type TeamMemory } from './team-memory.ts';

const outFolder = join('.tmp', 'team-viewer');
const maxInteractions = 3;
const maxFirstViewKb = 300;

/** The team viewer in a real browser, with a real Postgres. */
export const teamViewer: Evaluation = {
  name: 'team-viewer',
  summary:
    'The team viewer in Chromium on real Postgres: sign-in, tasks, roles, live updates, screenshots, size.',
  file: import.meta.filename,
  measures: [
    'web',
    ':!web/pages',
    ':!web/file',
    'client',
    'src/team/http',
    'src/team/memories',
    'src/team/postgres/browse.ts',
    'src/team/postgres/browse-filter.ts',
    'src/api',
    'src/wire/answers/team.ts',
  ],
  async run({ isShort, seed }) {
    const installed = installPackage();
    const browser = await startBrowser();
    rmSync(outFolder, { recursive: true, force: true });
    mkdirSync(outFolder, { recursive: true });
    return withTeamDatabase('viewer', async (database) => {
      const served = await serveTeam(installed, database.url);
      try {
        const team = await fillTeam(database, served.url, {
          count: isShort ? 300 : 3_000,
          random: createRandom(seed),
        });
        return await look(browser, served.url, team);
      } finally {
        await served.close();
      }
    });
  },
};

async function look(browser: Browser, url: string, team: TeamMemory) {
  const mishaps = noPageErrors();
  const wide = looks[0] as Look;
  const firstView = await firstViewBytes(browser, url, team.ann);
  const pictures = await takePictures(browser, url, team, mishaps);
  const open = (who: Person) => signedIn(browser, url, who, wide, mishaps);

  const interactions: Record<string, number> = {};
  const failed: string[] = [];
  for (const { name, who, run } of tasks) {
    const visitor = await open(team[who]);
    visitor.interactions();
    if (!(await run(visitor, team))) failed.push(name);
    interactions[name] = visitor.interactions();
    await visitor.close();
  }
  for (const { name, who, run } of setbacks) {
    // The browser logs refused requests, which are expected here.
    const visitor = await signedIn(browser, url, team[who], wide, noPageErrors());
    const isRight = await run(visitor, team, url).catch((error: Error) => console.error(name, error.message));
    if (isRight !== true) failed.push(name);
    await visitor.close();
  }
  const isLive = await hearsOthers(await open(team.ann), url, team);
  const readerMay = await buttonsOfReader(await open(team.rea), team);
  for (const line of [...failed, ...pictures.faults, ...mishaps.errors, ...mishaps.outside])
    console.error(line);
  return {
    n: pictures.count,
    figures: {
      memories: team.memories,
      pictures: pictures.count,
      folder: outFolder,
      setbacks: setbacks.length,
      ...interactions,
    },
    bars: {
      mostInteractions: atMost(Math.max(...Object.values(interactions)), maxInteractions),
      failedTasks: exactly(failed.length, 0),
      liveUpdates: exactly(Number(isLive), 1),
      buttonsOfReader: exactly(readerMay, 0),
      firstViewKb: atMost(round(firstView / 1024), maxFirstViewKb),
      accessibilityViolations: exactly(pictures.faults.length, 0),
      outsideRequests: exactly(mishaps.outside.length, 0),
      consoleErrors: exactly(mishaps.errors.length, 0),
      hostileEffects: exactly(pictures.effects + mishaps.dialogs, 0),
      sidewaysOverflowPx: exactly(pictures.widest, 0),
    },
  };
}

/** A visitor who has entered a token; that does not count as part of a task. */
async function signedIn(
  browser: Browser,
  url: string,
  who: Person,
  at: Look,
  mishaps: PageErrors,
): Promise<Visitor> {
  const visitor = await visit(browser, url, at, mishaps);
  await visitor.page.locator('input[type=password]').fill(who.token);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.locator('nav').waitFor();
  await visitor.go('search');
  await visitor.page.locator('input[type=search]').waitFor();
  return visitor;
}

interface TeamTask {
  name: string;
  who: 'ann' | 'ben' | 'rea';
  run(visitor: Visitor, team: TeamMemory): Promise<boolean>;
}

const tasks: TeamTask[] = [
  {
    name: 'findDecision',
    who: 'rea',
    async run(visitor, { question }) {
      await visitor.type(question.text);
      return isSeen(visitor, '.hit', question.answer);
    },
  },
  {
    name: 'seeWhoAndWhen',
    who: 'rea',
    async run(visitor, { question }) {
      await visitor.type(question.text);
      await visitor.click(`.hit:has-text("${question.author}") .hit-text:has-text("${question.answer}")`);
      return (
        (await isSeen(visitor, '.note-side', question.author)) &&
        (await isSeen(visitor, '.note-side time', /./))
      );
    },
  },
  {
    name: 'deleteOne',
    who: 'ben',
    async run(visitor, { doomed }) {
      await visitor.type('staging password whiteboard');
      await isSeen(visitor, '.hit', doomed);
      await visitor.press('Enter');
      await visitor.page.locator('.danger').waitFor();
      const removed = visitor.page.waitForResponse(
        (response) => response.request().method() === 'DELETE' && response.ok(),
      );
      await visitor.press('x');
      if (!(await isSeen(visitor, '.toast', 'Deleted'))) return false;
      // The deletion is sent after the undo period.
      await removed;
      await visitor.go('search?q=staging%20password%20whiteboard');
      await visitor.page.reload();
      await visitor.page.locator('.answer-note, .empty').first().waitFor();
      return (await visitor.page.locator('.hit').filter({ hasText: doomed }).count()) === 0;
    },
  },
  {
    name: 'reindexVectors',
    who: 'ben',
    async run(visitor) {
      await visitor.click('nav a[href="#/stats"]');
      await visitor.click('button:has-text("Reindex vectors")');
      return isSeen(visitor, '.toast', 'Computing vectors');
    },
  },
];

/** A teammate saves a memory while the timeline is open: it appears without a reload. */
async function hearsOthers(visitor: Visitor, url: string, { project, ben }: TeamMemory): Promise<boolean> {
  await visitor.go('timeline');
  await visitor.page.locator('.live-live').waitFor();
  await visitor.page.locator('.hit').first().waitFor();
  const text = 'Said while somebody watched.';
  await fetch(`${url}/api/projects/${project}/memory`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const isThere = await isSeen(visitor, '.hit', text);
  await visitor.close();
  return isThere;
}

/** Number of controls shown to a reader that only members may use. */
async function buttonsOfReader(visitor: Visitor, { question }: TeamMemory): Promise<number> {
  await visitor.go('stats');
  await visitor.page.locator('.tile').first().waitFor();
  const reindexing = await visitor.page.locator('main button').count();
  await visitor.go(`search?q=${encodeURIComponent(question.text)}`);
  await visitor.page.locator('.hit a').first().click();
  await visitor.page.locator('.note').waitFor();
  const deleting = await visitor.page.locator('.danger').count();
  await visitor.close();
  return reindexing + deleting;
}

const effectsIn = `Number(window.owned === true) + document.querySelectorAll(
  'main script, main img, main iframe, main [onerror], main a[href^="javascript:"], main a[href^="data:"]').length`;

/** Every page in both themes and both widths. */
async function takePictures(browser: Browser, url: string, team: TeamMemory, mishaps: PageErrors) {
  const seen = { count: 0, widest: 0, effects: 0, faults: [] as string[] };
  for (const at of looks) {
    const keep = async ({ page }: Visitor, name: string) => {
      await takePicture(page, outFolder, name, at);
      seen.count += 1;
      seen.widest = Math.max(seen.widest, await overflow(page));
      const faults = await violationsIn(page);
      seen.faults.push(...faults.map((fault) => `${name} ${at.theme} ${at.width}: ${fault}`));
    };
    const door = await visit(browser, url, at, mishaps);
    await door.page.locator('.door-form').waitFor();
    await keep(door, 'door');
    await door.close();
    const visitor = await signedIn(browser, url, team.ben, at, mishaps);
    const { page, go } = visitor;
    const shown: [string, string, string][] = [
      ['home', 'home', '.hits'],
      ['search', `search?q=${encodeURIComponent(team.question.text)}`, '.hit'],
      ['search-empty', 'search', '.empty'],
      ['search-none', 'search?q=zzyzx&file=nowhere.txt', '.empty'],
      ['timeline', 'timeline', '.hit'],
      ['stats', 'stats', '.tile'],
      ['missing', 'nowhere', '.empty'],
    ];
    for (const [name, to, ready] of shown) {
      await go(to);
      await page.locator(ready).first().waitFor();
      await keep(visitor, name);
    }
    await go(`search?q=${encodeURIComponent(team.question.text)}`);
    await page.locator('.hit a').first().click();
    await page.locator('.note').waitFor();
    await keep(visitor, 'memory');
    for (const words of ['decision with markup in it', 'click me data fine', 'line that turns round']) {
      await go(`search?q=${encodeURIComponent(words)}`);
      await page.locator('.hit a').first().waitFor();
      await page.locator('.hit a').first().click();
      await page.locator('.note').waitFor();
      seen.effects += (await page.evaluate(effectsIn)) as number;
    }
    await page.keyboard.press('?');
    await page.locator('.help').waitFor();
    await keep(visitor, 'help');
    await visitor.close();
  }
  return seen;
}

/** Compressed size of what a new browser loads before the first click. */
async function firstViewBytes(browser: Browser, url: string, who: Person): Promise<number> {
  const page = await browser.newPage();
  page.setDefaultTimeout(hangMs);
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.ok() && !response.url().includes('/api/')) bodies.push(response.body());
  });
  await page.goto(url);
  await page.locator('input[type=password]').fill(who.token);
  await page.keyboard.press('Enter');
  await page.locator('.page-home .hits').first().waitFor();
  // What comes later could not be read: the page is closed then.
  page.removeAllListeners('response');
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
  await page.close();
  return sizes.reduce((sum, one) => sum + one, 0);
}
