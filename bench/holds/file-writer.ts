import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteFailure, type Writer } from '../../src/models/write.ts';
import { sleep } from '../../test/harness/program.ts';

/**
 * A provider that exchanges files, so that any language model can answer exactly the requests that Backstory sends:
 * `001.prompt.json` ({ instructions, data }) and `001.answer.txt`. A live exchange waits for answers that are missing; a
 * replay fails there. An answer is found by the session that the request is about, because what is told may change what
 * the next request says is known. A request to compare wordings has items
 * with random ids; in the files they are `i1`, `i2` and so on, and a replay finds the judgement of each item by its text.
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
  let [changed, missing] = [0, ''];
  const answered = answeredIn(folder);
  const judged = judgementsIn([...answered.values()]);
  let count = readdirSync(folder).filter((file) => file.endsWith('.prompt.json')).length;
  /** The stored answer to a request; undefined if it has none. */
  const known = (prompt: string, fixed: string, ids: string[]): string | undefined => {
    if (ids.length > 0) {
      const found = [...itemsIn(fixed)].map(([, item]) => judged.get(item));
      if (found.every((one) => one === undefined) || (mode === 'live' && found.includes(undefined)))
        return undefined;
      if (found.includes(undefined)) changed += 1;
      const pairs = ids.map((id, at) => [id, found[at]]).filter(([, one]) => one !== undefined);
      return JSON.stringify(Object.fromEntries(pairs));
    }
    const found = answered.get(sessionIn(prompt));
    if (found === undefined) return undefined;
    if (found.prompt !== prompt) changed += 1;
    return translated(readFileSync(found.answerPath, 'utf8'), found.prompt, prompt);
  };
  return {
    provider: 'ollama',
    model: 'files',
    missing: () => missing,
    changed: () => changed,
    async write({ instructions, data }, signal) {
      const { fixed, ids } = withFixedIds(withFixedBoundary(data));
      const prompt = `${JSON.stringify({ instructions, data: fixed }, undefined, 1)}\n`;
      const stored = known(prompt, fixed, ids);
      if (stored !== undefined) return { text: stored, claimed: {} };
      const name = String(count + 1).padStart(3, '0');
      if (mode === 'replay') {
        missing ||= name;
        throw new WriteFailure('failed', 'there is no answer file', { isFree: true });
      }
      count += 1;
      const promptPath = join(folder, `${name}.prompt.json`);
      writeFileSync(promptPath, prompt);
      onWait(name);
      const text = await answerIn(answerOf(promptPath), signal);
      return {
        text: text.replace(/"i(\d+)"(?=\s*:)/g, (key, at) =>
          ids[at - 1] === undefined ? key : `"${ids[at - 1]}"`,
        ),
        claimed: {},
      };
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

/** Gives the items of a request to compare wordings fixed ids, and returns the random ones in order. */
function withFixedIds(data: string): { fixed: string; ids: string[] } {
  const ids: string[] = [];
  const fixed = data.replace(/^item ([0-9a-f]{8})$/gm, (_, id: string) => `item i${ids.push(id)}`);
  return { fixed, ids };
}

/** The items of such a request by their fixed id. */
const itemsIn = (data: string): Map<string, string> =>
  new Map(
    data
      .split(/^item /m)
      .slice(1)
      .map((item) => {
        const [id = '', ...lines] = item.split('\n');
        return [
          id,
          lines
            .filter((line) => !line.startsWith('---'))
            .join('\n')
            .trim(),
        ];
      }),
  );

/** The judgement of each item, by its text. */
function judgementsIn(answered: Answered[]): Map<string, unknown> {
  const judged = new Map<string, unknown>();
  for (const { prompt, answerPath } of answered) {
    const items = itemsIn((JSON.parse(prompt) as { data: string }).data);
    if (items.size === 0) continue;
    const answer = readFileSync(answerPath, 'utf8');
    const given = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Record<
      string,
      unknown
    >;
    for (const [id, item] of items) judged.set(item, given[id]);
  }
  return judged;
}

/** Renames the statements that an answer cites (`s3`, `l2`) to their ids in the new request. Others become empty. */
function translated(answer: string, asked: string, prompt: string): string {
  const [before, now] = [asked, prompt].map(knownIn) as [Map<string, string>, Map<string, string>];
  const ids = new Map([...now].map(([id, topic]) => [topic, id]));
  return answer.replace(/("(?:replaces|endedBy)"\s*:\s*)"([sl]\d+)"/g, (_, key: string, id: string) => {
    const topic = before.get(id);
    return `${key}"${(topic === undefined ? undefined : ids.get(topic)) ?? ''}"`;
  });
}

/** The known statements of a request by id: their topic, or their text if they have none. */
const knownIn = (prompt: string): Map<string, string> =>
  new Map(
    [...(JSON.parse(prompt) as { data: string }).data.matchAll(/^([sl]\d+) [^\n]*\n\| ([^\n]*)$/gm)].map(
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
