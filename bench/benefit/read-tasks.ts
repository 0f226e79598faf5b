import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import type { RealSession } from '../recall-real/read-sets.ts';

/** A task as its author wrote it: `task.json`, in the form of sde-bench. */
interface TaskFile {
  task_id: string;
  /** Where the decision is that a right fix needs, such as `conversation` or `history`. */
  source: string;
  bug_report: string;
  /** Program that creates the repository. Without it, the folder `repo` is copied. */
  build?: string;
  module?: string;
  fail_to_pass: string[];
  pass_to_pass: string[];
  hidden_to_pass: string[];
  regression_test_file: string;
  hidden_test_file: string;
  test_command?: string[];
  corrections?: string[];
  conversations?: Message[] | Message[][];
  decision_rationale?: string;
}

interface Message {
  role: 'user' | 'assistant';
  text: string;
}

export interface Task {
  id: string;
  source: string;
  /** The first prompt. */
  bugReport: string;
  /** The earlier chats that decide what a right fix needs. A later one may amend an earlier one. */
  chats: RealSession[];
  /** Text of the commit that decides it; empty if a chat does. */
  rationale: string;
  /** The folder with `build.py` or `repo`. */
  codebase: string;
  build: string | undefined;
  /** The file that a right fix changes, if the author names one. */
  module: string | undefined;
  /** Test files: their place in the repository, and the author's file to put there, if it is not part of the build. */
  checks: {
    visible: string[];
    hidden: string[];
    regressionFile: string;
    hiddenFile: string;
    command: string[];
  };
  /** What the user says to a wrong result, in order. */
  corrections: string[];
  /** The folder of `task.json`. */
  folder: string;
}

export interface TaskSet {
  folder: string;
  tasks: Task[];
  /** Chats of every task that decide nothing. */
  decoys: RealSession[];
}

/** Reads a folder of tasks, or of the archive of sde-bench. Undefined if the folder has no tasks. */
export function readTasks(given: string): TaskSet | undefined {
  const folder = existsSync(given) ? unpacked(resolve(given)) : undefined;
  if (folder === undefined) return undefined;
  const files = readdirSync(folder)
    .sort()
    .map((codebase) => join(folder, codebase, 'tasks', 'main', 'task.json'))
    .filter((path) => existsSync(path));
  if (files.length === 0) return undefined;
  const decoys = join(folder, 'gen', 'decoy_conversations.json');
  // Chats of one kind of task are spread over the months of the decoys.
  const counts = new Map<string, number>();
  return {
    folder,
    tasks: files.map((path) => {
      const file = readJson<TaskFile>(path);
      const at = counts.get(file.source) ?? 0;
      counts.set(file.source, at + 1);
      return toTask(file, dirname(path), at);
    }),
    decoys: existsSync(decoys)
      ? readJson<{ id: string; turns: Message[] }[]>(decoys).map(({ id, turns }, day) =>
          toSession(id, turns, day),
        )
      : [],
  };
}

const archiveName = /^sde-bench-.*\.tar\.xz$/;

function unpacked(given: string): string {
  const archive = readdirSync(given).find((name) => archiveName.test(name));
  if (archive === undefined) return given;
  const folder = temporaryFolder('sde-bench');
  execFileSync('tar', ['-xJf', join(given, archive), '-C', folder]);
  return folder;
}

function toTask(file: TaskFile, folder: string, at: number): Task {
  const id = file.task_id;
  const chats = chatsOf(file.conversations ?? []);
  const firstDay = at * (chats.length > 1 ? 15 : 5);
  return {
    id,
    source: file.source,
    bugReport: file.bug_report,
    chats: chats.map((chat, later) =>
      toSession(`${id}-chat-${later}`, chat, firstDay + later * amendedAfterDays + 0.5),
    ),
    rationale: file.decision_rationale ?? '',
    codebase: join(folder, '..', '..'),
    build: file.build,
    module: file.module,
    checks: {
      visible: [...file.fail_to_pass, ...file.pass_to_pass],
      hidden: file.hidden_to_pass,
      regressionFile: join(folder, file.regression_test_file),
      hiddenFile: join(folder, file.hidden_test_file),
      command: file.test_command ?? ['python3', '-m', 'pytest', '-q'],
    },
    corrections: file.corrections ?? [],
    folder,
  };
}

const chatsOf = (conversations: Message[] | Message[][]): Message[][] =>
  conversations.length === 0
    ? []
    : Array.isArray(conversations[0])
      ? (conversations as Message[][])
      : [conversations as Message[]];

const dayMs = 24 * 60 * 60 * 1000;
const messageIntervalMs = 20_000;
const firstDay = Date.UTC(2026, 0, 12);
/** The amending chats of sde-bench say that the rule is weeks or months old. */
const amendedAfterDays = 30;

/**
 * The benchmark gives no dates. There is one decoy a day, and the chats of the tasks are spread over the same months,
 * in the afternoon.
 */
const toSession = (id: string, messages: Message[], day: number): RealSession => ({
  id,
  messages: messages.map(({ role, text }, at) => ({
    id: `${id}-${at}`,
    at: firstDay + day * dayMs + at * messageIntervalMs,
    act: { kind: role === 'user' ? 'prompt' : 'answer', text },
  })),
});

export const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
