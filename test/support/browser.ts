import type { Browser } from 'playwright-core';
import { startBrowser } from '../../bench/viewer/browser.ts';
import { hangMs } from './until.ts';

/** Starts a browser in which nothing times out on a busy machine. */
export async function openBrowser(): Promise<Browser> {
  const browser = await startBrowser();
  browser.on('context', (context) => context.setDefaultTimeout(hangMs));
  return browser;
}
