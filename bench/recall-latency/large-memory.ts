import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hashId } from '../../src/base/hash.ts';
import { sha256 } from '../../src/base/ids.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { recall } from '../../src/recall/recall.ts';
import { type RecallParts, thoroughLimits } from '../../src/recall/with-index.ts';
import { showProgress } from '../../test/harness/evaluation.ts';
import { openProject } from '../../test/harness/home.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { createZipfText, type ZipfText } from './zipf-text.ts';

/**
 * Version of the generated text. Increase it when the text changes, so that cached data of an older version is not
 * used.
 */
const revision = 2;
const cache = join(homedir(), '.cache', 'backstory-eval', `latency-r${revision}`);

export interface LargeMemory {
  folder: string;
  parts: RecallParts;
}

/**
 * Returns a project with this many chunks (indexed pieces of memory). Its log is generated once and cached. The product
 * indexes it: the first question updates the index, and rebuilds it for another schema version.
 */
export async function largeMemory(chunks: number): Promise<LargeMemory> {
  const folder = join(cache, String(chunks), sha256(`latency ${chunks}`).slice(0, 32));
  const done = join(cache, String(chunks), 'written');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    writeMemory(folder, chunks);
    writeFileSync(done, '');
  }
  const parts = openProject(folder);
  await recall(parts, { text: 'index' }, thoroughLimits);
  parts.access.eraseOthers();
  return { folder, parts };
}

const batch = 5_000;

/** Each event is short enough for one chunk, so that events and chunks have the same number. */
export function writeMemory(folder: string, chunks: number, text = createZipfText()): void {
  mkdirSync(folder, { recursive: true });
  const { log, project } = openProject(folder);
  const random = createRandom(chunks);
  for (let from = 0; from < chunks; from += batch) {
    const count = Math.min(batch, chunks - from);
    log.append(Array.from({ length: count }, (_, at) => eventOf(from + at, project, text, random)));
    showProgress(from + count, chunks);
  }
}

function eventOf(number: number, project: string, text: ZipfText, random: Random): EventEnvelope {
  const words = random.size(8, 180);
  const turn = `turn-${Math.floor(number / 10)}`;
  const common = {
    v: 1,
    id: hashId('claude-code', `${project}-${number}`),
    at: new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString(),
    seq: number,
    device: '0123456789abcdef',
    actor: 'tester',
    agent: 'claude-code' as const,
    agentVersion: '2.1.325',
    agentSession: `session-${Math.floor(number / 200)}`,
    clientPid: 1,
    project,
    checkout: 'checkout',
    branch: 'main',
    head: '',
  };
  const content = `${text.sentence(words, random)} ${text.path(random)}`;
  switch (number % 10) {
    case 0:
      return { ...common, origin: 'user', trust: 2, kind: 'prompt', body: { turn, text: content } };
    case 1:
    case 2: {
      const body = { turn, command: `npm test -- ${text.path(random)}`, ok: false, exit: 1, output: content };
      return { ...common, origin: 'tool', trust: 0, kind: 'command', body };
    }
    case 3:
    case 4:
    case 5: {
      const hunks = [{ oldStart: 1, newStart: 1, added: ['0a1b2c3d'], removed: [] }];
      const body = { turn, tool: 'Edit', path: text.path(random), hunks };
      return { ...common, origin: 'tool', trust: 1, kind: 'edit', body };
    }
    case 6: {
      const files = [text.path(random), text.path(random)];
      const body = { hash: sha256(content).slice(0, 40), author: 'tester', message: content, files };
      return { ...common, origin: 'user', trust: 2, kind: 'commit', body };
    }
    default:
      return { ...common, origin: 'assistant', trust: 1, kind: 'answer', body: { turn, text: content } };
  }
}

type GeneratedKind = 'rare' | 'common' | 'mixed' | 'long';

export interface TimedQuestion {
  kind: GeneratedKind | 'real';
  text: string;
  wordings?: string[];
}

/** Kinds of questions: two rare words, four common ones, a mix, and a paragraph. */
export function timedQuestions(count: number, text: ZipfText, random: Random): TimedQuestion[] {
  const some = (words: number, low: number, high: number): string[] =>
    Array.from({ length: words }, () => text.word(random.whole(low, high)));
  const kinds: Record<GeneratedKind, () => string> = {
    rare: () => some(2, 3_000, 40_000).join(' '),
    common: () => `how do we ${some(4, 35, 120).join(' ')}`,
    mixed: () => `why did the ${[...some(2, 35, 300), ...some(2, 500, 20_000)].join(' ')}`,
    long: () => text.sentence(80, random),
  };
  const names = Object.keys(kinds) as GeneratedKind[];
  return Array.from({ length: count }, (_, at) => {
    const kind = names[at % names.length] as GeneratedKind;
    return { kind, text: kinds[kind]() };
  });
}
