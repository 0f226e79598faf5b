import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { noPageErrors, type Visitor, visit } from '../../bench/viewer/visitor.ts';
import { createHome } from '../../test/harness/home.ts';
import { startServing } from '../../test/harness/serving.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { hangMs } from '../../test/support/until.ts';
import { createDemonstration, demonstrationTime } from './demonstration.ts';
import type { Screenshot, themes } from './manifest.ts';
import { importRepository, type RealRepository } from './real-repository.ts';

/** The demonstration in the viewer of an installed package. */
export interface Stage {
  /** Opens the page of a screenshot. Throws if something that it shows is not there. */
  open(screenshot: Screenshot, theme: (typeof themes)[number]): Promise<Visitor>;
  close(): Promise<void>;
}

/** Environment with which a Node program starts at a given time. */
export const timeOf = (iso: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'set-clock.ts')}`,
  BACKSTORY_PICTURE_TIME: iso,
});

/** Opens the demonstration, or a real repository. */
export async function openStage(installedPackage: string, real?: RealRepository): Promise<Stage> {
  const home = createHome({ folder: installedPackage, prefix: '', tarballBytes: 0 });
  if (real === undefined) await createDemonstration(home);
  const pictureTime = real === undefined ? demonstrationTime : importRepository(home, real);
  Object.assign(home.env, timeOf(new Date(pictureTime).toISOString()));
  // The clock of the server starts after this one. A code that seems to be made later than now is refused.
  const difference = pictureTime - 5_000 - Date.now();
  const server = await startServing(home, { now: () => Date.now() + difference });
  const fonts = useGuaranteedFonts();
  const browser = await openBrowser();
  return {
    open: (screenshot, theme) => openPage(browser, server.login(), { ...screenshot, theme, pictureTime }),
    async close() {
      await browser.close();
      server.child.kill();
      home.remove();
      fonts.remove();
    },
  };
}

async function openPage(
  browser: Browser,
  login: string,
  {
    name,
    route,
    width,
    height,
    pointAt,
    shows,
    timeoutMs = hangMs,
    theme,
    pictureTime,
  }: Screenshot & { theme: (typeof themes)[number]; pictureTime: number },
): Promise<Visitor> {
  const errors = noPageErrors();
  const visitor = await visit(browser, login, { theme, width, height, scale: 1 }, errors);
  const { page } = visitor;
  await page.clock.setFixedTime(pictureTime);
  await visitor.go(route);
  const element = ([selector, text]: [string, string]) =>
    page.locator(selector).filter({ hasText: text }).first();
  const missing = async (): Promise<string | undefined> => {
    // Parts that were drawn before have ages by the real clock.
    await page.reload();
    for (const each of pointAt === undefined ? shows : [pointAt, ...shows])
      try {
        await element(each).waitFor({ timeout: Math.min(timeoutMs, 15_000) });
        if (each === pointAt) await element(each).hover();
      } catch {
        return each.join(' with ');
      }
    return undefined;
  };
  const started = performance.now();
  let lacking = await missing();
  // On a busy machine, the comparison of notes with the code may not end in the time that a page has for it.
  while (lacking !== undefined && performance.now() - started < timeoutMs) lacking = await missing();
  if (lacking !== undefined)
    throw new Error(`The picture "${name}" shows ${lacking}, which #/${route} does not have.`);
  if (errors.errors.length + errors.outside.length > 0) throw new Error(JSON.stringify(errors));
  return visitor;
}

/** Makes Chromium use the fonts that are installed with it on Debian, whatever else this machine has. */
function useGuaranteedFonts(): { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-fonts-'));
  const replacement = (family: string) =>
    `<match><test name="family"><string>${family}</string></test><edit name="family" mode="assign" binding="strong"><string>Liberation Sans</string></edit></match>`;
  const lines = [
    '<?xml version="1.0"?>',
    '<fontconfig>',
    ...['ui-sans-serif', 'system-ui'].map(replacement),
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    '</fontconfig>',
  ];
  const before = process.env.FONTCONFIG_FILE;
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
  writeFileSync(process.env.FONTCONFIG_FILE, lines.join('\n'));
  return {
    remove() {
      if (before === undefined) delete process.env.FONTCONFIG_FILE;
      else process.env.FONTCONFIG_FILE = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
