import { median } from '../../test/harness/evaluation.ts';
import type { Serving } from '../../test/harness/serving.ts';
import type { DataSet } from './data-set.ts';
import type { Visitor } from './visitor.ts';

/** Time from typing a question to its first hit, compared with the bare API request. */
export async function timeToFirstResult(
  { page, go, close }: Visitor,
  { url, headers }: Serving,
  { questions }: DataSet,
  rounds: number,
) {
  await go('search');
  const input = page.locator('main input[type=search]');
  await input.waitFor();
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round++) {
    const question = `${questions[Math.abs(round) % questions.length]} ${round + 2}`;
    const startedAt = performance.now();
    const response = await fetch(
      `${url}/api/v1/recall?${new URLSearchParams({ query: `${question} bare`, limit: '20' })}`,
      { headers },
    );
    await response.arrayBuffer();
    const bareMs = performance.now() - startedAt;
    const viewerMs = (await page.evaluate(measure(question))) as number;
    // The first two rounds warm up both.
    if (round < 0) continue;
    bare.push(bareMs);
    ours.push(viewerMs);
  }
  await close();
  return { viewer: median(ours), bare: median(bare) };
}

/** Measured inside the page, to exclude the driver's own latency. */
const measure = (question: string): string => `new Promise((resolve) => {
  const input = document.querySelector('main input[type=search]');
  const started = performance.now();
  const watcher = new MutationObserver(() => {
    const marked = document.querySelector('.hits')?.getAttribute('aria-label') === ${JSON.stringify(`Results for ${question}`)};
    if (!marked) return;
    watcher.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - started));
  });
  watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(question)});
  input.dispatchEvent(new Event('input', { bubbles: true }));
})`;
