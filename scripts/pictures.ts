import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../bench/viewer/browser.ts';
import { cleanUp } from '../test/harness/cleanup.ts';
import { installPackage } from '../test/harness/package.ts';
import { noClaude } from '../test/support/claude.ts';
import { plain } from '../test/support/typed-page.ts';
import {
  maxPictureBytes,
  pictureFiles,
  pictureFolder,
  recordingFile,
  screenshotFile,
  screenshots,
  themes,
} from './pictures/manifest.ts';
import { recordSessions } from './pictures/recording.ts';
import { looksSame, smallPng } from './pictures/small-png.ts';
import { openStage } from './pictures/stage.ts';
import { terminalSvg, textOfSvg } from './pictures/terminal-svg.ts';

/**
 * Makes the pictures of the documentation from real runs of the built package: `npm run pictures`. A picture that looks
 * the same is not written again. With --if-changed, as in `npm run docs`, it does nothing if the viewer and the
 * demonstration are as they were when this machine last made the pictures.
 */
const pathOf = (name: string): string => join(pictureFolder, name);

/** The source of the pages that are shown, and of the demonstration. */
const sources = [
  'web/*.*',
  'web/{file,parts,style}/**/*.*',
  'web/pages/{file,today}.tsx',
  'scripts/pictures/*.ts',
  'scripts/pictures.ts',
];

function sourceHash(): string {
  const hash = createHash('sha256');
  for (const path of globSync(sources).sort()) hash.update(path).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

const stamp = join('node_modules/.cache/backstory-pictures', sourceHash());
const isComplete = pictureFiles.every((name) => existsSync(pathOf(name)));
const isUnchanged = process.argv.includes('--if-changed') && isComplete && existsSync(stamp);

function write(name: string, bytes: Buffer | string, isSame: (before: Buffer) => boolean): void {
  if (bytes.length > maxPictureBytes) throw new Error(`${name} has ${bytes.length} bytes`);
  if (existsSync(pathOf(name)) && isSame(readFileSync(pathOf(name)))) return;
  writeFileSync(pathOf(name), bytes);
  process.stdout.write(`${pathOf(name)}: ${bytes.length} bytes\n`);
}

async function makePictures(): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true });
  const { folder } = installPackage();
  if (noClaude === undefined) {
    const title =
      'A terminal. On Monday, Claude Code is told a decision. On Thursday, a new session knows the decision.';
    const svg = terminalSvg(await recordSessions(folder), title);
    const wordsOf = (text: string): string => plain(textOfSvg(text));
    write(recordingFile, svg, (before) => wordsOf(before.toString()) === wordsOf(svg));
  } else process.stdout.write(`No recording: ${noClaude}\n`);
  const stage = await openStage(folder);
  for (const screenshot of screenshots)
    for (const theme of themes) {
      const { page, close } = await stage.open(screenshot, theme);
      const clip = (await page.locator(screenshot.part ?? 'body').boundingBox()) ?? undefined;
      const png = smallPng(await page.screenshot(clip === undefined ? {} : { clip }));
      write(screenshotFile(screenshot, theme), png, (before) => looksSame(before, png));
      await close();
    }
  await stage.close();
}

if (isUnchanged) process.stdout.write('Pictures: up to date\n');
else if (findChromium() === undefined && process.env.BACKSTORY_CHROMIUM === undefined)
  process.stdout.write('Pictures: not made, because Chromium is not installed\n');
else {
  process.stdout.write('Pictures: making them anew, which takes a minute or more\n');
  try {
    await makePictures();
    mkdirSync(join(stamp, '..'), { recursive: true });
    writeFileSync(stamp, '');
  } finally {
    cleanUp();
  }
}
