import { join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import {
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { dialects } from './dialects.ts';
import { makeTemplate, playInterleaving, type Tally } from './simulated-session.ts';
import { tokenRatios } from './token-ratios.ts';

/**
 * Checks the answers of Memo, which tells an agent whether its view of a file is still current. Agents of all five
 * dialects (formats of hook calls) read, edit, compact, clear and resume in a real repository while others edit, rename
 * and check out. After most steps the answer of Memo is compared with an oracle that keeps the full texts.
 */
export const memo: Evaluation = {
  name: 'memo',
  summary: 'files that Memo reports as fresh match the disk, and few are reported as stale needlessly',
  file: import.meta.filename,
  measures: [
    'src/memo',
    'src/hooks/run-hook.ts',
    'src/agents/observe.ts',
    'src/agents/tool-observations.ts',
    'src/agents/dialects.ts',
    'src/agents/recognise.ts',
    'src/agents/plugin-call.ts',
    'src/agents/claude-code/hook.ts',
    'src/agents/codex/hook.ts',
    'src/agents/cursor/hook.ts',
    'src/memory/capture/capture.ts',
    'src/text/file-lines.ts',
    'src/text/tokens.ts',
    'src/base/checkout-file.ts',
  ],
  async run({ isShort, seed }) {
    const n = isShort ? 60 : 2_000;
    const tally: Tally = {
      asked: 0,
      fresh: 0,
      wronglyFresh: 0,
      trulyFresh: 0,
      needless: 0,
      ambiguous: 0,
      steps: {},
      examples: [],
    };
    const folder = temporaryFolder('memo');
    const templates = Array.from({ length: 12 }, (_, at) =>
      makeTemplate(join(folder, String(at)), createRandom(seed + at)),
    );
    for (let number = 0; number < n; number++) {
      // Each run has its own seed, so that it can be repeated alone.
      await playInterleaving(createRandom(seed * 100_000 + number), number, templates, tally);
      showProgress(number + 1, n);
    }
    const needlessPercent = round((100 * tally.needless) / Math.max(1, tally.trulyFresh));
    const ratios = tokenRatios();
    return {
      n,
      figures: {
        asked: tally.asked,
        'called fresh': tally.fresh,
        'truly fresh': tally.trulyFresh,
        'not told which session asks': tally.ambiguous,
        ...Object.fromEntries(Object.entries(tally.steps).map(([name, count]) => [`step: ${name}`, count])),
        ...ratios.figures,
        ...Object.fromEntries(tally.examples.map((example, at) => [`example ${at + 1}`, example])),
      },
      bars: {
        'wrongly fresh': exactly(tally.wronglyFresh, 0),
        'needless stale %': atMost(needlessPercent, 1),
        // A run in which nothing happened would prove nothing.
        'kinds of steps': atLeast(Object.keys(tally.steps).length, 15),
        'truly fresh per dialect': atLeast(
          Math.floor(tally.trulyFresh / Object.keys(dialects).length),
          n / 10,
        ),
        'token estimate, lowest ratio': atLeast(ratios.lowest, 0.85),
        'token estimate, highest ratio': atMost(ratios.highest, 1.6),
      },
    };
  },
};
