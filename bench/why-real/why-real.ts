import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WhyAnswer } from '../../src/why/why.ts';
import type { FileStory } from '../../src/wire/answers/file-page.ts';
import { atLeast, atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { startServing } from '../../test/harness/serving.ts';
import { git } from '../../test/support/sandbox.ts';
import { blameFile } from './blame-baseline.ts';

const kinds = ['edit', 'moved', 'none'] as const;

/** A line of a real repository, and the recorded edits that may have written it; none of kind `none`. */
interface Labelled {
  path: string;
  line: number;
  text: string;
  kind: (typeof kinds)[number];
  accept: { session: string; toolUseId: string; at: string }[];
  /** Too common to tell its writer by its text, such as a closing brace. */
  trivial: boolean;
}

type Session = NonNullable<WhyAnswer['origins'][number]['session']>;
type Answers = Map<number, Session | undefined>;
const turnOf = (session: Session | undefined): string =>
  session === undefined ? '' : `${session.agentSession} ${session.turn}`;

type Judgement = 'right' | 'wrong' | 'not known';

/** CLI calls per repository; each starts the program. */
const asked = { short: 10, full: 40 };

/**
 * Asks the page of a file, the API and `why FILE:LINE` who wrote lines of real repositories, after an import of the raw
 * transcripts of Claude Code into an empty home. Somebody else traced the lines to the recorded edits, without sight of
 * this code.
 */
export const whyReal: Evaluation = {
  name: 'why-real',
  summary: 'the page of a file, the API and `why` name the session that wrote a line, on raw transcripts',
  file: import.meta.filename,
  measures: [
    'src/why',
    'src/git',
    'src/drift',
    'src/memory/capture',
    'src/agents/claude-code',
    'src/store/sqlite/edits.ts',
  ],
  async run({ isShort, seed, data }) {
    if (data === undefined) return { n: 0, figures: { skipped: 'it needs --data DIR' }, bars: {} };
    const installed = installPackage();
    const random = createRandom(seed);
    const figures: Record<string, string> = {};
    const all: Judged[] = [];
    for (const name of readdirSync(data)) {
      const folder = resolve(data, name);
      if (!readdirSync(folder).includes('meta.json')) continue;
      const judged = await judge(folder, createHome(installed), random, isShort ? asked.short : asked.full);
      for (const [key, value] of Object.entries(tally(judged))) figures[`${name}, ${key}`] = value;
      all.push(...judged);
    }
    const proved = all.filter(({ line }) => line.kind !== 'none');
    const share = (lines: Judged[], is: (one: Judged) => boolean): number =>
      round((100 * lines.filter(is).length) / Math.max(1, lines.length));
    const moved = all.filter(({ line }) => line.kind === 'moved');
    const apart = all.filter(({ page, others }) => others.some((one) => one !== turnOf(page)));
    return {
      n: all.length,
      figures: {
        ...figures,
        ...tally(all),
        'lines asked by `why FILE:LINE`': all.filter(({ others }) => others.length > 1).length,
        ...Object.fromEntries(
          apart.slice(0, 5).map(({ line }, at) => [`disagreement ${at + 1}`, `${line.path}:${line.line}`]),
        ),
      },
      bars: {
        lines: atLeast(proved.length, 3_000),
        'right %': atLeast(
          share(proved, ({ ours }) => ours === 'right'),
          97,
        ),
        'wrong %': atMost(
          share(all, ({ ours }) => ours === 'wrong'),
          0.5,
        ),
        'moved, right % beyond git blame': atLeast(
          round(share(moved, ({ ours }) => ours === 'right') - share(moved, ({ git }) => git === 'right')),
          0,
        ),
        disagreements: exactly(apart.length, 0),
      },
    };
  },
};

interface Judged {
  line: Labelled;
  page: Session | undefined;
  ours: Judgement;
  /** Undefined if git was not asked. */
  git: Judgement | undefined;
  /** The turns that the API and, if it was asked, `why FILE:LINE` name. */
  others: string[];
}

async function judge(folder: string, home: Home, random: Random, calls: number): Promise<Judged[]> {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}${path}`, { headers: { ...headers, connection: 'close' } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const lines = readFileSync(join(folder, 'lines.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Labelled);
  importInto(home, folder, new Set(lines.map(({ path }) => path)));
  const { url, headers, child } = await startServing(home);
  const sample = new Set(random.shuffled(lines).slice(0, calls));
  const judged: Judged[] = [];
  for (const [path, own] of Map.groupBy(lines, (line) => line.path)) {
    const file = encodeURIComponent(path);
    const page = pageAnswers(await get<FileStory>(`/api/v1/viewer/file/story?path=${file}`));
    const api = whyAnswers(await get<WhyAnswer>(`/api/v1/why?target=${file}`));
    // Git takes seconds for each file.
    const blamed = own.some(({ kind }) => kind === 'moved') ? blameFile(home.repo, path) : undefined;
    for (const line of own) {
      const session = page.get(line.line);
      const cli = sample.has(line) ? [whyAnswers(home.json('why', `${path}:${line.line}`))] : [];
      const isNone = session === undefined && line.kind === 'none';
      const isAccepted = line.accept.some((one) => one.session === session?.agentSession);
      judged.push({
        line,
        page: session,
        ours: isAccepted || isNone ? 'right' : session === undefined ? 'not known' : 'wrong',
        git: blamed?.(line.line, line.accept),
        others: [api, ...cli].map((answers) => turnOf(answers.get(line.line))),
      });
    }
  }
  child.kill();
  return judged;
}

/** Checks out the labelled files at the commit of the labels, and imports the transcripts as if they had been made there. */
function importInto({ home, repo, cli }: Home, folder: string, paths: Set<string>): void {
  const { mirror, commit } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as Record<
    string,
    string
  >;
  rmSync(repo, { recursive: true });
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', String(mirror), repo], {
    stdio: 'ignore',
  });
  git(repo, 'update-ref', 'refs/heads/main', String(commit));
  git(repo, 'symbolic-ref', 'HEAD', 'refs/heads/main');
  git(repo, 'reset', '-q');
  git(repo, 'checkout', '-q', '--', ...paths);
  const to = join(home, '.claude/projects/real');
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(join(folder, 'transcripts'))) {
    const text = readFileSync(join(folder, 'transcripts', file), 'utf8');
    const folders = new Set([...text.matchAll(/"cwd":"((?:[^"\\]|\\.)+)"/g)].map(([, cwd]) => cwd as string));
    const roots = [...folders].filter((one) => ![...folders].some((each) => one.startsWith(`${each}/`)));
    writeFileSync(
      join(to, file),
      roots.reduce((made, root) => made.replaceAll(root, repo), text),
    );
    const end = Math.max(
      ...[...text.matchAll(/"timestamp":"([^"]+)"/g)].map(([, at]) => Date.parse(at as string)),
    );
    if (Number.isFinite(end)) utimesSync(join(to, file), end / 1000, end / 1000);
  }
  const { status, stderr } = cli('import', 'claude-code');
  if (status !== 0) throw new Error(stderr);
}

const pageAnswers = ({ blocks, origins }: FileStory): Answers =>
  new Map(
    blocks.flatMap(({ from, to, origin }) =>
      linesFrom(from, to).map((line) => [line, origins[origin]?.session as Session | undefined] as const),
    ),
  );

const whyAnswers = ({ origins }: WhyAnswer): Answers =>
  new Map(
    origins.flatMap(({ lines, session }) =>
      lines.flatMap(([from, to]) => linesFrom(from, to).map((line) => [line, session] as const)),
    ),
  );

const linesFrom = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Right, wrong and not known, by kind of line, ours and those of git blame. */
function tally(judged: Judged[]): Record<string, string> {
  const count = (lines: Judged[], by: 'ours' | 'git') =>
    (['right', 'wrong', 'not known'] as const)
      .map((one) => lines.filter((each) => each[by] === one).length)
      .join('/');
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const lines = judged.filter(({ line }) => line.kind === kind);
      const blamed = kind === 'none' ? '' : `; git blame ${count(lines, 'git')}`;
      const words = lines.filter(({ line }) => !line.trivial);
      return [[kind, `${count(lines, 'ours')} (not trivial ${count(words, 'ours')})${blamed}`]];
    }),
  );
}
