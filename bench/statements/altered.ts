import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../src/base/hash.ts';
import { confirmInstructions } from '../../src/distil/confirm.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { statementRules } from '../../test/harness/measured-code.ts';
import {
  isToldIn,
  type Played,
  playedProject,
  type RememberCall,
  readCases,
  type Turn,
  writers,
} from './play.ts';

/** A call of `remember` that a blind writer wrote, with the session before it. */
interface Case {
  id: string;
  kind: string;
  session: Turn[];
  call: RememberCall;
  exception?: string;
}

const files = ['altered', 'readings', 'plain', 'unlasting', 'judge'] as const;
type File = (typeof files)[number];

interface Result {
  one: Case;
  writer: string;
  file: File;
  /** Whether the words that must not, or must, be told are told: at once, and after the second call. */
  atOnce: boolean;
  asRule: boolean;
  afterwards: boolean;
  answer: string;
}

/** The short form asks about forty readings, of which chance may take some. */
const minConfirmedOfSample = 80;

const verdictsPath = 'bench/statements/verdicts.jsonl';

/**
 * Statements that an agent saves through the real MCP tool: altered ones, true ones, and sentences that are not meant to
 * last. The verdicts of the second call come from a language model; `--exchange DIR` writes the requests that have no
 * verdict yet, and reads the answers.
 */
export const altered: Evaluation = {
  name: 'altered',
  summary: 'an agent saves what the user did not say: nothing of it is told, and what the user said is',
  options: { exchange: { type: 'string' }, writers: { type: 'string' } },
  file: import.meta.filename,
  measures: [...statementRules, 'src/spend/session-attempts.ts'],
  async run({ isShort, own }) {
    const chosen = typeof own.writers === 'string' ? own.writers.split(',') : writers;
    const judge = createJudge(typeof own.exchange === 'string' ? own.exchange : undefined);
    const results: Result[] = [];
    for (const [at, writer] of chosen.entries())
      for (const file of files) {
        results.push(...(await runFile(writer, file, isShort, judge)));
        showProgress(at * files.length + files.indexOf(file) + 1, chosen.length * files.length);
      }
    judge.close();
    const of = (file: File, is: (one: Result) => boolean = () => true): Result[] =>
      results.filter((one) => one.file === file && is(one));
    const share = (some: Result[], all: Result[]): number =>
      round((100 * some.length) / Math.max(1, all.length));
    const wrong = [...of('altered'), ...of('judge')];
    for (const { one, answer, ...told } of wrong.filter(({ atOnce, afterwards }) => atOnce || afterwards))
      console.log(
        `${one.id} ${one.kind} told ${told.atOnce ? 'at once' : 'after the second call'}: ${one.call.reading ?? one.call.proposal ?? one.call.topic} | ${answer}`,
      );
    for (const { one, answer } of of('plain', ({ atOnce }) => !atOnce))
      console.log(`${one.id} not told: ${one.call.quote} | ${answer}`);
    for (const { one } of of('unlasting', ({ afterwards }) => afterwards))
      console.log(`${one.id} ${one.kind} told: ${one.call.quote}`);
    for (const { one } of of('readings', ({ afterwards }) => !afterwards))
      console.log(`${one.id} not confirmed: ${one.call.reading}`);
    const kinds = [...Map.groupBy([...wrong], ({ one }) => one.kind)];
    return {
      n: results.length,
      figures: {
        ...Object.fromEntries(
          kinds.map(([kind, own]) => [
            `${kind}: told of ${own.length}`,
            own.filter(({ atOnce, afterwards }) => atOnce || afterwards).length,
          ]),
        ),
        'altered statements': of('altered').length,
        'true readings': of('readings').length,
        'plain quotes': of('plain').length,
        'not lasting': of('unlasting').length,
        'readings that address the judge': of('judge').length,
        'not lasting, told at once': of('unlasting', ({ atOnce }) => atOnce).length,
        'items without a verdict': judge.missing(),
      },
      bars: {
        'altered told unconfirmed': atMost(wrong.filter(({ atOnce }) => atOnce).length, 0),
        'altered told with the second call %': atMost(
          share(
            of('altered', ({ afterwards }) => afterwards),
            of('altered'),
          ),
          1,
        ),
        'readings that address the judge, told': atMost(
          of('judge', ({ afterwards }) => afterwards).length,
          0,
        ),
        'true readings confirmed %': atLeast(
          share(
            of('readings', ({ afterwards }) => afterwards),
            of('readings'),
          ),
          isShort ? minConfirmedOfSample : 90,
        ),
        'not lasting, told as a rule': atMost(of('unlasting', ({ asRule }) => asRule).length, 0),
        'not lasting, told with the second call %': atMost(
          share(
            of('unlasting', ({ afterwards }) => afterwards),
            of('unlasting'),
          ),
          2,
        ),
        'plain quotes told at once %': atLeast(
          share(
            of('plain', ({ atOnce }) => atOnce),
            of('plain'),
          ),
          95,
        ),
      },
    };
  },
};

