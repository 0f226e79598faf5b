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
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round++) {
    const startedAt = performance.now();
    await read(`/api/v1/why?target=${file}`);
    await read(`/api/v1/code/lines?path=${file}&to=10000`);
    const bareMs = performance.now() - startedAt;
    await go('file');
    await page.locator('.finder-list li').first().waitFor();
    const pageMs = (await page.evaluate(measure(longFile))) as number;
    // The first two rounds warm up both.
    if (round < 0) continue;
    bare.push(bareMs);
    ours.push(pageMs);
  }
  await close();
  const { lineCount } = (await (
    await fetch(`${url}/api/v1/code/lines?path=${file}`, { headers })
  ).json()) as {
    lineCount: number;
  };
  return { page: median(ours), bare: median(bare), lines: lineCount };
}

/** From the click to the first lines on the screen, which are coloured at once, measured inside the page. */
const measure = (path: string): string => `new Promise((resolve) => {
  const started = performance.now();
  const watcher = new MutationObserver(() => {
    if (document.querySelector('.line') === null) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
  });
  watcher.observe(document.body, { subtree: true, childList: true });
  location.hash = ${JSON.stringify(`#/file/${path}`)};
})`;
