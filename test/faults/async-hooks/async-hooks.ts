import { atLeast, type Evaluation, exactly } from '../../harness/evaluation.ts';
import { createHome } from '../../harness/home.ts';
import { hookToLog } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom } from '../../harness/random.ts';
import { killAgents } from './kill-agents.ts';

/**
 * Agents do not wait for most hooks and end them when they exit. Kills agents together with their hooks right after an
 * event; then a drain (background indexing) reads the transcripts. Everything in them must be in the log exactly once.
 */
export const asyncHooks: Evaluation = {
  name: 'async-hooks',
  summary: 'Agents killed right after an event, with the hooks that they do not wait for: nothing lost.',
  file: import.meta.filename,
  measures: [
    ...hookToLog,
    'src/cmd/drain.ts',
    'src/memory/drain.ts',
    'src/memory/capture/event-writer.ts',
    'src/memory/capture/own-events.ts',
    'src/memory/capture/read-transcripts.ts',
    'src/agents/claude-code',
    'src/agents/transcripts.ts',
    'src/agents/transcript-messages.ts',
    'src/agents/provisional-ids.ts',
  ],
  async run({ isShort, seed }) {
    const installed = installPackage();
    const prose = createProse(createRandom(seed));
    const agents = isShort ? 60 : 1_000;
    const { killed, recorded, unrecorded, ...found } = await killAgents({
      home: createHome(installed),
      prose,
      seed,
      agents,
    });
    return {
      n: killed,
      figures: {
        agentsKilled: killed,
        hooksThatHadRecorded: recorded,
        hooksThatHadNot: unrecorded,
        ...found,
      },
      bars: {
        agentsKilled: exactly(killed, agents),
        // Without both kinds, nothing would be proven.
        hooksThatHadRecorded: atLeast(recorded, 1),
        hooksThatHadNot: atLeast(unrecorded, agents / 10),
        transcriptLost: exactly(found.transcriptLost, 0),
        transcriptDoubled: exactly(found.transcriptDoubled, 0),
        hookEventsLost: exactly(found.hookEventsLost, 0),
      },
    };
  },
};
