import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { asTiming, atLeast, atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { startServing } from '../../test/harness/serving.ts';
import { startBrowser } from './browser.ts';
import { lostPlaces } from './coming-back.ts';
import { createDataSet, type DataSet } from './data-set.ts';
import { timeOfFilePage } from './file-page.ts';
import { timeToFirstResult } from './first-result.ts';
import { overflow, pagesToShow, show, takePicture, violationsIn } from './pages.ts';
import { tasks } from './tasks.ts';
import { type Look, looks, noPageErrors, type Visitor, visit } from './visitor.ts';

const outFolder = join('.tmp', 'viewer');
const maxInteractions = 3;
const maxFirstViewKb = 60;
const maxRatio = 2;

/** The viewer in a real browser: main tasks, every page in both themes and widths, size and response time. */
export const viewer: Evaluation = {
  name: 'viewer',
  summary:
    'The viewer in Chromium: interactions per task, screenshots, accessibility, size, time to first result.',
  async run({ isShort, seed }) {
    const installed = installPackage();
    const home = createHome(installed);
    const size = isShort ? { sessions: 40, notes: 500 } : { sessions: 200, notes: 5_000 };
    const data = await createDataSet(home, { ...size, random: createRandom(seed) });
    const server = await startServing(home);
    const browser = await startBrowser();
    rmSync(outFolder, { recursive: true, force: true });
    mkdirSync(outFolder, { recursive: true });
    const mishaps = noPageErrors();
    const open = (look: Look): Promise<Visitor> => visit(browser, server.login(), look, mishaps);

    const firstView = await firstViewBytes(browser, server.login());
    const faults: string[] = [];
    let pictures = 0;
    let widest = 0;
    for (const look of looks) {
      const visitor = await open(look);
      for (const shown of pagesToShow(data)) {
        await show(visitor, shown);
        await takePicture(visitor.page, outFolder, shown.name, look);
        pictures += 1;
        widest = Math.max(widest, await overflow(visitor.page));
        faults.push(
          ...(await violationsIn(visitor.page)).map(
            (fault) => `${shown.name} ${look.theme} ${look.width}: ${fault}`,
          ),
        );
      }
      pictures += await dialogs(visitor, data, look);
      await visitor.close();
    }
    const wide = looks[0] as Look;
    const hostile = await openHostile(await open(wide), data);
    const interactions: Record<string, number> = {};
    const failedTasks: string[] = [];
    for (const task of tasks) {
      const visitor = await open(wide);
      visitor.interactions();
      const isDone = await task.run(visitor, data).catch((error: unknown) => {
        console.error(task.name, error);
        return false;
      });
      if (!isDone) failedTasks.push(task.name);
      interactions[task.name] = visitor.interactions();
      await visitor.close();
    }
    const isLive = await seesWhatHappens(await open(wide), home);
    const lost = await lostPlaces(() => open(wide), home, data);
    const times = await timeToFirstResult(await open(wide), server, data, isShort ? 9 : 25);
    const ratio = round(times.viewer / times.bare);
    const fileTimes = await timeOfFilePage(await open(wide), server, data, isShort ? 5 : 15);
    const fileRatio = round(fileTimes.page / fileTimes.bare);
    for (const line of [...failedTasks, ...lost, ...faults, ...mishaps.errors, ...mishaps.outside])
      console.error(line);
    return {
      n: pictures,
      figures: {
        sessions: data.sessions,
        notes: data.notes,
        pictures,
        folder: outFolder,
        firstResultMs: round(times.viewer),
        bareQueryMs: round(times.bare),
        bareQueryInPageMs: round(times.inPage),
        firstResultRatio: ratio,
        filePageLines: fileTimes.lines,
        filePageMs: round(fileTimes.page),
        fileStoryMs: round(fileTimes.story),
        bareWhyAndReadMs: round(fileTimes.bare),
        filePageRatio: fileRatio,
        firstViewFiles: firstView.files,
        ...interactions,
      },
      bars: {
        mostInteractions: atMost(Math.max(...Object.values(interactions)), maxInteractions),
        filePageLines: atLeast(fileTimes.lines, 2_000),
        failedTasks: exactly(failedTasks.length, 0),
        lostPlaces: exactly(lost.length, 0),
        liveUpdates: exactly(Number(isLive), 1),
        // These depend on time, so a short run, which shares its machine with other work, only reports them.
        ...(isShort
          ? {}
          : {
              firstResultRatio: asTiming(atMost(ratio, maxRatio)),
              filePageRatio: asTiming(atMost(fileRatio, maxRatio)),
            }),
        firstViewKb: atMost(round(firstView.bytes / 1024), maxFirstViewKb),
        accessibilityViolations: exactly(faults.length, 0),
        outsideRequests: exactly(mishaps.outside.length, 0),
        consoleErrors: exactly(mishaps.errors.length, 0),
        hostileEffects: exactly(hostile + mishaps.dialogs, 0),
        sidewaysOverflowPx: exactly(widest, 0),
      },
    };
  },
};

/** Compressed size of what a new browser loads before the first click. */
async function firstViewBytes(browser: Browser, login: string): Promise<{ bytes: number; files: number }> {
  const page = await browser.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.ok() && !response.url().includes('/api/')) bodies.push(response.body());
  });
  await page.goto(login);
  await page.locator('.told').first().waitFor();
  await page.waitForTimeout(500);
  // What comes later could not be read: the page is closed then.
  page.removeAllListeners('response');
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
  await page.close();
  return { bytes: sizes.reduce((sum, one) => sum + one, 0), files: sizes.length };
}

