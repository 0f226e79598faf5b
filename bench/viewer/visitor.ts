import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { hangMs, until } from '../../test/support/until.ts';

/** A visitor of the viewer, and everything that goes wrong during the visit. */
export interface Visitor {
  page: Page;
  /** Clicks, key presses and typed texts since the last count. */
  interactions(): number;
  click(selector: string): Promise<void>;
  /** Presses keys one after another, such as `g s`. Each is one interaction. */
  press(keys: string): Promise<void>;
  type(text: string): Promise<void>;
  go(page: string): Promise<void>;
  /** Waits until the page requests nothing and moves nothing. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Errors that must never occur. */
export interface PageErrors {
  outside: string[];
  errors: string[];
  dialogs: number;
}

export const noPageErrors = (): PageErrors => ({ outside: [], errors: [], dialogs: 0 });

export interface Look {
  theme: 'light' | 'dark';
  width: number;
  height: number;
  /** Pixels of the screen per pixel of the page; 1 unless given. */
  scale?: number;
}

export const looks: Look[] = (['light', 'dark'] as const).flatMap((theme) => [
  { theme, width: 1440, height: 900 },
  { theme, width: 768, height: 1024 },
  { theme, width: 390, height: 844 },
]);

export async function visit(
  browser: Browser,
  loginUrl: string,
  look: Look,
  mishaps: PageErrors,
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    deviceScaleFactor: look.scale ?? 1,
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    hasTouch: look.width < 600,
    isMobile: look.width < 600,
    locale: 'en-GB',
  });
  context.setDefaultTimeout(hangMs);
  const page = await context.newPage();
  const settled = settling(page);
  watch(page, context, new URL(loginUrl).origin, mishaps);
  await page.goto(loginUrl);
  await page.locator('main').waitFor();
  const origin = new URL(page.url()).origin;
  let count = 0;
  return {
    page,
    interactions() {
      const counted = count;
      count = 0;
      return counted;
    },
    async click(selector) {
      count += 1;
      await page.locator(selector).first().click();
    },
    async press(keys) {
      for (const key of keys.split(' ')) {
        count += 1;
        await page.keyboard.press(key);
      }
    },
    async type(text) {
      count += 1;
      await page.keyboard.insertText(text);
    },
    async go(to) {
      await page.goto(`${origin}/#/${to}`);
    },
    settled,
    close: () => context.close(),
  };
}

/** Whether a request never ends. */
const isLiveFeed = (request: Request): boolean =>
  request.resourceType() === 'eventsource' || /\/events(?:\?|$)/.test(request.url());

/** Follows the requests of a page. What it returns waits until none is under way and nothing moves on the page. */
export function settling(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!isLiveFeed(request)) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    for (;;) {
      await until(() => pending.size === 0, 'a request of the page does not end');
      await page.evaluate(untilStill);
      if (pending.size === 0) return;
    }
  };
}

/** Frames rather than milliseconds, because a page on a busy machine draws fewer of them. */
const untilStill = `new Promise((resolve) => {
  let [before, frames] = ['', 0];
  const look = () => {
    const now = scrollY + ' ' + document.documentElement.scrollHeight + ' ' + document.querySelectorAll('*').length;
    frames = now === before ? frames + 1 : 0;
    before = now;
    if (frames === 12) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

function watch(page: Page, context: BrowserContext, origin: string, mishaps: PageErrors): void {
  const own = (url: string) => url.startsWith(origin) || url.startsWith('data:') || url.startsWith('blob:');
  context.on('request', (request) => {
    if (!own(request.url())) mishaps.outside.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') mishaps.errors.push(message.text());
  });
  page.on('pageerror', (error) => mishaps.errors.push(String(error)));
  page.on('dialog', (dialog) => {
    mishaps.dialogs += 1;
    void dialog.dismiss();
  });
}
