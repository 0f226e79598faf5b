import type { Random } from '../../test/harness/random.ts';
import type { Serving } from '../../test/harness/serving.ts';
import type { Visitor } from './visitor.ts';

/** A link, and the element that must be on the screen after it was opened. */
export interface Landing {
  link: string;
  target: string;
  /** What arrives last and moves the target. */
  ready: string;
}

/** The links of the hits of questions, in the order of the search page. */
export async function hitsOf({ page, go }: Visitor, questions: string[], most: number): Promise<Landing[]> {
  const links = new Set<string>();
  for (const question of questions) {
    await go(`search?q=${encodeURIComponent(question)}`);
    await page.locator(`.hits[aria-label=${JSON.stringify(`Results for ${question}`)}]`).waitFor();
    for (const hit of await page.locator('.hit-text').all())
      links.add((await hit.getAttribute('href')) ?? '');
    if (links.size >= most) break;
  }
  return [...links].slice(0, most).map((link) => ({
    link,
    target: link.startsWith('#/session/') ? '[data-wanted]' : '.note',
    ready: link.startsWith('#/session/') ? '.turns' : '.note',
  }));
}

/** Links to lines of files that sessions changed. */
export async function linesOf(
  { url, headers }: Pick<Serving, 'url' | 'headers'>,
  random: Random,
  most: number,
): Promise<Landing[]> {
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers });
    return response.ok
      ? ((await response.json()) as { items: { files: string[] }[]; lineCount: number })
      : undefined;
  };
  const sessions = await ask('/api/v1/agent-sessions?limit=100');
  const files = random.shuffled([...new Set(sessions?.items.flatMap((session) => session.files))]);
  const found: Landing[] = [];
  for (let at = 0; found.length < most && files.length > 0 && at < most * 3; at++) {
    const path = files[at % files.length] as string;
    const lines = (await ask(`/api/v1/code/lines?path=${encodeURIComponent(path)}&to=1`))?.lineCount ?? 0;
    const line = random.whole(1, Math.max(1, lines));
    if (lines > 0)
      found.push({
        link: `#/file/${path.split('/').map(encodeURIComponent).join('/')}?line=${line}`,
        target: `.line[data-line="${line}"][data-target]`,
        ready: '.margin-link',
      });
  }
  return found;
}

/** Opens each link in a new step of the history, and lists those whose target is not on the screen at the end. */
export async function missedLandings({ page, go, settled }: Visitor, landings: Landing[]): Promise<string[]> {
  const missed: string[] = [];
  for (const { link, target, ready } of landings) {
    await go('nowhere');
    await go(link.slice(2));
    const arrived = page.locator(ready).first().waitFor({ state: 'attached' });
    const place = await arrived.then(
      async () => {
        await settled();
        return (await page.evaluate(placeOf(target))) as string;
      },
      () => 'was not shown',
    );
    if (place !== 'on screen') missed.push(`${page.viewportSize()?.width} ${link} ${place}`);
  }
  return missed;
}

/** A target is on the screen if its beginning can be pointed at, so it is not below a bar either. */
const placeOf = (target: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(target)});
  if (element === null) return 'not found';
  const { left, top, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + 20, top + Math.min(10, height / 2));
  return hit !== null && element.contains(hit) ? 'on screen' : 'at ' + Math.round(top);
})()`;
