import { atLeast, atMost, type Evaluation, showProgress } from '../../test/harness/evaluation.ts';
import { inThousandths, mean } from '../retrieval/metrics.ts';
import { type Ask, importSet } from './import-set.ts';
import { type RealQuestion, type RealSet, readRealSets } from './read-sets.ts';

/** How a question is put: alone, with all its wordings, and with a wrong one instead of the last. */
type Way = 'plain' | 'wordings' | 'bad';

interface Answered {
  project: string;
  manner: string;
  /** Rank of the first hit with the answer, starting at 1; 0 if there is none among ten. */
  places: Record<Way, number>;
  match: Record<Way, string>;
  isAbsent: boolean;
  /** Whether a message that says what held before comes first. */
  isFormerFirst?: boolean;
}

/**
 * Real coding sessions that their authors published, with questions and wordings by people who had not read the code.
 * Figures are over all questions; those of each project follow, because projects differ more than rankings do.
 */
export const recallWordings: Evaluation = {
  name: 'recall-wordings',
  summary: 'recall on real coding sessions, with and without other wordings of each question',
  file: import.meta.filename,
  measures: ['src/recall', 'src/text', 'src/models', 'src/store/sqlite', 'assets'],
  async run({ data }) {
    const sets = data === undefined ? undefined : readRealSets(data);
    if (sets === undefined) {
      const skipped = 'no real sessions; name their folder with --data DIR';
      return { n: 0, figures: { skipped }, bars: {} };
    }
    const all: Answered[] = [];
    for (const [at, set] of sets.entries()) {
      showProgress(at, sets.length);
      all.push(...(await askSet(set)));
    }
    showProgress(sets.length, sets.length);
    const answered = all.filter(({ isAbsent }) => !isAbsent);
    const absent = all.filter(({ isAbsent }) => isAbsent);
    const oblique = answered.filter(({ manner }) => manner === 'oblique');
    const called = (some: Answered[], way: Way, wanted: (match: string) => boolean): number =>
      inThousandths(mean(some.map(({ match }) => Number(wanted(match[way])))));
    const isGood = (match: string) => match === 'good';
    const hits = (way: Way, k: number) => hitAt(answered, way, k);
    const table = (some: Answered[], way: Way) => [1, 3, 5, 10].map((k) => hitAt(some, way, k)).join(' / ');
    return {
      n: answered.length,
      figures: {
        ...Object.fromEntries(
          (['plain', 'wordings', 'bad'] as const).map((way) => [
            `hit@1/3/5/10, ${way}`,
            table(answered, way),
          ]),
        ),
        ...Object.fromEntries(
          [...Map.groupBy(answered, ({ project }) => project)].map(([project, own]) => [
            `${project} (${own.length})`,
            `${table(own, 'plain')}; with wordings ${table(own, 'wordings')}`,
          ]),
        ),
        ...Object.fromEntries(
          [...Map.groupBy(answered, ({ manner }) => manner)].map(([manner, own]) => [
            `${manner} @3 (${own.length})`,
            `${hitAt(own, 'plain', 3)}; with wordings ${hitAt(own, 'wordings', 3)}`,
          ]),
        ),
        'former state first': inThousandths(
          mean(answered.flatMap(({ isFormerFirst }) => isFormerFirst ?? []).map(Number)),
        ),
        'absent called good, plain': called(absent, 'plain', isGood),
        'answerable called weak, plain': called(answered, 'plain', (match) => !isGood(match)),
        absent: absent.length,
      },
      bars: {
        'hit@1': atLeast(hits('wordings', 1), 0.58),
        'hit@3': atLeast(hits('wordings', 3), 0.82),
        'hit@5': atLeast(hits('wordings', 5), 0.89),
        'hit@10': atLeast(hits('wordings', 10), 0.95),
        'oblique @3': atLeast(hitAt(oblique, 'wordings', 3), 0.7),
        'a bad wording costs @3': atMost(inThousandths(hits('wordings', 3) - hits('bad', 3)), 0.02),
        'absent called good': atMost(called(absent, 'wordings', isGood), 0.2),
        'answerable called weak': atMost(
          called(answered, 'wordings', (match) => !isGood(match)),
          0.1,
        ),
      },
    };
  },
};

/** The wrong wording is the first one of the question so many further. */
const badStep = 7;

async function askSet(set: RealSet): Promise<Answered[]> {
  const ask = await importSet(set);
  const answered: Answered[] = [];
  for (const [at, question] of set.questions.entries()) {
    const { wordings } = question;
    const other = set.questions[(at + badStep) % set.questions.length]?.wordings[0];
    const ways: [Way, string[]][] = [
      ['plain', []],
      ['wordings', wordings],
      ['bad', other === undefined ? wordings : [...wordings.slice(0, -1), other]],
    ];
    const asked = Object.fromEntries(
      await Promise.all(
        ways.map(async ([way, others]) => [way, await place(ask, question, others)] as const),
      ),
    ) as Record<Way, Awaited<ReturnType<typeof place>>>;
    const by = <T>(pick: (one: Awaited<ReturnType<typeof place>>) => T): Record<Way, T> => ({
      plain: pick(asked.plain),
      wordings: pick(asked.wordings),
      bad: pick(asked.bad),
    });
    answered.push({
      project: set.name,
      manner: question.manner,
      isAbsent: !(question.gold instanceof RegExp) && question.gold.length === 0,
      places: by((one) => one.place),
      match: by((one) => one.match),
      ...(question.overturned.length === 0 ? {} : { isFormerFirst: asked.wordings.isFormerFirst }),
    });
  }
  return answered;
}

async function place(ask: Ask, { text, gold, overturned }: RealQuestion, wordings: string[]) {
  const { found, match } = await ask(text, wordings);
  const at = (wanted: RealQuestion['gold']) => found.findIndex((holds) => holds(wanted)) + 1;
  const [now, before] = [at(gold), at(overturned)];
  return { place: now, match, isFormerFirst: before > 0 && (now === 0 || before < now) };
}

const hitAt = (answered: Answered[], way: Way, k: number): number =>
  inThousandths(mean(answered.map(({ places }) => Number(places[way] > 0 && places[way] <= k))));
