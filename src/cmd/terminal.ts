import { systemClock } from '../base/clock.ts';
import { randomHex } from '../base/ids.ts';
import { jsonWithoutHidden } from '../text/hidden-characters.ts';
import { createTerminalText, type Style } from '../text/terminal-text.ts';
import { wrap } from '../text/wrap.ts';

/**
 * The only file that writes to standard output and standard error of a command. Whatever it prints, a control or hidden
 * character in it is written out: a file name cannot set the title of a window or move the cursor. This is so for a pipe
 * as well, because agents and logs read those; programs that need the exact bytes use --json.
 */
const { stdout, env } = process;

const hasColour = env.FORCE_COLOR
  ? env.FORCE_COLOR !== '0'
  : Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
const text = createTerminalText(hasColour, hasColour ? Number.parseInt(randomHex(6), 16) : 0);

export const style: Style = text.style;

/** Wider lines are hard to read, whatever the terminal has room for. Where nobody looks, nothing is broken up. */
const widest = 100;

function layOut(visible: string): string {
  const columns = stdout.columns || Number(env.COLUMNS) || Number.POSITIVE_INFINITY;
  return columns >= 40 && columns < Number.POSITIVE_INFINITY
    ? wrap(visible, Math.min(columns, widest))
    : visible;
}

/** A text, and a line feed after it. */
export const print = (said: string): void => {
  stdout.write(`${text.render(said, layOut)}\n`);
};

/** With its own line breaks, however wide the terminal is: for code and scripts. */
export const printVerbatim = (said: string): void => {
  stdout.write(`${text.render(said)}\n`);
};

export const printJson = (value: unknown, indent?: number): void => {
  stdout.write(`${jsonWithoutHidden(value, indent)}\n`);
};

/** Beside what a command answers: on standard error. */
export const tell = (said: string): void => {
  process.stderr.write(`${text.render(said, layOut)}\n`);
};

export const tellJson = (value: unknown): void => {
  process.stderr.write(`${jsonWithoutHidden(value)}\n`);
};

/** A pipe closed by `head` is no failure of ours. */
export const endWithReader = (): void => {
  stdout.on('error', () => process.exit(0));
};

export const isInteractive = (): boolean => process.stdin.isTTY === true && stdout.isTTY === true;

const progressAfterMs = 1_000;

/** A line on stderr that appears only when something takes longer than a second. */
export function createProgress(label: string) {
  const started = systemClock.now();
  let isShown = false;
  return {
    update(done: number, total: number) {
      if (!process.stderr.isTTY || total === 0 || systemClock.now() - started < progressAfterMs) return;
      isShown = true;
      process.stderr.write(`\r${text.render(label)} ${Math.min(100, Math.round((100 * done) / total))} %`);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K');
    },
  };
}

export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = process
    .getBuiltinModule('node:readline/promises')
    .createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input is a no; by itself the question would never be answered.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${text.render(question)} [y/N] `), ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** One key press, without the return key. */
export function key(question: string, keys: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(text.render(question, layOut));
  stdin.setRawMode(true);
  stdin.resume();
  return new Promise((resolve) => {
    const end = (pressed: string) => {
      stdin.setRawMode(false);
      stdin.pause();
      stdin.off('data', read).off('end', stop);
      stderr.write(`${pressed}\n`);
      resolve(pressed);
    };
    const stop = () => end('q');
    const read = (data: Buffer) => {
      const pressed = data.toString().toLowerCase();
      // Control-C and control-D stop the review, and nothing else.
      if (pressed === '\u0003' || pressed === '\u0004') stop();
      else if (pressed.length === 1 && keys.includes(pressed)) end(pressed);
    };
    stdin.on('data', read).on('end', stop);
  });
}
