import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventEnvelope, isAcceptedPlan } from '../../src/domain/event.ts';
import { recapText } from '../../src/memory/prelude/prelude-file.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { replayProject } from '../first-prompt/replay.ts';

/** What a judge who read both sessions says of a recap: what it tells, and that nothing in it is wrong. */
const goals = { goal: 0.9, result: 0.9, open: 0.9, right: 0.97 };
type Judged = Record<keyof typeof goals, boolean>;

/**
 * The recap that each session of real projects gets of the last work. The files and labels are described in
 * docs/internals/evaluations.md.
 */
export const recap: Evaluation = {
  name: 'recap',
  summary: 'what a session is told of the last work: goal, last result and open point, by independent judges',
  file: import.meta.filename,
  measures: [
    'src/memory/prelude',
    'src/memory/sessions',
    'src/distil',
    'src/text/session-account.ts',
    'src/text/session-end.ts',
  ],
  async run({ data }) {
    if (data === undefined)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const projects = readdirSync(data).filter((name) => existsSync(join(data, name, 'transcripts')));
    const sizes: number[] = [];
    const judged: Judged[] = [];
    for (const [at, name] of projects.entries()) {
      const told = await replay(name, join(data, name));
      sizes.push(...told.map(({ tokens }) => tokens));
      writeFileSync(join(data, name, 'recaps.jsonl'), told.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const labels = join(data, name, 'recap-judged.json');
      if (existsSync(labels)) judged.push(...(JSON.parse(readFileSync(labels, 'utf8')) as Judged[]));
      showProgress(at + 1, projects.length);
    }
    const share = (label: keyof typeof goals): number =>
      round(judged.filter((one) => one[label]).length / judged.length);
    const labelled = Object.entries(goals).map(([label, goal]) => [
      label,
      atLeast(share(label as keyof typeof goals), goal),
    ]);
    return {
      n: sizes.length,
      figures: { projects: projects.length, sessions: sizes.length, judged: judged.length },
      bars: {
        tokens: atMost(Math.max(0, ...sizes), 150),
        ...(judged.length === 0 ? {} : Object.fromEntries(labelled)),
      },
    };
  },
};

async function replay(name: string, folder: string) {
  const isOpening = (event: EventEnvelope): boolean => event.origin === 'user' || isAcceptedPlan(event);
  const project = await replayProject(name, relativeCopy(folder), undefined, isOpening);
  const told = [];
  for (const { session, at, text, branch } of project.requests) {
    await project.importUntil(at);
    const { short = [], long = [] } = project.recap(branch) ?? {};
    const recap = short.length === 0 ? '' : recapText(short).join('\n');
    const next = text.slice(0, 500);
    told.push({ session, recap, long: recapText(long).join('\n'), tokens: estimateTokens(recap), next });
  }
  return told;
}

/** The transcripts with paths relative to the checkout in which the agent started, because that is elsewhere now. */
function relativeCopy(folder: string): string {
  const copy = temporaryFolder('recap');
  mkdirSync(join(copy, 'transcripts'));
  for (const file of readdirSync(join(folder, 'transcripts'))) {
    const text = readFileSync(join(folder, 'transcripts', file), 'utf8');
    const root = /"cwd":"((?:[^"\\]|\\.)+)"/.exec(text)?.[1] ?? '';
    const moved = root === '' ? text : text.replaceAll(`${root}/`, '').replaceAll(root, '.');
    writeFileSync(join(copy, 'transcripts', file), moved);
  }
  return copy;
}
