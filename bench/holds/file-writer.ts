import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteFailure, type Writer } from '../../src/models/write.ts';
import { sleep } from '../../test/harness/program.ts';

/**
 * A provider that exchanges files, so that any language model can answer exactly the requests that Backstory sends:
 * `001.prompt.json` ({ instructions, data }) and `001.answer.txt`. A live exchange waits for each answer; if a request
 * has changed since its answer was written, the answer is renamed to `001.answer.old.txt` and asked for again. A replay
 * writes nothing, and fails at a request without an answer. It finds the answer by the session that the request is
 * about, because what is told may change what the next request says is known.
 */
export interface FileWriter extends Writer {
  /** Name of the request that has no answer; empty if all have one. */
  missing(): string;
  /** Number of requests that differ from the ones that were answered. */
  changed(): number;
}

export interface FileWriterOptions {
  folder: string;
  mode: 'live' | 'replay';
  onWait?: (name: string) => void;
}

export function createFileWriter({ folder, mode, onWait = () => {} }: FileWriterOptions): FileWriter {
  mkdirSync(folder, { recursive: true });
  let [count, changed, missing] = [0, 0, ''];
  const answered = mode === 'replay' ? answeredIn(folder) : new Map<string, Answered>();
  return {
    provider: 'files',
    model: 'files',
    overheadTokens: 0,
    missing: () => missing,
    changed: () => changed,
    async write({ instructions, data }, signal) {
      count += 1;
      const name = String(count).padStart(3, '0');
      const prompt = `${JSON.stringify({ instructions, data: withFixedBoundary(data) }, undefined, 1)}\n`;
      if (mode === 'replay') {
        const found = answered.get(sessionIn(prompt));
        if (found === undefined) {
          missing ||= name;
          throw new WriteFailure('failed', 'there is no answer file', { isFree: true });
        }
        if (found.prompt !== prompt) changed += 1;
        return {
          text: translated(readFileSync(found.answerPath, 'utf8'), found.prompt, prompt),
          claimed: {},
        };
      }
      const promptPath = join(folder, `${name}.prompt.json`);
      const answerPath = answerOf(promptPath);
      const asked = existsSync(promptPath) ? readFileSync(promptPath, 'utf8') : undefined;
      if (asked !== prompt) changed += 1;
      if (asked !== prompt) {
        if (existsSync(answerPath)) renameSync(answerPath, join(folder, `${name}.answer.old.txt`));
        writeFileSync(promptPath, prompt);
      }
      if (!existsSync(answerPath)) onWait(name);
      return { text: await answerIn(answerPath, signal), claimed: {} };
    },
  };
}

interface Answered {
  prompt: string;
  answerPath: string;
}

const answerOf = (promptPath: string): string => promptPath.replace(/\.prompt\.json$/, '.answer.txt');

/** The requests that have an answer, by the session that they are about. */
const answeredIn = (folder: string): Map<string, Answered> =>
  new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.prompt.json'))
      .map((file) => join(folder, file))
      .filter((path) => existsSync(answerOf(path)))
      .map((path) => {
        const prompt = readFileSync(path, 'utf8');
        return [sessionIn(prompt), { prompt, answerPath: answerOf(path) }];
      }),
  );

/** The record of the session in a request, without the statements that were known at that time. */
const sessionIn = (prompt: string): string => {
  const { data } = JSON.parse(prompt) as { data: string };
  return data.slice(Math.max(0, data.search(/^session of /m)));
};

/** The boundary of a request is random. Here it is fixed, so that the same request can be recognised. */
const withFixedBoundary = (data: string): string => {
  const [, boundary = ''] = /lines that contain ([0-9a-f]{16})\./.exec(data) ?? [];
  return boundary === '' ? data : data.replaceAll(boundary, '0'.repeat(boundary.length));
};

/** Renames the known statements that an answer cites (`s3`) to their ids in the new request. Others become empty. */
function translated(answer: string, asked: string, prompt: string): string {
  const [before, now] = [asked, prompt].map(knownIn) as [Map<string, string>, Map<string, string>];
  const ids = new Map([...now].map(([id, topic]) => [topic, id]));
  return answer.replace(/("replaces"\s*:\s*)"(s\d+)"/g, (_, key: string, id: string) => {
    const topic = before.get(id);
    return `${key}"${(topic === undefined ? undefined : ids.get(topic)) ?? ''}"`;
  });
}

/** The known statements of a request by id: their topic, or their text if they have none. */
const knownIn = (prompt: string): Map<string, string> =>
  new Map(
    [...(JSON.parse(prompt) as { data: string }).data.matchAll(/^(s\d+) [^\n]*\n\| ([^\n]*)$/gm)].map(
      ([, id = '', line = '']) => [id, /^[^:.]{1,60}(?=: )/.exec(line)?.[0] ?? line],
    ),
  );

const pollMs = 300;

/** Waits until the file exists and has not grown between two looks, because it may be written in pieces. */
async function answerIn(path: string, signal: AbortSignal): Promise<string> {
  for (let last = ''; ; await sleep(pollMs)) {
    if (signal.aborted)
      throw new WriteFailure('timed-out', 'no answer file was written in time', { isFree: true });
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.trim() !== '' && text === last) return text;
    last = text;
  }
}
