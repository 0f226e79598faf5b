import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WriteFailure, type Writer } from '../../src/models/write.ts';
import { sleep } from '../../test/harness/program.ts';

/**
 * A provider that exchanges files, so that any language model can answer exactly the requests that Backstory sends. It
 * writes `001.prompt.json` ({ instructions, data }) and waits for `001.answer.txt`. If a run is interrupted, run it
 * again with the same folder: answers are used again as long as the requests are the same. If a request has changed,
 * its answer is renamed to `001.answer.old.txt` and asked for again.
 */
export function createFileWriter(folder: string, onWait: (name: string) => void = () => {}): Writer {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  return {
    provider: 'files',
    model: 'files',
    overheadTokens: 0,
    async write({ instructions, data }, signal) {
      count += 1;
      const name = String(count).padStart(3, '0');
      const promptPath = join(folder, `${name}.prompt.json`);
      const answerPath = join(folder, `${name}.answer.txt`);
      const prompt = `${JSON.stringify({ instructions, data: withFixedBoundary(data) }, undefined, 1)}\n`;
      if (!existsSync(promptPath) || readFileSync(promptPath, 'utf8') !== prompt) {
        if (existsSync(answerPath)) renameSync(answerPath, join(folder, `${name}.answer.old.txt`));
        writeFileSync(promptPath, prompt);
      }
      if (!existsSync(answerPath)) onWait(name);
      return { text: await answerIn(answerPath, signal), claimed: {} };
    },
  };
}

/** The boundary of a request is random. Here it is fixed, so that the same request can be recognised. */
const withFixedBoundary = (data: string): string => {
  const [, boundary = ''] = /lines that contain ([0-9a-f]{16})\./.exec(data) ?? [];
  return boundary === '' ? data : data.replaceAll(boundary, '0'.repeat(boundary.length));
};

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
