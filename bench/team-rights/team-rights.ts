import { type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { withTeamDatabase } from '../../test/harness/team/database.ts';
import { type LaptopFaults, tryLaptops } from './laptops.ts';
import { type RightsFaults, tryMatrix } from './matrix.ts';

const maxReported = 20;

/**
 * Who may write what in a team: every way to write with a token, with each credential of each role, aimed at memories of
 * others; and laptops whose user, whose agent and whose server disagree.
 */
export const teamRights: Evaluation = {
  name: 'team-rights',
  summary:
    'Every write of a team server by every role and credential on texts of others, and what laptops make of it.',
  file: import.meta.filename,
  measures: [
    'src/team',
    'sql',
    'src/remote',
    'src/api',
    'src/memory/team-cache.ts',
    'src/memory/prompt-context',
    'src/memory/notes/correct-note.ts',
    'src/memory/notes/remember.ts',
    'src/memory/notes/review.ts',
    'src/cmd/team-mcp.ts',
  ],
  async run({ isShort }) {
    const faults: RightsFaults & LaptopFaults = {
      'foreign edits': 0,
      'false names': 0,
      'edits by an owner without an audit entry': 0,
      'refusals that do not say what to do': 0,
      'own writes that were refused': 0,
      'writes of owners that were refused': 0,
      'own texts overwritten on a laptop': 0,
      'texts lost on a laptop': 0,
      'false names on a laptop': 0,
      'notes silenced by one person beyond five': 0,
      'disputes of people who left': 0,
    };
    let reported = 0;
    const report = (line: string): void => {
      if (++reported <= maxReported) process.stderr.write(`${line}\n`);
    };
    const { attempts, names } = await withTeamDatabase('rights', async (team) => {
      await tryLaptops(team, faults, report);
      return tryMatrix(team, { isShort, faults, report });
    });
    return {
      n: attempts,
      figures: { attempts, 'names shown': names },
      bars: Object.fromEntries(
        Object.entries(faults).map(([name, count]) => [name, exactly(count, 0)] as const),
      ),
    };
  },
};
