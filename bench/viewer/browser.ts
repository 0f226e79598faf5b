import { execFileSync, spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { onEnd } from '../../test/harness/cleanup.ts';

/** Debian's own Chromium. Nothing is downloaded by the driver. */
const names = ['chromium', 'chromium-browser', 'google-chrome'];

const find = (): string | undefined =>
  names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find((path) => path !== '');

export async function startBrowser(): Promise<Browser> {
  const path = process.env.BACKSTORY_CHROMIUM ?? find() ?? install();
  const browser = await chromium.launch({
    executablePath: path,
    // In a container there is no sandbox to be had, and no graphics card: WebGL is drawn by the processor.
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

/** Only where nobody could mind: as root on a machine with Debian's package manager. */
function install(): string {
  const apt = (...args: string[]) =>
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
  const path = find();
  if (path === undefined) throw new Error('there is no Chromium: apt-get install chromium');
  return path;
}
