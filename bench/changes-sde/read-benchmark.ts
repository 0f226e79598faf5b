import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import type { RealSession } from '../recall-real/read-sets.ts';

/** A bug report, and the chats in which the rule was decided that a right fix needs. */
export interface Task {
  id: string;
  bugReport: string;
  /** One chat, or two if the second one amends the rule of the first. */
  chats: RealSession[];
}

interface Benchmark {
  /** Each rule was decided in one chat. */
  decided: Task[];
  /** Each rule was decided in one chat and amended in a later one. */
  amended: Task[];
  /** Chats that decide nothing. */
  decoys: RealSession[];
}

interface Message {
  role: 'user' | 'assistant';
  text: string;
}

/** Reads the chats of sde-bench from its archive; undefined if the folder has no archive. */
export function readBenchmark(data: string): Benchmark | undefined {
  const archive = existsSync(data) ? readdirSync(data).find((name) => archiveName.test(name)) : undefined;
  if (archive === undefined) return undefined;
  const folder = temporaryFolder('sde-bench');
  execFileSync('tar', ['-xJf', join(data, archive), '-C', folder]);
  const tasks = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name, 'tasks', 'main', 'task.json'))
    .filter((path) => existsSync(path))
    .map((path) => readJson<{ task_id: string; source: string; bug_report: string }>(path));
  return {
    decided: tasks
      .filter((task): task is typeof task & { conversations: Message[] } => task.source === 'conversation')
      .map((task, at) => toTask(task, [task.conversations], at * 5)),
    amended: tasks
      .filter(
        (task): task is typeof task & { conversations: Message[][] } =>
          task.source === 'conversation-amended',
      )
      .map((task, at) => toTask(task, task.conversations, at * 15)),
    decoys: readJson<{ id: string; turns: Message[] }[]>(join(folder, 'gen', 'decoy_conversations.json')).map(
      ({ id, turns }, day) => toSession(id, turns, day),
    ),
  };
}

const archiveName = /^sde-bench-.*\.tar\.xz$/;

const dayMs = 24 * 60 * 60 * 1000;
const messageIntervalMs = 20_000;
const firstDay = Date.UTC(2026, 0, 12);
/** The amending chats say that the rule is weeks or months old. */
const amendedAfterDays = 30;

/**
 * The benchmark gives no dates. There is one decoy a day, and the chats of the tasks are spread over the same months,
 * in the afternoon.
 */
const toTask = (
  { task_id: id, bug_report: bugReport }: { task_id: string; bug_report: string },
  chats: Message[][],
  day: number,
): Task => ({
  id,
  bugReport,
  chats: chats.map((chat, at) => toSession(`${id}-chat-${at}`, chat, day + at * amendedAfterDays + 0.5)),
});

const toSession = (id: string, messages: Message[], day: number): RealSession => ({
  id,
  messages: messages.map(({ role, text }, at) => ({
    id: `${id}-${at}`,
    at: firstDay + day * dayMs + at * messageIntervalMs,
    act: { kind: role === 'user' ? 'prompt' : 'answer', text },
  })),
});

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
