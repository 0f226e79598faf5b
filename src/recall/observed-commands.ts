import type { CommandRun, MemoStep } from '../domain/memo.ts';
import { deletes, isCheckCommand, isInspection, isOwnTask, isUsual } from '../text/runner-lines.ts';

/** What was seen of a command in all sessions. */
export interface ObservedCommand {
  /** With paths relative to the working tree. */
  command: string;
  /** The folder in which it was run; empty if that is the top of the working tree or unknown. */
  folder: string;
  passed: number;
  failed: number;
  /** Number of runs whose result was not seen, for example because a pipe hid it. */
  unseen: number;
  sessions: number;
  /** The last run with a known result, or else the last run. It counts as failed only if no run came after it. */
  last: { at: number; agentSession: string; event: string; isFailed: boolean };
  /** A command that passed in its place. */
  instead?: string;
  /** The prompt in which a person typed the command. */
  asked?: string;
}

interface Run {
  step: Extract<MemoStep, { kind: 'run' }>;
  outcome: CommandRun['outcome'];
  instead?: string;
}

/** A prompt of a person, without what nobody typed. */
export interface TypedPrompt {
  event: string;
  text: string;
}

export const observedForMs = 180 * 24 * 60 * 60_000;

/**
 * What the sessions of a project saw of each command, the most used first. `trees` are the project's working trees:
 * paths below them become relative, and commands with other absolute paths are left out. So is version control, which
 * has events of its own.
 */
export function observedCommands(
  steps: MemoStep[],
  trees: string[],
  prompts: TypedPrompt[] = [],
): ObservedCommand[] {
  // Shells on Windows write `/c/Users` for `C:\\Users`.
  const roots = trees.map((tree) =>
    tree.replaceAll('\\', '/').replace(/^([A-Z]):/, (_, drive: string) => `/${drive.toLowerCase()}`),
  );
  const runs = new Map<string, Run[]>();
  for (const session of Map.groupBy(steps, ({ agentSession }) => agentSession).values())
    readSession(session, roots, runs);
  return [...merged(runs)]
    .map(([key, own]) => observed(key, own))
    .map((one) => {
      const asked = prompts.find(({ text }) => isTypedIn(one.command, text))?.event;
      return asked === undefined ? one : { ...one, asked };
    })
    .sort((a, b) => b.sessions - a.sessions || b.passed - a.passed || b.last.at - a.last.at);
}

/** In prose, "make test" may be no command. It is one between backquotes, on a line of its own, or with more than words. */
function isTypedIn(command: string, prompt: string): boolean {
  const marked = [`\`${command}\``, `\n${command}\n`];
  const isMarked = marked.some((one) => `\n${prompt}\n`.includes(one));
  return (
    isMarked || (/\s-|[./:=]/.test(command) && ` ${prompt.replace(/\s+/g, ' ')} `.includes(` ${command} `))
  );
}

/** Whether it checks the project: a test, a linter or a type checker that was run more than once, or what passed and failed. */
export function isCheck({ command, passed, failed, unseen }: ObservedCommand): boolean {
  const words = command.split(' ');
  const isEither = passed > 0 && failed > 0 && !isInspection(words);
  return passed + failed + unseen > 1 && (isCheckCommand(words) || isEither);
}

/**
 * Whether an agent learns something from it that it would not try by itself: a person asked for it, it passed where the
 * usual command failed, or it is a task of the repository itself. Never what deletes, looks, or everybody runs anyway.
 */
export function isWorthKnowing(one: ObservedCommand): boolean {
  const { command, passed, failed, unseen, sessions, asked, instead } = one;
  const words = command.split(' ');
  if (isInspection(words) || deletes(words) || deletes(instead?.split(' ') ?? [])) return false;
  if (instead !== undefined && passed === 0) return failed > 1 && failed > unseen;
  if (passed === 0 || isUsual(words)) return false;
  return asked !== undefined || (sessions > 1 && passed > 1 && isOwnTask(words));
}

