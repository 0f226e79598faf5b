/**
 * The only file that writes to standard output and standard error. It escapes control and hidden characters, so that
 * a file name cannot set the window title or move the cursor. Pipes get the same output, because agents and logs read
 * them; programs that need exact strings use --json.
 */

import { systemClock } from '../base/clock.ts';
import { errorEnvelope, messageOf } from '../base/errors.ts';
import { randomHex } from '../base/ids.ts';
import { jsonWithoutHidden } from '../text/hidden-characters.ts';
import { createTerminalText, type Style } from '../text/terminal-text.ts';
import { wrap } from '../text/wrap.ts';

const { stdout, env } = process;

const hasColour = env.FORCE_COLOR
  ? env.FORCE_COLOR !== '0'
  : Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
const text = createTerminalText(hasColour, hasColour ? Number.parseInt(randomHex(6), 16) : 0);

export const style: Style = text.style;

/** Longer lines are hard to read. Output that does not go to a terminal is not wrapped. */
const maxLineColumns = 100;

const given = stdout.columns || Number(env.COLUMNS) || Number.POSITIVE_INFINITY;
const isWrapped = given >= 40 && given < Number.POSITIVE_INFINITY;

export const columns = isWrapped ? Math.min(given, maxLineColumns) : maxLineColumns;

const wrapToTerminal = (visible: string): string => (isWrapped ? wrap(visible, columns) : visible);

export const print = (message: string): void => {
  stdout.write(`${text.render(message, wrapToTerminal)}\n`);
};

export const printVerbatim = (message: string): void => {
  stdout.write(`${text.render(message)}\n`);
};

export const printJson = (value: unknown, indent?: number): void => {
  stdout.write(`${jsonWithoutHidden(value, indent)}\n`);
};

/** Prints to standard error, so that standard output has only the result. */
export const printError = (message: string): void => {
  process.stderr.write(`${text.render(message, wrapToTerminal)}\n`);
};

/** Prints the error and returns the exit code: 1 for a failure, 2 for wrong usage. */
export function reportError(error: unknown, isJson = false): number {
  const envelope = errorEnvelope(error);
  const { code, suggested_action } = envelope.error;
  if (isJson) printJson(envelope, 2);
  else printError(`${messageOf(error)}\n  try: ${suggested_action}`);
  return code === 'INVALID_ARGUMENT' || code === 'INVALID_QUERY' ? 2 : 1;
}

export const printErrorJson = (value: unknown): void => {
  process.stderr.write(`${jsonWithoutHidden(value)}\n`);
};

/** Exits with 0 if the reader closes the pipe, as `head` does. */
export const exitOnClosedPipe = (): void => {
  stdout.on('error', () => process.exit(0));
};

export const isInteractive = (): boolean => process.stdin.isTTY === true && stdout.isTTY === true;

const progressDelayMs = 1_000;

/** Shows a progress line on stderr if the work takes longer than a second. */
export function createProgress(label: string) {
  const started = systemClock.now();
  let isShown = false;
  return {
    update(done: number, total: number, detail = '') {
      if (!process.stderr.isTTY || total === 0 || systemClock.now() - started < progressDelayMs) return;
      isShown = true;
      const line = `${label} ${Math.min(100, Math.round((100 * done) / total))} %  ${detail}`.trimEnd();
      // A line that wraps could not be overwritten.
      process.stderr.write(`\r\u001b[K${text.render(line.slice(0, (process.stderr.columns || 80) - 1))}`);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K');
    },
  };
}

/** Reads a line that a person types; undefined at the end of input or without a terminal. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const lines = process
    .getBuiltinModule('node:readline/promises')
    .createInterface({ input: process.stdin, output: process.stderr });
  // Without this, the question would wait for ever at the end of input.
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(text.render(question)), ended]);
  } finally {
    lines.close();
  }
}

export const confirm = async (question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? '');

export function key(question: string, keys: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(text.render(question, wrapToTerminal));
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
      // Ctrl-C and Ctrl-D end the question, not the process.
      if (pressed === '\u0003' || pressed === '\u0004') stop();
      else if (pressed.length === 1 && keys.includes(pressed)) end(pressed);
    };
    stdin.on('data', read).on('end', stop);
  });
}
