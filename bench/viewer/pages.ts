import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { DataSet } from './data-set.ts';
import type { Landing } from './links.ts';
import type { Look, Visitor } from './visitor.ts';

/** Every page, and what must be visible when it is loaded. */
export interface Shown {
  name: string;
  to: string;
  ready: string;
}

export const pagesToShow = ({ fates, session, question, longFile }: DataSet): Shown[] => [
  { name: 'today', to: 'today', ready: '.told' },
  { name: 'timeline', to: 'timeline', ready: '.session' },
  { name: 'session', to: `session/${session}`, ready: '.turns' },
  { name: 'topics', to: 'topics', ready: '.topic' },
  { name: 'search', to: `search?q=${encodeURIComponent(question.text)}`, ready: '.hit' },
  { name: 'search-empty', to: 'search', ready: '.empty' },
  { name: 'note-changed', to: `note/${fates.changed}`, ready: '.note' },
  { name: 'note-moved', to: `note/${fates.moved}`, ready: '.note' },
  { name: 'note-gone', to: `note/${fates.gone}`, ready: '.note' },
  { name: 'files', to: 'file', ready: '.finder-list li' },
  { name: 'file', to: `file/${longFile}?line=40-60`, ready: '.line .t-keyword' },
  { name: 'review', to: 'review', ready: '.proposal' },
  { name: 'yesterday', to: 'search?q=what%20did%20we%20do%20yesterday', ready: '.digest .session' },
  { name: 'spend', to: 'spend', ready: '.plot' },
  { name: 'health', to: 'health', ready: '.checks' },
  { name: 'missing', to: 'nowhere', ready: '.empty' },
];

/** The pages of any home. Of sessions and files they show those that links lead to. */
export const everyHomePages = (hits: Landing[], lines: Landing[]): Shown[] => [
  { name: 'today', to: 'today', ready: '.today' },
  { name: 'timeline', to: 'timeline', ready: '.session' },
  { name: 'topics', to: 'topics', ready: '.topic, .empty' },
  { name: 'search', to: 'search?q=test', ready: '.hit' },
  { name: 'files', to: 'file', ready: '.finder-list li' },
  { name: 'review', to: 'review', ready: '.proposal, .empty' },
  { name: 'spend', to: 'spend', ready: '.plot, .empty' },
  { name: 'health', to: 'health', ready: '.checks' },
  ...[...hits.slice(0, 10), ...lines.slice(0, 5)].map(({ link, ready }, at) => ({
    name: `link-${at}`,
    to: link.slice(2),
    ready,
  })),
];

export async function show({ page, go }: Visitor, { to, ready }: Shown): Promise<void> {
  await go(to);
  try {
    await page.locator(ready).first().waitFor();
  } catch (cause) {
    const text = (await page.locator('main').textContent())?.slice(0, 300);
    throw new Error(`${to} does not show ${ready}. The page says: ${text}`, { cause });
  }
}

export async function takePicture(
  page: Page,
  folder: string,
  name: string,
  { theme, width }: Look,
): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

/** Accessibility violations, each with its location. */
export async function violationsIn(page: Page): Promise<string[]> {
  // Injected by the driver, because the page's content security policy correctly blocks scripts.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResult;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`));
}

/** Nothing may be wider than the page; on a phone the whole page would scroll sideways. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  ) as Promise<number>;
