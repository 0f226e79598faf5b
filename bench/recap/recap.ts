import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventEnvelope, isAcceptedPlan } from '../../src/domain/event.ts';
import { recapMaxTokens, recapText } from '../../src/memory/prelude/prelude-file.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { replayProject } from '../first-prompt/replay.ts';

/** What a judge who read both sessions says of a recap: what it tells, and that nothing in it is wrong. */
const goals = { goal: 0.9, result: 0.9, open: 0.9, right: 0.98, worthKnowing: 0.85 };
type Judged = Partial<Record<keyof typeof goals, boolean>>;
const maxPoints = 20;

/**
 * What sessions of real projects are told of the last work, and of commands. The files and labels are described in
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
    'src/recall/observed-commands.ts',
    'src/text/session-account.ts',
    'src/text/session-end.ts',
    'src/text/command-runs.ts',
  ],
  async run({ data }) {
    if (data === undefined)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const projects = readdirSync(data).filter((name) => existsSync(join(data, name, 'transcripts')));
    const told: Awaited<ReturnType<typeof replay>> = [];
    const judged: Judged[] = [];
    for (const [at, name] of projects.entries()) {
      const own = await replay(name, join(data, name));
      told.push(...own);
      writeFileSync(join(data, name, 'recaps.jsonl'), own.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const labels = join(data, name, 'recap-judged.json');
      if (existsSync(labels)) judged.push(...(JSON.parse(readFileSync(labels, 'utf8')) as Judged[]));
      showProgress(at + 1, projects.length);
    }
    const share = (label: keyof typeof goals): number => {
      const labelled = judged.filter((one) => one[label] !== undefined);
      return round(labelled.filter((one) => one[label]).length / labelled.length);
    };
    const labelled = Object.entries(goals).map(([label, goal]) => [
      label,
      atLeast(share(label as keyof typeof goals), goal),
    ]);
    const commands = told.flatMap((one) => one.commands);
    return {
      n: told.length,
      figures: {
        projects: projects.length,
        points: told.length,
        judged: judged.length,
        commands: commands.length,
        differentCommands: new Set(commands.map((line) => line.slice(line.indexOf('`')))).size,
      },
      bars: {
        empty: atMost(told.filter(({ recap, long }) => recap === '' || long === '').length, 0),
        tokens: atMost(Math.max(0, ...told.map(({ tokens }) => tokens)), recapMaxTokens.short),
        ...(judged.length === 0 ? {} : Object.fromEntries(labelled)),
      },
    };
  },
};

/** At up to twenty points in time, evenly spread over the starts of sessions. */
async function replay(name: string, folder: string) {
  const isOpening = (event: EventEnvelope): boolean => event.origin === 'user' || isAcceptedPlan(event);
  const project = await replayProject(name, folder, undefined, isOpening);
  const starts = project.requests.slice(1);
  const points = Math.min(maxPoints, starts.length);
  const told = [];
  for (let point = 0; point < points; point++) {
    const { session, at, text, branch } = starts[
      Math.floor((point * starts.length) / points)
    ] as (typeof starts)[number];
    await project.importUntil(at);
    const { short = [], long = [] } = project.recap(branch) ?? {};
    const [recap, whole] = [short, long].map((lines) =>
      lines.length === 0 ? '' : recapText(lines.map(({ text }) => text)).join('\n'),
    ) as [string, string];
    const before = project.requests.filter((one) => one.at < at).map((one) => one.session);
    told.push({
      session,
      at: new Date(at).toISOString(),
      branch,
      recap,
      long: whole,
      tokens: estimateTokens(recap),
      commands: project.lines('Commands here'),
      next: text.slice(0, 500),
      // The evidence for a judge: the transcripts up to that time, of which these were begun.
      begun: before,
    });
  }
  return told;
}
