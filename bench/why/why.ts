import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd, temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { askWhy, type Claim, type Question, questionsFor } from './ask.ts';
import { createDonors, trackedSources } from './donors.ts';
import { checkOutHistories, checkOutOwnSources } from './repositories.ts';
import { createScript } from './scripted-history.ts';

const isSuitable = (text: string): boolean =>
  text.endsWith('\n') && !text.includes('\r') && text.length < 80_000 && text.split('\n').length > 40;

interface Judged {
  question: Question;
  ours: Claim;
}

/**
 * Checks whether `why` names the right agent session and commit. Scripted agents and people write into checkouts of
 * real histories through the real hook and git, so the origin of each line is known.
 */
export const whyEvaluation: Evaluation = {
  name: 'why',
  summary: '`why` names the right agent session and commit of a line',
  file: import.meta.filename,
  measures: [
    'src/why',
    'src/git',
    'src/drift/compare-lines.ts',
    'src/drift/line-mapping.ts',
    'src/drift/source-text.ts',
    'src/drift/trace-anchors.ts',
    'src/memory/capture/capture.ts',
    'src/memory/capture/commits.ts',
    'src/recall/evidence.ts',
    'src/store/sqlite/edits.ts',
    'src/text/align-lines.ts',
    'src/text/file-lines.ts',
    'src/text/line-index.ts',
    'src/agents/claude-code/hook.ts',
  ],
  async run({ isShort, seed, histories }) {
    const folder = temporaryFolder('why');
    const works = histories === undefined ? checkOutOwnSources(folder) : checkOutHistories(histories, folder);
    const [steps, perRepository] = isShort ? [40, 120] : [45, 80];
    const judged: Judged[] = [];
    const counts: Record<string, number> = {};
    for (const [at, work] of works.entries()) {
      const random = createRandom(seed * 100 + at);
      const memory = createMemoryHome();
      onEnd(memory.remove);
      memory.work = work;
      const donors = createDonors(
        works.filter((other) => other !== work),
        random,
      );
      const sources = trackedSources(work).filter((path) =>
        isSuitable(readFileSync(join(work, path), 'utf8')),
      );
      const script = createScript(memory, random.shuffled(sources).slice(0, 12), donors, random);
      for (let step = 0; step < steps; step++) {
        const name = script.step();
        counts[name] = (counts[name] ?? 0) + 1;
      }
      script.finish();
      const questions = questionsFor(script.shadow, perRepository, random);
      for (const question of questions) {
        if (script.shadow.onDisk(question.path)[question.line - 1] !== question.truth.text)
          throw new Error(`the script lost track of ${question.path}:${question.line}`);
        judged.push({ question, ours: await askWhy(memory, question) });
        showProgress(judged.length, works.length * perRepository);
      }
    }
    const ours = figuresOf(judged);
    return {
      n: judged.length,
      figures: {
        repositories: works.length,
        'lines by agents': ours.byAgents,
        'lines by nobody’s session': ours.byNone,
        ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [`step: ${name}`, count])),
        ...fatesOf(judged),
        ...examplesOf(judged),
      },
      bars: {
        // The short form asks about half as many lines, of the sources of this repository as they are now.
        'right session %': atLeast(ours.session, isShort ? 93 : 95),
        'right commit %': atLeast(ours.commit, isShort ? 97 : 99),
        'false session %': atMost(ours.falseSession, 1),
        questions: atLeast(judged.length, isShort ? 60 : 300),
        'kinds of steps': atLeast(Object.keys(counts).length, isShort ? 7 : 11),
      },
    };
  },
};

const percent = (part: number, whole: number): number => round((100 * part) / Math.max(1, whole));

function figuresOf(judged: Judged[]) {
  const scripted = judged.filter(({ question }) => question.truth.commit !== undefined);
  const agents = judged.filter(({ question }) => question.truth.writer !== undefined);
  const none = judged.filter(({ question }) => question.truth.writer === undefined);
  const hasSession = (each: Judged) => each.ours.session === each.question.truth.writer;
  return {
    byAgents: agents.length,
    byNone: none.length,
    session: percent(agents.filter(hasSession).length, agents.length),
    falseSession: percent(none.filter((each) => !hasSession(each)).length, none.length),
    commit: percent(
      scripted.filter((each) => each.ours.commit === each.question.truth.commit).length,
      scripted.length,
    ),
  };
}

function fatesOf(judged: Judged[]): Record<string, string> {
  const fates = new Map<string, { right: number; all: number }>();
  for (const { question, ours } of judged) {
    if (question.truth.writer === undefined) continue;
    const names = question.truth.fates.size === 0 ? ['plain'] : [...question.truth.fates];
    for (const name of names) {
      const sum = fates.get(name) ?? { right: 0, all: 0 };
      fates.set(name, {
        right: sum.right + (ours.session === question.truth.writer ? 1 : 0),
        all: sum.all + 1,
      });
    }
  }
  return Object.fromEntries(
    [...fates].map(([name, { right, all }]) => [`session, ${name}`, `${right}/${all}`]),
  );
}

/** Wrong answers, for debugging. */
function examplesOf(judged: Judged[]): Record<string, string> {
  const wrong = judged.filter(
    ({ question: { truth }, ours }) =>
      ours.session !== truth.writer || (truth.commit !== undefined && ours.commit !== truth.commit),
  );
  return Object.fromEntries(
    wrong.slice(0, 12).map(({ question: { path, line, truth }, ours }, at) => {
      const what = ours.session === truth.writer ? 'commit' : `session ${ours.session} for ${truth.writer}`;
      return [
        `wrong ${at + 1}`,
        `${path}:${line} ${what} [${[...truth.fates]}] ${truth.text.trim().slice(0, 50)}`,
      ];
    }),
  );
}
