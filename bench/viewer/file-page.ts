import { median } from '../../test/harness/evaluation.ts';
import type { Serving } from '../../test/harness/serving.ts';
import type { DataSet } from './data-set.ts';
import type { Visitor } from './visitor.ts';

/** Time to open the page of a 2,000-line file, compared with a bare `why` of the file and a read of its lines. */
export async function timeOfFilePage(
  { page, go, close }: Pick<Visitor, 'page' | 'go' | 'close'>,
  { url, headers }: Pick<Serving, 'url' | 'headers'>,
  { longFile }: Pick<DataSet, 'longFile'>,
  rounds: number,
) {
  const read = async (path: string): Promise<void> => {
    await (await fetch(`${url}${path}`, { headers })).arrayBuffer();
  };
  const file = encodeURIComponent(longFile);
  const [ours, stories, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = -2; round < rounds; round++) {
    const startedAt = performance.now();
    await read(`/api/v1/why?target=${file}`);
    await read(`/api/v1/code/lines?path=${file}&to=10000`);
    const bareMs = performance.now() - startedAt;
    await go('file');
    await page.locator('.finder-list li').first().waitFor();
    const { linesMs, storyMs } = (await page.evaluate(measure(longFile))) as Record<string, number>;
    // The first two rounds warm up both.
    if (round < 0) continue;
    bare.push(bareMs);
    ours.push(linesMs as number);
    stories.push(storyMs as number);
  }
  await close();
  const { lineCount } = (await (
    await fetch(`${url}/api/v1/code/lines?path=${file}`, { headers })
  ).json()) as {
    lineCount: number;
  };
  return { page: median(ours), story: median(stories), bare: median(bare), lines: lineCount };
}

/**
 * From the click to the first lines on the screen, which are coloured at once, and to the backstory beside them,
 * measured inside the page.
 */
const measure = (path: string): string => `new Promise((resolve) => {
  const started = performance.now();
  const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now() - started)));
  let linesMs;
  const watcher = new MutationObserver(() => {
    if (linesMs === undefined && document.querySelector('.line') !== null) {
      linesMs = 0;
      painted((ms) => { linesMs = ms; });
    }
    if (document.querySelector('.margin-link') === null) return;
    watcher.disconnect();
    painted((storyMs) => resolve({ linesMs, storyMs }));
  });
  watcher.observe(document.body, { subtree: true, childList: true });
  location.hash = ${JSON.stringify(`#/file/${path}`)};
})`;
