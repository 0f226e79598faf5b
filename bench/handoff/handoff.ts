import { installAgents } from '../../scripts/install-agents.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import {
  type Agent,
  claudeCode,
  codexAgent,
  handOver,
  installBoth,
  missingIn,
  prepareRepository,
} from '../../test/support/handoff-work.ts';
import { createSandbox } from '../../test/support/sandbox.ts';

const pairs: [Agent, Agent][] = [
  [claudeCode, codexAgent],
  [codexAgent, claudeCode],
];

/**
 * Runs the real agents offline. One reads five files, edits two and runs a test that fails. The work is handed over and
 * a file changes. The other calls `session_resume`, and its model must then receive all of this.
 */
export const handoff: Evaluation = {
  name: 'handoff',
  summary:
    'Real Claude Code and Codex hand work to each other: goal, failing test, edits, decision, stale file.',
  async run({ isShort }) {
    const fetched = installAgents(['claude-code-2.1.325', 'codex-0.166.0']);
    const { folder } = installPackage();
    const rounds = isShort ? 1 : 3;
    const figures: Record<string, number | string> = { fetched };
    let complete = 0;
    for (const [from, to] of pairs) {
      const missing: string[] = [];
      const started = performance.now();
      for (let round = 0; round < rounds; round++) {
        const sandbox = createSandbox(folder);
        onEnd(sandbox.remove);
        prepareRepository(sandbox);
        installBoth(sandbox);
        const { request } = await handOver(sandbox, from, to);
        const left = missingIn(request);
        missing.push(...left);
        if (left.length === 0) complete += 1;
      }
      figures[`${from.name} to ${to.name} ms`] = Math.round((performance.now() - started) / rounds);
      if (missing.length > 0) figures[`${from.name} to ${to.name} missing`] = missing.join(', ');
    }
    return {
      n: rounds * pairs.length,
      figures,
      bars: { handedOver: exactly(complete, rounds * pairs.length) },
    };
  },
};
