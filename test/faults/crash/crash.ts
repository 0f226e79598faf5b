import { atLeast, type Evaluation, exactly } from '../../harness/evaluation.ts';
import { createHome } from '../../harness/home.ts';
import { hookToLog, logToIndex } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom } from '../../harness/random.ts';
import { killDrains } from './kill-drains.ts';
import { killHooks } from './kill-hooks.ts';

/**
 * Kills hooks and drains (background indexing) with `kill -9` at random moments. Acknowledged events must be stored
 * exactly once, and the index must equal that of an uninterrupted run.
 */
export const crash: Evaluation = {
  name: 'crash',
  summary: '`kill -9` during capture and indexing: no acknowledged event is lost or duplicated.',
  file: import.meta.filename,
  measures: [
    ...hookToLog,
    ...logToIndex,
    'src/memory/capture',
    'src/agents/claude-code',
    'src/agents/transcripts.ts',
  ],
  async run({ isShort, seed }) {
    const kills = isShort ? 50 : 500;
    const installed = installPackage();
    const prose = createProse(createRandom(seed));
    const capture = await killHooks({ home: createHome(installed), prose, seed, kills });
    const index = await killDrains({ home: createHome(installed), prose, seed, kills });
    const { acknowledged, lost, altered, duplicated, torn, unacknowledged } = capture.audit;
    return {
      n: capture.kills + index.kills,
      figures: {
        captureKills: capture.kills,
        killedBeforeAck: capture.beforeAck,
        killedAfterAck: capture.afterAck,
        endedBeforeTheKill: capture.tooLate,
        acknowledged,
        writtenNotAcknowledged: unacknowledged,
        tornLines: torn,
        tornLinesInjected: capture.injected,
        ...Object.fromEntries(Object.entries(index).filter(([name]) => name !== 'kills')),
        indexKills: index.kills,
      },
      bars: {
        captureKills: atLeast(capture.kills, kills),
        killedBeforeAck: atLeast(capture.beforeAck, 1),
        killedAfterAck: atLeast(capture.afterAck, 1),
        lost: exactly(lost, 0),
        altered: exactly(altered, 0),
        duplicated: exactly(duplicated, 0),
        notRecalledOnce: exactly(capture.notRecalledOnce, 0),
        indexKills: atLeast(index.kills, kills),
        killedAtWork: atLeast(index.killedAtWork, 1),
        killedWhileIngesting: atLeast(index.killedWhileIngesting, 1),
        indexEqualsRebuild: exactly(index.indexEqualsRebuild, 1),
        indexIsSound: exactly(index.indexIsSound, 1),
        transcriptLost: exactly(index.transcriptLost, 0),
        transcriptDoubled: exactly(index.transcriptDoubled, 0),
        hookEventsLost: exactly(index.hookEventsLost, 0),
      },
    };
  },
};
