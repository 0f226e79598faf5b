import { ranCommands } from './command-runs.ts';
import { isCheckCommand, isInspection } from './runner-lines.ts';
import { truncateLine } from './truncate-line.ts';

export interface CommandRun {
  event: string;
  command: string;
  ok: boolean;
  /** Unknown of a command that goes on in the background. If it is absent, `ok` tells. */
  exit?: number | 'unknown';
  output: string;
}

export interface TestResult {
  event: string;
  /** The part of the command line that runs the tests. */
  command: string;
  result: 'passed' | 'failed';
}

/**
 * The last result of each test program, in the order of these runs. Runs of one program with other options or files
 * are one: an agent that narrowed `go test` down to one case and then ran all of them is done with that case.
 */
export function lastTestResults(runs: CommandRun[]): TestResult[] {
  const results = new Map<string, TestResult>();
  for (const found of runs.flatMap(testResults)) {
    const program =
      /^[^-./\s]\S*(?:\s+[^-./\s][^/.\s]*(?=\s|$)){0,2}/.exec(found.command)?.[0] ?? found.command;
    results.delete(program);
    results.set(program, found);
  }
  return [...results.values()];
}

/** The results of the tests, linters and type checkers that a command line ran, as far as they were seen. */
export const testResults = (run: CommandRun): TestResult[] =>
  ranCommands(run.command, statusOf(run), run.output).flatMap(
    ({ command: { words }, outcome }): TestResult[] =>
      outcome === 'unknown' || !isCheckCommand(words)
        ? []
        : [{ event: run.event, command: shortForm(words), result: outcome }],
  );

const statusOf = ({ ok, exit = ok ? 0 : 1 }: CommandRun): number | undefined =>
  exit === 'unknown' ? undefined : exit;

/** Whether a command line only looks at files or moves them. */
export const onlyInspects = (command: string): boolean =>
  ranCommands(command, undefined).every(({ command: { words } }) => isInspection(words));

const maxCommandLength = 60;
/** With quotes around words that need them. */
const shortForm = (words: string[]): string =>
  truncateLine(
    words
      .slice(words.findIndex((word) => !/^\w+=/.test(word)))
      .map((word) => (/[\s'"|&;<>()$`]|^$/.test(word) ? `'${word.replace(/\s+/g, ' ')}'` : word))
      .join(' '),
    maxCommandLength,
  );
