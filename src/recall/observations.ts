import { type Chunk, isChoice, planConcept } from '../domain/chunk.ts';
import { isDialog, isFromOutside, typistOf } from '../domain/event.ts';
import type { ObservationType } from '../domain/observation.ts';
import type { EventRow } from '../store/store.ts';
import { commandRuns } from '../text/command-runs.ts';
import { harmlessLine } from '../text/fence.ts';
import { editedNames } from '../text/safe-name.ts';
import { modelTurns } from '../text/session-account.ts';
import { requestTitle, runsOf, says, wordsOf } from '../text/session-title.ts';
import { type CommandRun, lastTestResults, type TestResult, testResults } from '../text/test-result.ts';
import type { Observation } from '../wire/answers/memory.ts';
import type { Evidence } from './evidence.ts';
import { summaryNoteId } from './extracted-note-id.ts';

const maxTitleLength = 160;
const maxFiles = 20;
const maxNamedFiles = 3;
const maxAreas = 2;
const maxTests = 3;

/** An observation as a chunk that can be a hit, and the ids of the events of its turn. */
export interface ObservedTurn {
  observation: Observation;
  chunk: Chunk;
  events: string[];
}

const settled: Chunk['kind'][] = ['decision', 'rule'];

/** A plan changes nothing yet. */
const isPlan = /\.claude\/plans\//;

type Step = EventRow & { chunks: Chunk[] };

/** The observations of an agent session, oldest first. A turn without an answer or an edit has none. */
export async function observationsOf(evidence: Evidence, agentSession: string): Promise<ObservedTurn[]> {
  const { rows, chunks, reads } = await evidence.ofSession(agentSession);
  const statements = await evidence.statements();
  const chunksOf = Map.groupBy(chunks, ({ sourceId }) => sourceId);
  const turns = turnsOf(rows.map((row) => ({ ...row, chunks: chunksOf.get(row.id) ?? [] })));
  const account = await accountOf(evidence, agentSession);
  const failing = new Set<string>();
  let uncommitted: string[] = [];
  const observed: ObservedTurn[] = [];
  for (const steps of turns) {
    const [first] = steps as [Step];
    const [only, other] = first.chunks;
    const prompt = (other === undefined ? only : (await evidence.chunksOf(first.id))[0]) as Chunk;
    const events = steps.map(({ id }) => id);
    const kept = events
      .flatMap((id) => statements.get(id) ?? [])
      .map(({ note }) => note)
      .filter(({ kind, concepts }) => settled.includes(kind) && !concepts.includes('candidate'));
    const runs = steps.flatMap(runsIn);
    const tests = lastTestResults(runs).slice(-maxTests);
    const commits = runs.flatMap(commitsOf);
    const edited = unique(
      steps.flatMap((step) =>
        step.kind === 'edit' ? (step.chunks[0]?.paths ?? []).filter((path) => !isPlan.test(path)) : [],
      ),
    );
    uncommitted.push(...edited);
    const read = events.flatMap((id) => reads.get(id) ?? []);
    const isChange = edited.length > 0 || runs.some(isCommit);
    const files = unique(edited.length > 0 ? edited : commits.length > 0 ? uncommitted : read);
    if (commits.length > 0) uncommitted = [];
    const isCured = cures(steps, failing);
    const isAnswered = steps.some(({ kind }) => kind === 'answer');
    const isChosen = steps.some(({ chunks: own }) => own.some(isChoice));
    if (!isChange && kept.length === 0 && !isChosen && !isAnswered) continue;
    const declared = isCured ? undefined : declaredType(commits);
    const changed = isCured ? 'fix' : (declared ?? 'change');
    const proven = isChange ? changed : kept.length > 0 || isChosen ? 'decision' : 'discovery';
    const told = account.get(prompt.sourceId);
    const type = told?.type ?? proven;
    const verb = edited.length > 0 ? 'edited' : isChange ? 'committed' : 'read';
    const names = editedNames(files.map(shortPath), maxNamedFiles, prompt.text);
    const done = [...(names === '' ? [] : [`${verb} ${names}`]), ...tests.map(testLine)].join('; ');
    const own = titleOf(prompt, edited, commits, done);
    const observation: Observation = {
      turn: prompt.sourceId,
      session: agentSession,
      at: prompt.at,
      type,
      ...(told === undefined ? own : { title: told.title, titleBy: 'agent' }),
      files: files.slice(0, maxFiles),
      concepts: unique([
        ...conceptsOf[type],
        ...kept.flatMap(({ topic }) => topic ?? []),
        ...areasOf(files).slice(0, maxAreas),
      ]),
      done,
      ended: tests.at(-1)?.result === 'failed' ? 'failing' : isAnswered ? 'finished' : 'stopped',
      ...(told !== undefined
        ? { account: 'agent' as const }
        : isChange && declared !== undefined
          ? { account: 'commit' as const }
          : {}),
    };
    observed.push({ observation, chunk: chunkOf(observation, prompt), events });
  }
  return observed;
}

/** What a model that the user chose says of the turns. A line that is cut at the end of a slice is whole in the next. */
async function accountOf(evidence: Evidence, agentSession: string): Promise<ReturnType<typeof modelTurns>> {
  const all = (await evidence.chunksOf(summaryNoteId(agentSession))).flatMap(({ text }) => [
    ...modelTurns(text),
  ]);
  return new Map(all.sort(([, a], [, b]) => a.title.length - b.title.length));
}

