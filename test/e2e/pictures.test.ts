import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium } from '../../bench/viewer/browser.ts';
import { screenshots } from '../../scripts/pictures/manifest.ts';
import { openStage, type Stage } from '../../scripts/pictures/stage.ts';

const noChromium = findChromium() === undefined ? 'Chromium is not installed' : undefined;
if (noChromium !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noChromium);
const title = noChromium === undefined ? 'The screenshots' : `The screenshots (skipped: ${noChromium})`;

describe.skipIf(noChromium !== undefined)(title, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('installedPackage'));
  });
  afterAll(() => stage?.close());

  it.each(screenshots)(
    '[pictures] show a page that exists, with everything on it: $name',
    async (screenshot) => {
      const { close } = await stage.open(screenshot, 'light');
      await close();
    },
  );

  it('are reported if their page is gone', async () => {
    const [first] = screenshots;
    if (first === undefined) throw new Error('there are no screenshots');
    const gone = { ...first, route: 'gone', pointAt: undefined, timeoutMs: 1_000 };
    await expect(stage.open(gone, 'light')).rejects.toThrow('which #/gone does not have');
  });
});
