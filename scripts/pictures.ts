import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../test/harness/cleanup.ts';
import { installPackage } from '../test/harness/package.ts';
import { ofRepository, pictureFolder, screenshotFile, screenshots, themes } from './pictures/manifest.ts';
import { openStage } from './pictures/stage.ts';

/**
 * Makes the pictures of the documentation from real runs of the built package: `npm run pictures`. The one of the
 * README needs data that is not here: `npm run pictures -- --checkout CLONE --transcripts FOLDER`.
 */
const { checkout, transcripts } = parseArgs({
  options: { checkout: { type: 'string' }, transcripts: { type: 'string' } },
}).values;
const real = checkout === undefined || transcripts === undefined ? undefined : { checkout, transcripts };
try {
  mkdirSync(pictureFolder, { recursive: true });
  const stage = await openStage(installPackage().folder, real);
  for (const screenshot of real === undefined ? screenshots : [ofRepository])
    for (const theme of themes) {
      const { page, close } = await stage.open(screenshot, theme);
      const path = join(pictureFolder, screenshotFile(screenshot, theme));
      // A clip, because a picture of an element scrolls the page.
      const clip = await page.locator(screenshot.part ?? 'html').boundingBox();
      await page.screenshot({ path, ...(screenshot.part === undefined || clip === null ? {} : { clip }) });
      process.stdout.write(`${path}\n`);
      await close();
    }
  await stage.close();
} finally {
  cleanUp();
}
