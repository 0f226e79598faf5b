import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createHome } from '../../harness/home.ts';
import { logToIndex } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { type Damage, damages, silentDamages } from './damages.ts';
import { buildProject, type DamagedProject } from './project.ts';

/**
 * Damages the index in many ways. Recall must give the same answers afterwards, because the index can always be
 * rebuilt.
 */
export const indexDamage: Evaluation = {
  name: 'index-damage',
  summary: 'The index deleted, truncated or overwritten in 100 ways: `recall` gives the same answers.',
  file: import.meta.filename,
  measures: [
    ...logToIndex,
    'src/recall/recall.ts',
    'src/recall/gather.ts',
    'src/store/events/event-log.ts',
    'src/store/notes',
  ],
  async run({ isShort, seed }) {
    const n = isShort ? 20 : 100;
    const random = createRandom(seed);
    const project = await buildProject(createHome(installPackage()), createProse(random), random);
    const outcome = await inflict(project, damages, n, random);
    const silent = await inflict(project, silentDamages, Math.ceil(n / 5), random);
    return {
      n,
      figures: {
        events: project.events,
        notes: project.notes,
        questions: project.questions.length,
        damagesThatChangedBytes: outcome.inflicted,
        rebuilt: outcome.rebuilt,
        healedThroughTheCommand: outcome.throughCommand,
        wrongAnswers: outcome.wrong.length,
        wrongAfter: summarise(outcome.wrong),
        silentDamages: silent.inflicted,
        silentWrongAnswers: silent.wrong.length,
        silentWrongAfter: summarise(silent.wrong),
      },
      bars: {
        damagesThatChangedBytes: atLeast(outcome.inflicted, n),
        rebuilt: atLeast(outcome.rebuilt, 1),
        healedThroughTheCommand: atLeast(outcome.throughCommand, 1),
        wrongAnswers: exactly(outcome.wrong.length, 0),
      },
    };
  },
};

interface Outcome {
  inflicted: number;
  rebuilt: number;
  throughCommand: number;
  /** Names of damages after which an answer differed. */
  wrong: string[];
}

const commandEvery = 5;

async function inflict(
  project: DamagedProject,
  kinds: Damage[],
  n: number,
  random: Random,
): Promise<Outcome> {
  const mixed = random.shuffled(kinds);
  const outcome: Outcome = { inflicted: 0, rebuilt: 0, throughCommand: 0, wrong: [] };
  for (let at = 0; at < n; at++) {
    const damage = mixed[at % mixed.length] as Damage;
    const before = project.begin(damage.start ?? 'sealed');
    damage.inflict(before, random);
    outcome.inflicted += project.differsFrom(before) ? 1 : 0;
    const isThroughCommand = at % commandEvery === commandEvery - 1;
    const isRight = (!isThroughCommand || project.commandIsRight(random)) && (await project.isRight());
    if (isThroughCommand && isRight) outcome.throughCommand++;
    if (isRight && project.isRebuilt(before)) outcome.rebuilt++;
    if (!isRight) {
      outcome.wrong.push(damage.name);
      await project.reset();
    }
    showProgress(at + 1, n);
  }
  return outcome;
}

const summarise = (names: string[]): string => [...new Set(names)].sort().join('; ') || 'none';