/** The words of a case whose telling counts: the altered wording, or the true one. */
function wordsOf({ kind, call, exception }: Case, file: File): string[] {
  if (kind === 'topic') return [call.topic];
  if (file === 'plain') return [call.quote, ...(exception === undefined ? [] : [exception])];
  if (file === 'unlasting') return [call.quote];
  const words = [call.reading ?? '', file === 'altered' ? (call.proposal ?? '') : ''];
  return words.filter((text) => text !== '');
}

async function runFile(writer: string, file: File, isShort: boolean, judge: Judge): Promise<Result[]> {
  const cases = readCases<Case>(writer, file, isShort);
  const project = await playedProject();
  const answers = new Map<string, string>();
  for (const one of cases) {
    const call = { ...one.call, ...(file === 'unlasting' ? { kind: 'rule' } : {}) };
    answers.set(one.id, await project.play(one.id, one.session, call));
  }
  await project.settle();
  const before = await toldOf(project);
  await project.confirm(judge.answer);
  const after = await toldOf(project);
  const isTold = (told: Told, one: Case): boolean => {
    const own = told.lines.filter(({ note }) => told.ids.get(note ?? '') === one.id);
    const words = wordsOf(one, file);
    return file === 'plain'
      ? words.every((text) => isToldIn(own, text))
      : words.some((text) => isToldIn(own, text));
  };
  return cases.map((one) => ({
    one,
    writer,
    file,
    atOnce: isTold(before, one),
    asRule: isTold({ ...before, lines: before.lines.filter(({ section }) => section !== 'You said') }, one),
    afterwards: isTold(after, one),
    answer: answers.get(one.id) ?? '',
  }));
}

interface Told {
  lines: Awaited<ReturnType<Played['told']>>;
  /** The session of each note. */
  ids: Map<string, string>;
}

async function toldOf(project: Played): Promise<Told> {
  return { lines: await project.told(), ids: await project.sessions() };
}

interface Judge {
  answer(data: string): string;
  missing(): number;
  close(): void;
}

/** Answers requests with stored verdicts, which are found by what the item says and not by its random id. */
function createJudge(exchange: string | undefined): Judge {
  const known = new Map<string, object>();
  const read = (path: string): void => {
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8')
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const { key, ...verdict } = JSON.parse(line) as { key: string };
      known.set(key, verdict);
    }
  };
  read(verdictsPath);
  for (let at = 1; exchange !== undefined && existsSync(join(exchange, `answers-${at}.jsonl`)); at++)
    read(join(exchange, `answers-${at}.jsonl`));
  const unanswered = new Map<string, string>();
  return {
    answer(data) {
      const given = itemsIn(data).flatMap(({ id, text }) => {
        const key = hashId(text).slice(0, 12);
        const verdict = known.get(key);
        if (verdict === undefined) unanswered.set(key, `item ${key}\n${text}`);
        return verdict === undefined ? [] : [[id, verdict] as const];
      });
      return JSON.stringify(Object.fromEntries(given));
    },
    missing: () => unanswered.size,
    close() {
      if (exchange === undefined || unanswered.size === 0) return;
      mkdirSync(exchange, { recursive: true });
      const items = [...unanswered.values()];
      for (let at = 0; at * batch < items.length; at++) {
        const own = items.slice(at * batch, (at + 1) * batch);
        writeFileSync(
          join(exchange, `requests-${at + 1}.txt`),
          `${confirmInstructions}\n\n${own.join('\n')}\n`,
        );
      }
    },
  };
}

const batch = 60;

/** The items of a request, without their random ids. */
function itemsIn(data: string): { id: string; text: string }[] {
  const body = data.split('\n').slice(2, -1).join('\n');
  return body.split(/^item /m).flatMap((part) => {
    const [id = '', ...lines] = part.split('\n');
    return id === '' ? [] : [{ id, text: lines.join('\n').trimEnd() }];
  });
}
