import { drain } from '../../../src/memory/drain.ts';
import { acceptDamage, recoverLog } from '../../../src/memory/recover-log.ts';
import { checkEvents, verify } from '../../../src/memory/verify.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { installPackage } from '../../harness/package.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { type Damage, damages } from './damages.ts';
import { buildMonths, type Months } from './project.ts';

/**
 * Damages the log in many ways. Each damage must be reported by status, doctor and verify, and events that the index
 * still has must be recovered so that recall gives the same answers.
 */
export const logDamage: Evaluation = {
  name: 'log-damage',
  summary: 'The event log damaged in 500 ways: every damage is reported, and indexed events are recovered.',
  file: import.meta.filename,
  measures: [
    'src/store/events',
    'src/store/sqlite/log-index.ts',
    'src/store/sqlite/open-index.ts',
    'src/store/index-fault.ts',
    'src/recall/catch-up.ts',
    'src/recall/replay-log.ts',
    'src/recall/with-index.ts',
    'src/memory/drain.ts',
    'src/memory/recover-log.ts',
    'src/memory/verify.ts',
    'src/memory/project-status.ts',
    'src/cli/doctor.ts',
    'src/cli/doctor-memory.ts',
    'src/cli/doctor-verify.ts',
    'src/cli/status.ts',
  ],
  async run({ isShort, seed }) {
    const n = isShort ? 24 : 500;
    const random = createRandom(seed);
    const installed = installPackage();
    const home = createHome(installed);
    const prose = createProse(random);
    const project = await buildMonths(home, prose, random, 60);
    // Run the same steps without damage first: the drain (background indexing) among them may create notes, which would
    // otherwise look like a difference.
    await recoverLog(project.parts);
    const before = await project.answers();
    const rounds: Round[] = [];
    for (let at = 0; at < n; at++) {
      const damage = damages[at % damages.length] as Damage;
      const isThroughCommand = at % (isShort ? 12 : 15) === 0;
      rounds.push(await oneRound({ project, home, damage, random, before, isThroughCommand }));
      showProgress(at + 1, n);
    }
    const names = (is: (round: Round) => boolean): string =>
      [...new Set(rounds.filter(is).map(({ name }) => name))].sort().join('; ') || 'none';
    const count = (is: (round: Round) => boolean): number => rounds.filter(is).length;
    const recovered = rounds.reduce((sum, round) => sum + round.recovered, 0);
    return {
      n,
      figures: {
        kindsOfDamage: damages.length,
        throughTheCommands: count(({ isThroughCommand }) => isThroughCommand),
        eventsRecovered: recovered,
        silentAfter: names(({ isSilent }) => isSilent),
        notGivenBackAfter: names(({ notGivenBack }) => notGivenBack > 0),
        otherAnswersAfter: names(({ hasOtherAnswers }) => hasOtherAnswers),
        notCleanAfterAcceptance: names(({ isCleanAtLast }) => !isCleanAtLast),
      },
      bars: {
        silent: exactly(
          count(({ isSilent }) => isSilent),
          0,
        ),
        eventsRecovered: atLeast(recovered, 1),
        notGivenBack: exactly(
          count(({ notGivenBack }) => notGivenBack > 0),
          0,
        ),
        otherAnswers: exactly(
          count(({ hasOtherAnswers }) => hasOtherAnswers),
          0,
        ),
        notClean: exactly(
          count(({ isCleanAtLast }) => !isCleanAtLast),
          0,
        ),
      },
    };
  },
};

interface Given {
  project: Months;
  home: Home;
  damage: Damage;
  random: Random;
  before: string[];
  isThroughCommand: boolean;
}

interface Round {
  name: string;
  isThroughCommand: boolean;
  isSilent: boolean;
  recovered: number;
  /**
   * Number of events that were in the index or the log before the damage and are missing from the log after recovery.
   */
  notGivenBack: number;
  hasOtherAnswers: boolean;
  isCleanAtLast: boolean;
}

async function oneRound(given: Given): Promise<Round> {
  const { project, damage, random, before, isThroughCommand } = given;
  project.reset();
  damage.inflict(project, random);
  const expected = new Set([...project.heldIds, ...project.readableIds()]);
  // Often a drain (background indexing) runs before anybody notices the damage. It must neither hide the damage nor
  // delete what can be recovered.
  if (random.chance(0.5)) await drain(project.parts);
  const isReported = (await reports(project)) && (!isThroughCommand || commandsReport(given));
  const recovered = await recoverLog(project.parts);
  const now = project.readableIds();
  const answers = await project.answers();
  await acceptDamage(project.parts);
  return {
    name: damage.name,
    isThroughCommand,
    isSilent: !isReported,
    recovered,
    notGivenBack: [...expected].filter((id) => !now.has(id)).length,
    // If the damage hit lines that were not indexed, they are lost, so other answers are expected.
    hasOtherAnswers: damage.hitsTail === undefined && answers.join('\n') !== before.join('\n'),
    isCleanAtLast: (await verify(project.parts)).ok,
  };
}

/** Whether `status`, `doctor` and `verify` each report the damage. */
async function reports(project: Months): Promise<boolean> {
  const status = (await project.status()).log.damage.length > 0;
  const doctor = checkEvents(project.parts).log.damage.length > 0;
  return status && doctor && !(await verify(project.parts)).ok;
}

function commandsReport({ home }: Given): boolean {
  const [status, doctor, verified] = ['status', 'doctor', 'doctor --verify'].map((line) =>
    home.cli(...line.split(' ')),
  );
  return (
    (status?.stdout.includes('damaged:') ?? false) &&
    doctor?.status === 1 &&
    doctor.stdout.includes('FAIL Event log') &&
    verified?.status === 1 &&
    verified.stdout.includes('FAIL Events')
  );
}
