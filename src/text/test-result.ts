import { truncateLine } from './truncate-line.ts';

/** Words of a command that runs tests, a linter or a type checker. */
export const testWords =
  /\b(?:test|tests|spec|specs|jest|vitest|pytest|mocha|ava|rspec|phpunit|ctest|tox|nox|playwright|cypress|unittest|check|lint|tsc|mypy|clippy|typecheck|verify)\b/;
/** Programs that only work with files whose names have such a word. */
const otherProgram =
  /^(?:cd|git|gh|grep|rg|ag|ls|cat|find|fd|head|tail|sed|awk|wc|which|type|stat|file|echo|printf|tree|diff|less|mkdir|rm|cp|mv|touch|chmod|curl|open|code|(?:\w+ )?(?:i|install|add|ci|uninstall|remove))\b/;

export interface CommandRun {
  event: string;
  command: string;
  ok: boolean;
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
  for (const run of runs) {
    const found = testResult(run);
    if (found === undefined) continue;
    const program =
      /^[^-./\s]\S*(?:\s+[^-./\s][^/.\s]*(?=\s|$)){0,2}/.exec(found.command)?.[0] ?? found.command;
    results.delete(program);
    results.set(program, found);
  }
  return [...results.values()];
}

/**
 * Whether the tests of a command line passed; undefined if it runs none, or if that is unknown. The exit status may
 * belong to another command, as in `npm test | tail`. Then only the output tells.
 */
export function testResult({ event, command, ok, output }: CommandRun): TestResult | undefined {
  // Quoted separators, as in `-run 'A|B'`, separate nothing.
  const parts = command
    .replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replace(/[;|&\n]/g, ' '))
    .split(/(&&|\|\||[;|\n])/);
  const at = parts.findIndex((part, place) => place % 2 === 0 && isTest(part.trim()));
  if (at === -1) return undefined;
  const after = parts.slice(at + 1);
  const isKnown = ok
    ? after.every((part, place) => place % 2 === 1 || part === '&&')
    : after.every((part) => part.trim() === '');
  const result = isKnown ? (ok ? 'passed' : 'failed') : resultIn(output);
  return result === undefined ? undefined : { event, command: shortForm(parts[at] as string), result };
}

const withoutVariables = (part: string): string => part.trim().replace(/^(?:\w+=\S*\s+)+/, '');
/** Paths and quoted text, in which the name of a file may have such a word, do not count, except the program's own. */
function isTest(part: string): boolean {
  const [program = '', ...words] = withoutVariables(part.replace(/"[^"]*"|'[^']*'/g, '')).split(/\s+/);
  const command = [program, ...words.filter((word) => !/[/.]/.test(word))].join(' ');
  return testWords.test(command) && !otherProgram.test(command);
}

/** Whether it only looks at files or moves them: `grep` fails if it finds nothing. */
export const isInspection = (command: string): boolean =>
  otherProgram.test(withoutVariables(command.replace(/^cd \S+ && /, '')));

const maxCommandLength = 60;
const shortForm = (part: string): string =>
  truncateLine(
    withoutVariables(part)
      .replace(/\s*\d?>.*$/s, '')
      .replace(/\s+/g, ' '),
    maxCommandLength,
  );

const failedLine =
  /\b[1-9]\d* (?:tests? |examples? |files? )?(?:failed|failing|failures?|errors?|problems?)\b|^(?:--- )?FAIL\b|^not ok\b/im;
const passedLine =
  /\b[1-9]\d* (?:tests? |examples? |files? )?(?:passed|passing|pass)\b|\b0 (?:errors?|problems?|issues?|failures?)\b|^(?:--- )?PASS\b|^ok\s/im;

function resultIn(output: string): TestResult['result'] | undefined {
  if (failedLine.test(output)) return 'failed';
  return passedLine.test(output) ? 'passed' : undefined;
}
