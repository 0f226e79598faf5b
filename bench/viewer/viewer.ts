import { atLeast, atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom } from '../../test/harness/random.ts';
import { startServing } from '../../test/harness/serving.ts';
import { startBrowser } from './browser.ts';
import { lostPlaces } from './coming-back.ts';
import { createDataSet, type DataSet } from './data-set.ts';
import { timeOfFilePage } from './file-page.ts';
import { timeToFirstResult } from './first-result.ts';
import { tasks } from './tasks.ts';
import { type Look, looks, noPageErrors, type Visitor, visit } from './visitor.ts';

const maxInteractions = 3;
const maxRatio = 2;

/** The viewer in a real browser: main tasks, what happens to places, live updates and response time. */
export const viewer: Evaluation = {
  name: 'viewer',
  summary: 'The viewer in Chromium: interactions per task, hostile notes, lost places, time to first result.',
  file: import.meta.filename,
  measures: ['web', ':!web/team', 'client', 'src/http', 'src/api', 'src/wire'],
  async run({ isShort, seed }) {
    const installed = installPackage();
    const home = createHome(installed);
    const size = isShort ? { sessions: 40, notes: 500 } : { sessions: 200, notes: 5_000 };
    const data = await createDataSet(home, { ...size, random: createRandom(seed) });
    const server = await startServing(home);
    const browser = await startBrowser();
    const mishaps = noPageErrors();
    const open = (look: Look): Promise<Visitor> => visit(browser, server.login(), look, mishaps);

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
    const times = await timeToFirstResult(await open(wide), server, data, isShort ? 1 : 25);
    const ratio = round(times.viewer / times.bare);
    const fileTimes = await timeOfFilePage(await open(wide), server, data, isShort ? 1 : 15);
    const fileRatio = round(fileTimes.page / fileTimes.bare);
    for (const line of [...failedTasks, ...lost, ...mishaps.errors, ...mishaps.outside]) console.error(line);
    return {
      n: tasks.length,
      figures: {
        sessions: data.sessions,
        notes: data.notes,
        firstResultMs: round(times.viewer),
        bareQueryMs: round(times.bare),
        firstResultRatio: ratio,
        filePageLines: fileTimes.lines,
        filePageMs: round(fileTimes.page),
        fileStoryMs: round(fileTimes.story),
        bareWhyAndReadMs: round(fileTimes.bare),
        filePageRatio: fileRatio,
        ...interactions,
      },
      bars: {
        mostInteractions: atMost(Math.max(...Object.values(interactions)), maxInteractions),
        filePageLines: atLeast(fileTimes.lines, 2_000),
        failedTasks: exactly(failedTasks.length, 0),
        lostPlaces: exactly(lost.length, 0),
        liveUpdates: exactly(Number(isLive), 1),
        // These depend on how busy the machine is, so only a full run, on a quiet machine, judges them.
        ...(isShort
          ? {}
          : {
              firstResultRatio: atMost(ratio, maxRatio),
              filePageRatio: atMost(fileRatio, maxRatio),
            }),
        outsideRequests: exactly(mishaps.outside.length, 0),
        consoleErrors: exactly(mishaps.errors.length, 0),
        hostileEffects: exactly(hostile + mishaps.dialogs, 0),
      },
    };
  },
};

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
  const isThere = await shown.waitFor().then(
    () => true,
    () => false,
  );
  await close();
  return isThere;
}
