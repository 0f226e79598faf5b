import {
  atLeast,
  type Evaluation,
  exactly,
  median,
  type Outcome,
  round,
  showProgress,
} from '../../harness/evaluation.ts';
import { createHome } from '../../harness/home.ts';
import { hookToLog, logToIndex } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom } from '../../harness/random.ts';
import { hangMs } from '../../support/until.ts';
import { fillAndWork, type StepOutcome } from './fill-and-work.ts';
import { prepareTemplate } from './template.ts';
import { whyNotMountable } from './tmpfs.ts';

const stepBytes = 512;

/** Fills the disk while the product runs. No acknowledged event may be lost, and no existing file may be damaged. */
export const diskFull: Evaluation = {
  name: 'disk-full',
  summary:
    'A tmpfs with 0 to 64 KB left: existing files are intact and no acknowledged event is lost (needs root).',
  file: import.meta.filename,
  measures: [
    ...hookToLog,
    ...logToIndex,
    'src/memory/capture/record-gap.ts',
    'src/memory/prelude/prelude-file.ts',
    'src/memory/rules/rule-table.ts',
    'src/memory/notes/remember.ts',
    'src/store/notes',
    'src/cli/remember.ts',
  ],
  async run({ isShort, seed, allowSkip }) {
    const why = whyNotMountable();
    if (why !== undefined) return skipped(why, allowSkip);
    const random = createRandom(seed);
    const home = createHome(installPackage());
    const prose = createProse(random);
    const template = await prepareTemplate(home, prose, random);
    const sizes = Array.from({ length: isShort ? 16 : 128 }, (_, at) => (isShort ? shortSize(at) : at));
    const outcomes: StepOutcome[] = [];
    for (const [step, size] of sizes.entries()) {
      const leftBytes = size * stepBytes;
      outcomes.push(await fillAndWork({ home, template, prose, random, leftBytes, step }));
      showProgress(step + 1, sizes.length);
    }
    const sum = (pick: (outcome: StepOutcome) => number): number =>
      outcomes.reduce((total, outcome) => total + pick(outcome), 0);
    const fullMs = outcomes.flatMap(({ fullHookMs }) => fullHookMs);
    const hookRatio = round(median(fullMs) / median(outcomes.map(({ roomyHookMs }) => roomyHookMs)));
    const figures = {
      acknowledged: sum(({ acknowledged }) => acknowledged),
      hooksRefused: sum(({ hooksRefused }) => hooksRefused),
      notesStored: sum(({ notesStored }) => notesStored),
      notesRefused: sum(({ notesRefused }) => notesRefused),
      drainsFailed: sum(({ drainsFailed }) => drainsFailed),
      tornLines: sum(({ torn }) => torn),
      recallsFailedWhileFull: sum(({ recallsFailedWhileFull }) => recallsFailedWhileFull),
      fullHookToRoomyHook: hookRatio,
      slowestHookMs: round(Math.max(...fullMs)),
      problems: [...new Set(outcomes.flatMap(({ problems }) => problems))].sort().join('; ') || 'none',
    };
    return {
      n: outcomes.length,
      figures,
      bars: {
        hooksRefused: atLeast(figures.hooksRefused, 1),
        lost: exactly(
          sum(({ lost }) => lost),
          0,
        ),
        gapsMissing: exactly(
          sum(({ gapsMissing }) => gapsMissing),
          0,
        ),
        oldFilesHarmed: exactly(
          sum(({ oldFilesHarmed }) => oldFilesHarmed),
          0,
        ),
        hookExits: exactly(
          sum(({ badExits }) => badExits),
          0,
        ),
        hangingHooks: exactly(fullMs.filter((ms) => ms >= hangMs).length, 0),
        notRecovered: exactly(
          sum(({ notRecovered }) => notRecovered),
          0,
        ),
        temporariesLeft: exactly(
          sum(({ temporariesLeft }) => temporariesLeft),
          0,
        ),
      },
    };
  },
};

/**
 * Chooses sixteen of the 128 free sizes for the short form, so that all positions within a page occur before one
 * repeats.
 */
const shortSize = (at: number): number => at * 8 + (at % 8);

function skipped(why: string, allowSkip: boolean): Outcome {
  return {
    n: 0,
    figures: { skipped: why },
    bars: allowSkip ? {} : { mounted: { goal: 'a tmpfs', value: why, ok: false } },
  };
}