export const commandLine = ({ command, folder }: Pick<ObservedCommand, 'command' | 'folder'>): string =>
  folder === '' ? command : `cd ${folder} && ${command}`;

function readSession(steps: MemoStep[], roots: string[], runs: Map<string, Run[]>): void {
  const failed: { words: string[]; run: Run }[] = [];
  for (const step of steps) {
    if (step.kind === 'edit') failed.length = 0;
    if (step.kind !== 'run') continue;
    for (const { outcome, ...ran } of step.runs) {
      const command = relativeCommand(ran.command, roots);
      // Work trees are often in a hidden folder of the repository.
      const folder = relative(ran.folder, roots)?.replace(/^(?:.*\/)?\..*$/, '');
      if (command === undefined || folder === undefined || /(?:^| )git /.test(command)) continue;
      const key = `${folder}\n${command}`;
      const run: Run = { step, outcome };
      const same = runs.get(key);
      if (same === undefined) runs.set(key, [run]);
      else same.push(run);
      const words = command.split(' ');
      if (outcome === 'failed') failed.push({ words, run });
      if (outcome !== 'passed') continue;
      for (const other of failed)
        if (other.words.join(' ') !== command && isReplacement(other.words, words))
          other.run.instead ??= command;
    }
  }
}

/** Whether the second command does what the first did: it names the same target, perhaps with another program. */
export function isReplacement(failed: string[], passed: string[]): boolean {
  const [program = '', ...others] = failed.filter((word) => !word.startsWith('-'));
  const targets = others.filter((word) => word !== 'run');
  const parts = new Set(passed.flatMap((word) => [word, ...word.split(/[:=]/)]));
  return targets.length === 0 ? parts.has(program) : targets.every((word) => parts.has(word));
}

/** A run without `cd` belongs to the only folder in which the command is run otherwise, if most of its runs say so. */
function merged(runs: Map<string, Run[]>): Map<string, Run[]> {
  const folders = Map.groupBy(runs.keys(), (key) => key.slice(key.indexOf('\n')));
  for (const [command, keys] of folders) {
    const own = runs.get(command);
    const others = keys.filter((key) => key !== command);
    const [other = ''] = others;
    const moved = runs.get(other);
    if (own === undefined || moved === undefined || others.length !== 1) continue;
    const [from, to] = moved.length >= own.length ? [command, other] : [other, command];
    runs.set(to, [...moved, ...own]);
    runs.delete(from);
  }
  return runs;
}

function observed(key: string, runs: Run[]): ObservedCommand {
  const [folder = '', command = ''] = key.split('\n');
  const count = (outcome: Run['outcome']): number => runs.filter((run) => run.outcome === outcome).length;
  const ordered = runs.toSorted((a, b) => a.step.at - b.step.at);
  const last = (ordered.findLast(({ outcome }) => outcome !== 'unknown') ?? ordered.at(-1)) as Run;
  const instead = ordered.findLast((run) => run.instead !== undefined)?.instead;
  return {
    command,
    folder,
    passed: count('passed'),
    failed: count('failed'),
    unseen: count('unknown'),
    sessions: new Set(runs.map(({ step }) => step.agentSession)).size,
    last: {
      at: last.step.at,
      agentSession: last.step.agentSession,
      event: last.step.id,
      isFailed: last.outcome === 'failed' && last === ordered.at(-1),
    },
    ...(instead === undefined ? {} : { instead }),
  };
}

function relative(path: string, roots: string[]): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return path;
  const root = roots.find((one) => path === one || path.startsWith(`${one}/`));
  return root === undefined ? undefined : path.slice(root.length + 1);
}

function relativeCommand(command: string, roots: string[]): string | undefined {
  const words = command.split(' ').map((word) => {
    const [, name = '', value = word] = /^([\w-]+=)(.*)$/.exec(word) ?? [];
    const path = relative(value, roots);
    return path === undefined ? undefined : `${name}${path || '.'}`;
  });
  return words.includes(undefined) ? undefined : words.join(' ');
}