/** Elements above or within the pages: palette, help, the undo toast and the form for a wrong note. */
async function dialogs(visitor: Visitor, { fates }: DataSet, look: Look): Promise<number> {
  const { page, go } = visitor;
  await go('timeline');
  await page.locator('.session').first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.insertText('job queue');
  await page.locator('.choice .memory-line mark').first().waitFor();
  await takePicture(page, outFolder, 'palette', look);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('.help').waitFor();
  await takePicture(page, outFolder, 'help', look);
  await page.keyboard.press('Escape');
  await go('review');
  await page.locator('.proposal').waitFor();
  await page.keyboard.press('a');
  await page.locator('.toast').waitFor();
  await takePicture(page, outFolder, 'review-undo', look);
  await page.keyboard.press('u');
  await go(`note/${fates.changed}`);
  await page.locator('.note').waitFor();
  await page.keyboard.press('w');
  await page.locator('.note textarea').waitFor();
  await takePicture(page, outFolder, 'note-wrong', look);
  await page.keyboard.press('Escape');
  return 4;
}

/** Opens each hostile note and counts how often one took effect. */
async function openHostile({ page, go, close }: Visitor, { hostile }: DataSet): Promise<number> {
  let effects = 0;
  for (const id of hostile) {
    await go(`note/${id}`);
    await page.locator('.note').waitFor();
    effects += (await page.evaluate(`Number(window.owned === true) + document.querySelectorAll(
      'main script, main img, main iframe, main [onerror], main a[href^="javascript:"], main a[href^="data:"]').length`)) as number;
  }
  await close();
  return effects;
}

/** An agent gets a prompt while the timeline is open: it appears without a reload. */
async function seesWhatHappens({ page, go, close }: Visitor, home: Home): Promise<boolean> {
  await go('timeline');
  await page.locator('.session').first().waitFor();
  const prompt = 'Something was asked while somebody watched';
  const turn = { session_id: 'watched', prompt_id: 'watched-1', cwd: home.repo };
  await home.startHook({ hook_event_name: 'UserPromptSubmit', ...turn, prompt }).ended;
  const shown = page.locator('.session-title').filter({ hasText: prompt }).first();
  const isThere = await shown.waitFor({ timeout: 30_000 }).then(
    () => true,
    () => false,
  );
  await close();
  return isThere;
}
