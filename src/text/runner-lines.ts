/** What a program prints of its result, also if a pipe hides its exit status. */
interface RunnerLines {
  /** The words of its command, after variables and launchers such as `npx`. */
  command: RegExp;
  passed?: RegExp;
  failed: RegExp;
  /** It prints nothing if all is well. */
  isSilent?: true;
}

/** Lines of summaries, of current and older versions. Data: a program is added here and nowhere else. */
const runners: RunnerLines[] = [
  {
    command: /^go test\b/,
    passed: /^(?:ok\s+\S+\s+(?:[\d.]+s|\(cached\))|PASS$)/m,
    failed: /^(?:FAIL\b|\s*--- FAIL:|panic: |.*\[(?:build|setup) failed\])/m,
  },
  { command: /^go (?:build|vet)\b/, failed: /^(?:# \S+\/|\S+\.go:\d+:\d+: |vet: )/m, isSilent: true },
  {
    command: /^golangci-lint run\b/,
    passed: /^0 issues\.$/m,
    failed: /^(?:[1-9]\d* issues[.:]|\S+\.go:\d+:\d+: |Error: )/m,
  },
  {
    command: /^cargo (?:test|t|nextest)\b/,
    passed: /^(?:test result: ok\.|\s*Summary \[.*\b\d+ tests run: \d+ passed)/m,
    failed: /^(?:test result: FAILED|error(?:\[E\d+\])?: |\s*Summary \[.*\b[1-9]\d* failed)/m,
  },
  {
    command: /^cargo (?:build|check|clippy|b|c)\b/,
    passed: /^\s*Finished /m,
    failed: /^error(?:\[E\d+\])?: /m,
  },
  {
    command: /^(?:vitest|jest)\b/,
    passed: /^\s*Tests:?\s+(?:\d+ (?:skipped|todo)[,|\s]+)*[1-9]\d* passed/m,
    failed: /^\s*(?:Test Files|Test Suites:|Tests:?|Suites:)\s.*\b[1-9]\d* failed|^\s*FAIL\s/m,
  },
  { command: /^(?:mocha|cypress)\b/, passed: /^\s*\d+ passing\b/m, failed: /^\s*[1-9]\d* failing\b/m },
  { command: /^playwright test\b/, passed: /^\s*[1-9]\d* passed \(/m, failed: /^\s*[1-9]\d* failed$/m },
  { command: /^node --test\b/, passed: /^[#ℹ] fail 0$/m, failed: /^(?:[#ℹ] fail [1-9]|not ok )/m },
  { command: /^bun test\b/, passed: /^\s*[1-9]\d* pass$/m, failed: /^\s*[1-9]\d* fail$/m },
  { command: /^deno test\b/, passed: /^ok \| \d+ passed/m, failed: /^FAILED \|/m },
  {
    command: /^(?:pytest|py\.test)\b/,
    passed: /^=*\s*\d+ passed\b.* in [\d.]+s/m,
    failed: /^=*\s*(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/m,
  },
  { command: /^unittest\b/, passed: /^OK(?: \(.*\))?$/m, failed: /^FAILED \(/m },
  { command: /^rspec\b/, passed: /^\d+ examples?, 0 failures/m, failed: /^\d+ examples?, [1-9]\d* failure/m },
  { command: /^phpunit\b/, passed: /^OK(?: \(|, but)/m, failed: /^(?:FAILURES|ERRORS)!/m },
  {
    command: /^dotnet test\b/,
    passed: /^(?:Passed!|Test Run Successful)/m,
    failed: /^(?:Failed!|Test Run Failed|.*: error \w+:)/m,
  },
  { command: /^ctest\b/, passed: /^100% tests passed/m, failed: /^\d\d?% tests passed/m },
  { command: /^(?:\.\/)?gradlew?\b/, passed: /^BUILD SUCCESSFUL/m, failed: /^(?:BUILD FAILED|FAILURE:)/m },
  { command: /^(?:\.\/)?mvnw?\b/, passed: /^\[INFO\] BUILD SUCCESS/m, failed: /^\[INFO\] BUILD FAILURE/m },
  { command: /^tsc\b/, passed: /^Found 0 errors/m, failed: /error TS\d+:/m, isSilent: true },
  { command: /^eslint\b/, failed: /^✖ \d+ problems? \([1-9]/m, isSilent: true },
  { command: /^biome\b/, passed: /^Checked \d+ files? in /m, failed: /^Found [1-9]\d* errors?\./m },
  { command: /^mypy\b/, passed: /^Success: no issues found/m, failed: /^Found [1-9]\d* errors? in /m },
  { command: /^pyright\b/, passed: /^0 errors, /m, failed: /^[1-9]\d* errors?, /m },
  { command: /^ruff\b/, passed: /^All checks passed!/m, failed: /^Found [1-9]\d* errors?/m },
];

const launcher =
  /^(?:\w+=\S* |(?:npx|bunx|uvx|rtk|poetry run|uv run|pipenv run|bundle exec|pnpm(?: exec)?|yarn|python[\d.]* -m|\S*\/bin\/) ?(?:--?\w+ )*)+/;

/** The lines that the program of a command prints; undefined if it is not known, as of a script of the repository. */
export function runnerOf(words: string[]): RunnerLines | undefined {
  const command = words.join(' ').replace(launcher, '');
  return runners.find((runner) => runner.command.test(command));
}

/** A script of the repository may run any of them. */
const anyRunner: RunnerLines[] = runners.filter(({ passed }) => passed !== undefined);

export type RunnerResult = 'passed' | 'failed' | undefined;

/** What the lines of a program say; `undefined` if it printed none. */
export function resultIn(output: string, runner: RunnerLines | undefined): RunnerResult {
  const of = runner === undefined ? anyRunner : [runner];
  if (of.some(({ failed }) => failed.test(output))) return 'failed';
  if (of.some(({ passed }) => passed?.test(output))) return 'passed';
  return runner?.isSilent && output.trim() === '' ? 'passed' : undefined;
}

/** Words of a command that runs tests, a linter or a type checker. */
export const testWords =
  /\b(?:test|tests|spec|specs|jest|vitest|pytest|mocha|ava|rspec|phpunit|ctest|tox|nox|playwright|cypress|unittest|check|lint|tsc|mypy|clippy|typecheck|verify)\b/;
/** Programs that only work with files whose names have such a word. */
const otherProgram =
  /^(?:cd|git|gh|grep|rg|ag|ls|cat|find|fd|head|tail|sed|awk|wc|which|type|stat|file|echo|printf|tree|diff|less|mkdir|rm|cp|mv|touch|chmod|curl|open|code|(?:\w+ )?(?:i|install|add|ci|uninstall|remove))\b/;

/** Whether it runs tests, a linter or a type checker. Paths and prose do not count, except the program's own. */
export function isCheckCommand(words: string[]): boolean {
  const [program = '', ...others] = words.slice(
    Math.max(
      0,
      words.findIndex((word) => !/^\w+=/.test(word)),
    ),
  );
  const command = [program, ...others.filter((word) => !/[/.\s]/.test(word))].join(' ');
  return testWords.test(command) && !otherProgram.test(command);
}

/** Whether it only looks at files or moves them: `grep` fails if it finds nothing. */
export const isInspection = (words: string[]): boolean => otherProgram.test(words.join(' '));

const deleting =
  /^(?:rm|rmdir|del|erase|rd|unlink|shred|truncate|remove|delete|destroy|drop|prune|purge|clean|clear|reset|wipe|kill|pkill|killall|uninstall)(?:[.-]|$)/i;

/** Whether one of its words names a deletion. */
export const deletes = (words: string[]): boolean =>
  words.some((word) => word.split(/[/\\:]/).some((part) => deleting.test(part)));

const usualWord =
  /^(?:-{1,2}(?:\w|fix|write|all|version|help|verbose|silent|quiet|check)|\.|\.\/\.\.\.|all|b|build|c|check|ci|compile|deps|dev|download|fmt|format|generate|get|i|init|install|lint|mod|package|run|serve|start|sync|t|test|tests|tidy|typecheck|update|verify|vet|watch)$/;

/** Whether everybody who knows the tools would run it anyway: a program with nothing but usual words, as `go mod tidy`. */
export const isUsual = ([program = '', ...words]: string[]): boolean =>
  !/[/=]/.test(program) && words.every((word) => usualWord.test(word));

const taskRunner =
  /^(?:(?:npm|pnpm|yarn|bun|composer|poe|hatch) run|pnpm|yarn|make|just|task|rake|mise run|invoke|nox -s|tox -e) (?=[a-z])/;

/** Whether the repository itself defines it: a script, a named task, or a variable that the command needs. */
export const isOwnTask = (words: string[]): boolean =>
  /^(?:\.\/|\w+\/)/.test(words[0] ?? '') ||
  /^[A-Z]\w*=/.test(words[0] ?? '') ||
  taskRunner.test(words.join(' '));
