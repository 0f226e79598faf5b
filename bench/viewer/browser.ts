import { execFileSync, spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { onEnd } from '../../test/harness/cleanup.ts';

/** Debian's Chromium. The driver downloads nothing. */
const names = ['chromium', 'chromium-browser', 'google-chrome'];

export const findChromium = (): string | undefined =>
  names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '');

export async function startBrowser(): Promise<Browser> {
  const path = process.env.BACKSTORY_CHROMIUM ?? findChromium() ?? install();
  const browser = await chromium.launch({
    executablePath: path,
    // A container has no sandbox and no graphics card, so the CPU draws WebGL.
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--force-prefers-reduced-motion',
    ],
  });
  onEnd(() => void browser.close());
  return browser;
}

/** Installs Chromium only as root on a machine with Debian's package manager. */
function install(): string {
  const apt = (...args: string[]) =>
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
  const path = findChromium();
  if (path === undefined) throw new Error('there is no Chromium: apt-get install chromium');
  return path;
}
