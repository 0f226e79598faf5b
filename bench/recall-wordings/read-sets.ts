import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Act } from '../sessions/script.ts';

/** Real sessions of a project and questions about them, in one form for both file formats of the data set. */
export interface RealSet {
  name: string;
  sessions: RealSession[];
  /** The folder of transcripts as Claude Code wrote them, instead of `sessions`. */
  transcripts?: string;
  questions: RealQuestion[];
}

export interface RealSession {
  id: string;
  messages: RealMessage[];
}

export interface RealMessage {
  /** Unique within the set. */
  id: string;
  at: number;
  act: Act;
}

export interface RealQuestion {
  text: string;
  /** Messages with the answer: their ids, or a pattern for their text. No id means that the history has no answer. */
  gold: readonly string[] | RegExp;
  /** The question in other words, by somebody who saw only the question. */
  wordings: string[];
  /** How it asks, such as `plain` or `oblique` (in other words than the history). */
  manner: string;
  /** Messages that say what held before; only in questions about something that changed. */
  overturned: readonly string[];
}

/**
 * Reads the projects of a folder: of its development half, if it is split into halves, or else all. Undefined if there
 * is no such folder.
 */
export function readRealSets(data: string): RealSet[] | undefined {
  const half = join(data, 'dev');
  const folder = existsSync(half) ? half : data;
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).sort();
  const ofActs = names.flatMap((name) => /^(.+)-questions\.json$/.exec(name)?.[1] ?? []);
  const ofLines = names.filter((name) => existsSync(join(folder, name, 'questions.json')));
  return [
    ...ofActs.map((name) => readActs(folder, name)),
    ...ofLines.map((name) => readLines(join(folder, name), name)),
  ].map((set) => withWordings(folder, set));
}

/** Adds the wordings of each question, by its number: `q01`, `q02` and so on. */
function withWordings(folder: string, set: RealSet): RealSet {
  const file = [`${set.name}-wordings.json`, join(set.name, 'wordings.json')]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  const known = file === undefined ? {} : readJson<Record<string, string[]>>(file);
  const questions = set.questions.map((question, at) => ({
    ...question,
    wordings: known[`q${String(at + 1).padStart(2, '0')}`] ?? [],
  }));
  return { ...set, questions };
}

const dayMs = 24 * 60 * 60 * 1000;
const stepMs = 20_000;
/** Date of day 0. These sets give the day of a session only as a number. */
const firstDay = Date.UTC(2026, 0, 12);

function readActs(folder: string, name: string): RealSet {
  const sessions = JSON.parse(unpack(join(folder, `${name}-sessions.json.xz`))) as {
    name: string;
    day: number;
    acts: Act[];
  }[];
  const questions = readJson<[text: string, answer: string, manner: string][]>(
    join(folder, `${name}-questions.json`),
  );
  return {
    name,
    sessions: sessions.map(({ name: id, day, acts }) => ({
      id,
      messages: acts.map((act, at) => ({
        id: `${id}-${at}`,
        at: firstDay + day * dayMs + at * stepMs,
        act,
      })),
    })),
    questions: questions.map(([text, answer, manner]) => ({
      text,
      gold: new RegExp(answer, 'is'),
      wordings: [],
      manner,
      overturned: [],
    })),
  };
}

interface Line {
  n: number;
  session: string;
  at: string;
  role: 'user' | 'assistant' | 'tool';
  text: string;
  tool?: 'edit' | 'read' | 'command' | 'other';
  path?: string;
  command?: string;
  ok?: boolean;
}

function readLines(folder: string, name: string): RealSet {
  const questions = readJson<
    { q: string; gold: (number | string)[]; manner: string; past?: (number | string)[] }[]
  >(join(folder, 'questions.json'));
  const transcripts = join(folder, 'transcripts');
  return {
    name,
    ...(existsSync(transcripts) ? { sessions: [], transcripts } : { sessions: readSessions(folder) }),
    questions: questions.map(({ q, gold, manner, past = [] }) => ({
      text: q,
      gold: gold.map(String),
      wordings: [],
      manner,
      overturned: past.map(String),
    })),
  };
}

/** Reads the sessions of a project: one message per line, packed or not. */
export function readSessions(folder: string): RealSession[] {
  const plain = join(folder, 'sessions.jsonl');
  const lines = (existsSync(plain) ? readFileSync(plain, 'utf8') : unpack(`${plain}.xz`))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return [...Map.groupBy(lines, ({ session }) => session)].map(([id, own]) => ({
    id,
    messages: own.map((line) => ({ id: String(line.n), at: Date.parse(line.at), act: actOf(line) })),
  }));
}

function actOf({ role, text, tool, path, command, ok }: Line): Act {
  if (role === 'user') return { kind: 'prompt', text };
  if (role === 'assistant') return { kind: 'answer', text };
  if ((tool === 'edit' || tool === 'read') && path !== undefined && ok !== false) return { kind: tool, path };
  if (tool === 'command' && command !== undefined) {
    const output = text.split('\n→ ').slice(1).join('\n→ ');
    return { kind: 'command', command, output, exit: ok === false ? 1 : 0 };
  }
  return { kind: 'tool', tool: tool ?? 'other', input: {}, output: text };
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** Unpacks an xz file with the system's program, because Node has no xz. */
const unpack = (path: string): string =>
  execFileSync('xz', ['-dc', path], { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