/** "Commit it" says less than the message of the commit. */
function titleOf(
  prompt: Chunk,
  edited: string[],
  commits: string[],
  done: string,
): Pick<Observation, 'title' | 'titleBy'> {
  const request = {
    text: prompt.text,
    typist: typistOf(prompt),
    isPlan: prompt.concepts.includes(planConcept),
  };
  const asked = requestTitle(request);
  const isClear = says(wordsOf(request));
  if (commits.length > 0 && (edited.length === 0 || !isClear))
    return { title: harmlessLine(commits.join('; '), maxTitleLength), titleBy: 'agent' };
  if (isClear) return asked;
  const title = harmlessLine([asked.title, done].filter((part) => part !== '').join('; '), maxTitleLength);
  return { title, titleBy: 'record' };
}

/** Opening its id opens the prompt. */
const chunkOf = ({ type, title, titleBy, done, files, concepts }: Observation, prompt: Chunk): Chunk => ({
  ...prompt,
  kind: type,
  trust: titleBy === 'agent' ? 1 : prompt.trust,
  paths: files,
  concepts,
  text: title.endsWith(done) ? title : `${title}\n${done}`,
});

const unique = (texts: string[]): string[] => [...new Set(texts)];

/**
 * Splits a session at the prompts of its user, because old transcripts have no ids of turns. What is typed or answered
 * while the agent works belongs to its turn, and so do the prompts of an agent to its subagents.
 */
function turnsOf(steps: Step[]): Step[][] {
  const turns: Step[][] = [];
  for (const step of steps) {
    const [prompt] = step.kind === 'prompt' ? step.chunks : [];
    const isSameTurn = step.turn !== '' && turns.at(-1)?.[0]?.turn === step.turn;
    const isOfUser = isFromOutside(prompt?.origin) || prompt?.concepts.includes(planConcept) === true;
    if (prompt !== undefined && isOfUser && !isDialog(prompt) && !isSameTurn) turns.push([step]);
    else turns.at(-1)?.push(step);
  }
  return turns;
}

/** The slices of an event have no order. The first begins with the command. */
const runsIn = ({ kind, chunks }: Step): CommandRun[] =>
  kind !== 'command'
    ? []
    : runsOf(
        chunks
          .map(({ sourceId, text, at }) => ({ event: sourceId, text, at }))
          .sort((a, b) => Number(isStart.test(b.text)) - Number(isStart.test(a.text))),
      );
const isStart = /^(?:failed.*\n)?\$ /;

/**
 * Whether a test or check that failed before the first edit of the turn passed after it. A failure that follows an edit
 * is part of making something. `failing` has what failed in earlier turns and has not passed since.
 */
function cures(steps: Step[], failing: Set<string>): boolean {
  const before = new Set(failing);
  let isEdited = false;
  let isCured = false;
  for (const step of steps) {
    if (step.kind === 'edit') isEdited = true;
    for (const { command, result } of runsIn(step).flatMap(testResults)) {
      if (result === 'failed') {
        failing.add(command);
        if (!isEdited) before.add(command);
        continue;
      }
      if (isEdited && before.has(command)) isCured = true;
      before.delete(command);
      failing.delete(command);
    }
  }
  return isCured;
}

/** Another program may run git, as in `rtk git commit`. */
const git = String.raw`(?:^|[;&(])[ \t]*(?:[\w./-]+ )?git (?:-C \S+ )?`;
const committing = new RegExp(`${git}commit\\b`, 'm');

/** What other commands change is an edit of the turn. */
const isCommit = ({ command, output, ok }: CommandRun): boolean =>
  ok && committing.test(`${command}\n${output}`);

/** The first lines of the messages of the commits that a command made, from what git printed or from its arguments. */
function commitsOf(run: CommandRun): string[] {
  const { command, output } = run;
  // What is amended had its message before.
  if (!isCommit(run) || /--amend\b/.test(command)) return [];
  const text = `${command}\n${output}`;
  const printed = [...text.matchAll(/^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.+)$/gm)];
  const given = [...text.matchAll(/ -\w*m (?:"\$\(cat <<.*\n\s*|["'])([^"'\n]+)/g)].slice(0, 1);
  return (printed.length > 0 ? printed : given).map(([, subject = '']) => subject.trim());
}

const commitTypes: Record<string, ObservationType> = { fix: 'fix', feat: 'feature', refactor: 'refactor' };

function declaredType(subjects: string[]): ObservationType | undefined {
  const types = subjects.map((subject) => commitTypes[/^(\w+)(?:\([^)]*\))?!?: /.exec(subject)?.[1] ?? '']);
  return new Set(types).size === 1 ? types[0] : undefined;
}

const whatChanged = ['what-changed'];
const conceptsOf: Record<ObservationType, string[]> = {
  fix: ['problem-solution', ...whatChanged],
  feature: whatChanged,
  refactor: whatChanged,
  change: whatChanged,
  discovery: ['how-it-works'],
  decision: ['why-it-exists'],
};

function areasOf(files: string[]): string[] {
  const folders = files.flatMap((file) => file.split('/').at(-2) || []);
  const byName = [...Map.groupBy(folders, (folder) => folder)];
  return byName.sort(([, a], [, b]) => b.length - a.length).map(([name]) => name);
}

/** Arguments can be prose. */
const testLine = ({ command, result }: TestResult): string => {
  const [run] = commandRuns(command, undefined);
  return `${run === undefined ? 'a check' : `\`${run.command}\``} ${result}`;
};

/** Outside of the checkout the name alone is shown. */
const shortPath = (path: string): string =>
  /^(?:\/|~|\w:)/.test(path) ? (path.split(/[\\/]/).at(-1) ?? path) : path;
