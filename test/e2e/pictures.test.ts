import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium } from '../../bench/viewer/browser.ts';
import { pictureFolder, recordingFile, screenshots } from '../../scripts/pictures/manifest.ts';
import { recordSessions } from '../../scripts/pictures/recording.ts';
import { openStage, type Stage } from '../../scripts/pictures/stage.ts';
import { terminalSvg, textOfSvg } from '../../scripts/pictures/terminal-svg.ts';
import { noClaude } from '../support/claude.ts';
import { plain } from '../support/typed-page.ts';

const noChromium = findChromium() === undefined ? 'Chromium is not installed' : undefined;
const lacking = noChromium ?? noClaude;
if (lacking !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(lacking);
const title = (what: string, reason: string | undefined): string =>
  reason === undefined ? what : `${what} (skipped: ${reason})`;

describe.skipIf(noChromium !== undefined)(title('The screenshots', noChromium), () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(inject('installedPackage'));
  }, 400_000);
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

describe.skipIf(noClaude !== undefined)(title('The recording', noClaude), () => {
  // Like the tutorial: the comparison with the code is bounded in time.
  it('[pictures] shows what the commands print; `npm run pictures` makes it anew', { retry: 1 }, async () => {
    const recorded = terminalSvg(await recordSessions(inject('installedPackage')), '');
    const onDisk = readFileSync(join(pictureFolder, recordingFile), 'utf8');
    if (plain(textOfSvg(recorded)) !== plain(textOfSvg(onDisk)))
      expect(textOfSvg(onDisk)).toBe(textOfSvg(recorded));
  });
});
