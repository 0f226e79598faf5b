import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { replayProject } from './replay.ts';

/** What one session was told with its first prompt. */
interface ToldSession {
  session: string;
  prompt: string;
  tokens: number;
  lines: string[];
  /** What it was told at its start. */
  prelude: string[];
}

/** What a session needed of the past, by a reader who has not seen the code. */
interface SessionNeeds {
  session: string;
  needs: { id: string; text: string }[];
}

interface JudgedLine {
  session: string;
  text: string;
  label: 'needed' | 'useful' | 'junk';
  needs?: string[];
}

/**
 * What sessions of real projects are told with their first prompt. The files and labels are described in
 * docs/internals/evaluations.md.
 */
export const firstPrompt: Evaluation = {
  name: 'first-prompt',
  summary:
    'what real sessions are told with their first prompt: needed, useful or junk, by independent judges',
  file: import.meta.filename,
  measures: [
    'src/memory/prompt-context',
    'src/memory/prelude',
    'src/distil',
    'src/memory/notes',
    'src/cmd/hook-recall.ts',
  ],
  async run({ data, writer = 'none' }) {
    if (writer !== 'none' && writer !== 'model') throw new Error('give --writer none or model');
    const projects = data === undefined ? [] : projectsIn(data);
    if (data === undefined || projects.length === 0)
      return { n: 0, figures: { skipped: 'no projects; name their folder with --data DIR' }, bars: {} };
    const told: (ToldSession & { project: string })[] = [];
    for (const [at, project] of projects.entries()) {
      const folder = join(data, project);
      const own = await replay(project, folder, writer === 'model');
      // The data may be read-only; the answers are then only counted.
      if (!writeTold(join(folder, 'first-prompt-told.json'), own))
        process.stderr.write(`${folder} cannot be written\n`);
      told.push(...own.map((session) => ({ ...session, project })));
      showProgress(at + 1, projects.length);
    }
    return measure(data, projects, told);
  },
};

const projectsIn = (data: string): string[] =>
  readdirSync(data)
    .filter((name) =>
      ['transcripts', 'sessions.jsonl', 'sessions.jsonl.xz'].some((file) =>
        existsSync(join(data, name, file)),
      ),
    )
    .sort();

async function replay(name: string, folder: string, isModel: boolean): Promise<ToldSession[]> {
  const exchange = isModel ? join(folder, 'requests') : undefined;
  const project = await replayProject(name, folder, exchange);
  const told: ToldSession[] = [];
  for (const { session, at, text } of project.requests) {
    await project.importUntil(at);
    const { tokens, lines } = await project.ask(session, text);
    told.push({ session, prompt: text.slice(0, 300), tokens, lines, prelude: project.prelude() });
  }
  return told;
}

function writeTold(path: string, told: ToldSession[]): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(told, null, 2)}\n`);
    return true;
  } catch {
    return false;
  }
}

function measure(data: string, projects: string[], told: (ToldSession & { project: string })[]) {
  const needs = projects.flatMap((project) =>
    readLabels<SessionNeeds>(join(data, project, 'needs.json')).map((one) => ({ ...one, project })),
  );
  const judged = new Map(
    projects.flatMap((project) =>
      readLabels<JudgedLine>(join(data, project, 'first-prompt-judged.json')).map(
        (line) => [`${project} ${line.session} ${line.text}`, line] as const,
      ),
    ),
  );
  const lines = told.flatMap(({ project, session, lines: own }) =>
    own.map((text) => judged.get(`${project} ${session} ${text}`)),
  );
  const labelled = lines.filter((line) => line !== undefined);
  const asked = new Map(told.map((one) => [`${one.project} ${one.session}`, one]));
  const measured = needs.filter(({ project, session }) => asked.has(`${project} ${session}`));
  const covered = measured.map(({ project, session, needs: own }) => {
    const lineOf = (text: string) => judged.get(`${project} ${session} ${text}`);
    const told = asked.get(`${project} ${session}`);
    const tells = (lines: string[] = []) => {
      const ids = new Set(lines.flatMap((text) => lineOf(text)?.needs ?? []));
      return own.filter(({ id }) => ids.has(id));
    };
    const withPrompt = tells(told?.lines);
    return { withPrompt: withPrompt.length, all: new Set([...withPrompt, ...tells(told?.prelude)]).size };
  });
  const all = measured.reduce((sum, { needs: own }) => sum + own.length, 0);
  const needless = measured.filter(({ needs: own }) => own.length === 0);
  const silent = needless.filter(
    ({ project, session }) => asked.get(`${project} ${session}`)?.lines.length === 0,
  );
  const share = (part: number, whole: number): number => round(part / Math.max(1, whole));
  const junk = labelled.filter(({ label }) => label === 'junk').length;
  const tokens = Math.max(0, ...told.map((one) => one.tokens));
  return {
    n: told.length,
    figures: {
      projects: projects.length,
      sessions: told.length,
      'sessions told something': told.filter((one) => one.lines.length > 0).length,
      lines: lines.length,
      'lines without a label': lines.length - labelled.length,
      'sessions with labels': measured.length,
      needs: all,
      'needs told with the prompt': share(
        covered.reduce((sum, one) => sum + one.withPrompt, 0),
        all,
      ),
      'sessions without needs': needless.length,
      'useful lines': share(labelled.filter(({ label }) => label === 'useful').length, labelled.length),
      'needed lines': share(labelled.filter(({ label }) => label === 'needed').length, labelled.length),
    },
    bars: {
      tokens: atMost(tokens, 600),
      ...(measured.length === 0
        ? {}
        : {
            'needs told': atLeast(
              share(
                covered.reduce((sum, one) => sum + one.all, 0),
                all,
              ),
              0.7,
            ),
            'silent if nothing is needed': atLeast(share(silent.length, needless.length), 0.8),
          }),
      ...(labelled.length === 0 ? {} : { 'junk lines': atMost(share(junk, labelled.length), 0.15) }),
    },
  };
}

const readLabels = <Label>(path: string): Label[] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Label[]) : [];
