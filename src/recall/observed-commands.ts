import type { CommandRun, MemoStep } from '../domain/memo.ts';

/** What the exit status of a command showed, in all sessions. */
export interface ObservedCommand {
  /** With paths relative to the working tree. */
  command: string;
  /** The folder in which it was run; empty if that is the top of the working tree or unknown. */
  folder: string;
  passed: number;
  failed: number;
  /** Number of runs whose exit status was hidden, for example by a pipe. */
  unseen: number;
  sessions: number;
  afterEdit: number;
  /** Share of the runs of its program, with any arguments, that followed an edit in the same turn. */
  programAfterEdit: number;
  /** The last run with a known status, or else the last run. It counts as failed only if no run came after it. */
  last: { at: number; agentSession: string; event: string; isFailed: boolean };
  /** A command that passed in its place. */
  instead?: string;
}

interface Run {
  step: Extract<MemoStep, { kind: 'run' }>;
  outcome: CommandRun['outcome'];
  isAfterEdit: boolean;
  instead?: string;
}

export const observedForMs = 180 * 24 * 60 * 60_000;
const minSessions = 2;
const minRuns = 3;
/** A check is run because something was edited. A command that only looks is also run without that. */
const minShareAfterEdit = 0.75;

/**
 * What the sessions of a project saw of each command, the most used first. `trees` are the project's working trees:
 * paths below them become relative, and commands with other absolute paths are left out. So is version control, which
 * has events of its own.
 */
export function observedCommands(steps: MemoStep[], trees: string[]): ObservedCommand[] {
  // Shells on Windows write `/c/Users` for `C:\\Users`.
  const roots = trees.map((tree) =>
    tree.replaceAll('\\', '/').replace(/^([A-Z]):/, (_, drive: string) => `/${drive.toLowerCase()}`),
  );
  const runs = new Map<string, Run[]>();
  for (const session of Map.groupBy(steps, ({ agentSession }) => agentSession).values())
    readSession(session, roots, runs);
  const all = [...merged(runs)].map(([key, own]) => observed(key, own));
  const programs = Map.groupBy(all, programOf);
  return all
    .map((one) => ({ ...one, programAfterEdit: shareAfterEdit(programs.get(programOf(one)) ?? []) }))
    .sort((a, b) => b.sessions - a.sessions || b.passed - a.passed || b.last.at - a.last.at);
}

const programOf = ({ command }: ObservedCommand): string =>
  command.split(' ').find((word) => !word.includes('=')) ?? '';

const runsOf = ({ passed, failed, unseen }: ObservedCommand): number => passed + failed + unseen;

function shareAfterEdit(commands: ObservedCommand[]): number {
  const after = commands.reduce((total, { afterEdit }) => total + afterEdit, 0);
  return after / commands.reduce((total, one) => total + runsOf(one), 0);
}

/** Whether sessions run the command again and again to check what they edited. */
export function isCheck(command: ObservedCommand): boolean {
  const { passed, failed, unseen, sessions, programAfterEdit } = command;
  if (sessions < minSessions || shareAfterEdit([command]) < minShareAfterEdit) return false;
  if (passed === 0 && failed > 0) return failed >= 2 && unseen < failed;
  return failed > 0 || (runsOf(command) >= minRuns && programAfterEdit >= minShareAfterEdit);
}

export const commandLine = ({ command, folder }: Pick<ObservedCommand, 'command' | 'folder'>): string =>
  folder === '' ? command : `cd ${folder} && ${command}`;

function readSession(steps: MemoStep[], roots: string[], runs: Map<string, Run[]>): void {
  let editedIn: string | undefined;
  const failed: { words: string[]; run: Run }[] = [];
  for (const step of steps) {
    if (step.kind === 'edit') {
      editedIn = step.turn;
      failed.length = 0;
    }
    if (step.kind !== 'run') continue;
    for (const { outcome, ...ran } of step.runs) {
      const command = relativeCommand(ran.command, roots);
      // Work trees are often in a hidden folder of the repository.
      const folder = relative(ran.folder, roots)?.replace(/^(?:.*\/)?\..*$/, '');
      if (command === undefined || folder === undefined || /(?:^| )git /.test(command)) continue;
      const key = `${folder}\n${command}`;
      const run: Run = { step, outcome, isAfterEdit: editedIn === step.turn };
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
    afterEdit: runs.filter(({ isAfterEdit }) => isAfterEdit).length,
    programAfterEdit: 0,
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
