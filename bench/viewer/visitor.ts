import type { Browser, BrowserContext, Page } from 'playwright-core';

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
  const page = await context.newPage();
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
    close: () => context.close(),
  };
}

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
