import { median, round } from '../../test/harness/evaluation.ts';
import type { Visitor } from './visitor.ts';

/**
 * Opens the graph and measures the time until it is drawn, the time until the layout is finished, and the time per
 * frame while dragging and zooming.
 */
export async function useGraph({ page, go, close }: Visitor) {
  await go('timeline');
  await page.locator('.session').first().waitFor();
  const startedAt = performance.now();
  await go('graph');
  await page.locator('.graph-place[data-drawn]').waitFor({ timeout: 60_000 });
  const drawnMs = performance.now() - startedAt;
  await page.locator('.graph-place[data-settled]').waitFor({ timeout: 60_000 });
  const settledMs = performance.now() - startedAt;
  const label = (await page.locator('.graph-place').getAttribute('aria-label')) ?? '';
  const box = await page.locator('.graph-place').boundingBox();
  if (box === null) throw new Error('the graph is not there');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

  await page.evaluate(countFrames);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step++)
    await page.mouse.move(x + Math.sin(step / 6) * 200, y + Math.cos(step / 9) * 120);
  await page.mouse.up();
  const panning = (await page.evaluate('window.framesSeen()')) as number[];
  await page.evaluate(countFrames);
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, step < 10 ? -120 : 120);
  await page.waitForTimeout(300);
  const zooming = (await page.evaluate('window.framesSeen()')) as number[];
  const still = await stillFrames(page);
  await close();
  return {
    graphNodes: Number(/[\d,.\s]+/.exec(label)?.[0].replace(/\D/g, '') ?? 0),
    graphDrawnMs: Math.round(drawnMs),
    graphSettledMs: Math.round(settledMs),
    graphPanFrameMs: round(median(panning)),
    graphPanWorstMs: round(Math.max(...panning)),
    graphZoomFrameMs: round(median(zooming)),
    graphStillFrameMs: round(median(still)),
  };
}

/** Measures the frames of the graph page at rest: the minimum time per frame on this machine. */
async function stillFrames(page: Visitor['page']): Promise<number[]> {
  await page.evaluate(countFrames);
  await page.waitForTimeout(500);
  return (await page.evaluate('window.framesSeen()')) as number[];
}

const countFrames = `(() => {
  const times = [];
  let last;
  let isOver = false;
  const frame = (at) => {
    if (last !== undefined) times.push(at - last);
    last = at;
    if (!isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.framesSeen = () => {
    isOver = true;
    return times;
  };
})()`;
