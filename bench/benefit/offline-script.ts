import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Script } from '../../test/support/fake-model.ts';
import type { Agent } from './agents.ts';
import { decisionPhrases } from './decision-phrases.ts';
import { readJson, type Task, type TaskSet } from './read-tasks.ts';

/** One step of a scripted model. `path` is relative to the repository. */
type Action =
  | { read: string }
  | { write: string; text: string }
  /** Writes the content of a file next to `offline.json`. */
  | { write: string; from: string }
  | { run: string }
  | { recall: string }
  | { say: string };

/** Takes `action` if one of the texts is before the model by now, or else `otherwise`. */
interface Choice {
  ifTold: string[];
  action: Action;
  otherwise: Action;
}

/** `offline.json` of a task. */
export interface OfflineScript {
  steps: (Action | Choice)[];
}

/** The script of a task, whose repository was created in `repo`, for the scripted model; undefined if there is none. */
export function offlineScriptOf(task: Task, set: TaskSet, repo: string): OfflineScript | undefined {
  const own = join(task.folder, 'offline.json');
  if (existsSync(own)) return withTexts(readJson<OfflineScript>(own), task.folder);
  return sdeBenchScript(task, set, repo);
}

function withTexts({ steps }: OfflineScript, folder: string): OfflineScript {
  const read = (action: Action): Action =>
    'from' in action
      ? { write: action.write, text: readFileSync(join(folder, action.from), 'utf8') }
      : action;
  return {
    steps: steps.map((step) =>
      'ifTold' in step ? { ...step, action: read(step.action), otherwise: read(step.otherwise) } : read(step),
    ),
  };
}

/**
 * The tasks of sde-bench come with a right fix and with naive ones. The scripted model asks for the past, then makes
 * the right fix if the past arrived, or else a naive one. After a correction it makes the right fix.
 */
function sdeBenchScript(task: Task, set: TaskSet, repo: string): OfflineScript | undefined {
  const { module } = task;
  const gen = join(set.folder, 'gen');
  if (module === undefined || !existsSync(join(gen, 'traps.py'))) return undefined;
  const name = basename(task.codebase).replace(/^boltons-/, '');
  const fixes = JSON.parse(
    execFileSync('python3', ['-c', readFixes, gen, name.replace(/-(?:history|amended)$/, ''), module], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    }),
  ) as { replaces?: string; right: string; naive: string } | null;
  if (fixes === null) return undefined;
  const { replaces } = fixes;
  const before = readFileSync(join(repo, module), 'utf8');
  const write = (fix: string): Action => ({
    write: module,
    text: replaces === undefined ? fix : before.replace(replaces, () => fix),
  });
  return {
    steps: [
      { recall: task.bugReport },
      { read: module },
      {
        ifTold: decisionPhrases(task, set.decoys),
        action: write(fixes.right),
        otherwise: write(fixes.naive),
      },
      { say: 'The reported case is fixed.' },
      write(fixes.right),
      { say: 'Corrected.' },
    ],
  };
}

/**
 * Prints the right and the first naive text of the module of a task, or of the lines that it replaces, or null for a
 * task with other fixes.
 */
const readFixes = `
import json, sys
gen, name, module = sys.argv[1:]
sys.path.insert(0, gen)
from traps import TRAPS
from realfn_traps import REALFN_TRAPS
planted, real = TRAPS.get(name), REALFN_TRAPS.get(name)
fixes = None
if planted and planted["module"] == module:
    fixes = {"right": planted["correct"], "naive": planted["naive"][0]}
elif real and real["module"] == module:
    fixes = {"replaces": real["anchor"], "right": real["correct"], "naive": real["naive"]}
print(json.dumps(fixes))
`;

/** The same script in the tools of an agent. */
export function toScript({ steps }: OfflineScript, agent: Agent, repo: string): Script {
  const blocks = blocksOf[agent.name];
  return {
    steps: steps.flatMap((step): Script['steps'] => {
      if (!('ifTold' in step)) return blocks(step, repo);
      const [answer] = blocks(step.action, repo);
      const [otherwise] = blocks(step.otherwise, repo);
      return [{ ifSaid: step.ifTold, blocks: answer ?? [], otherwise: otherwise ?? [] }];
    }),
  };
}

type Block = Record<string, unknown>;

const blocksOf: Record<Agent['name'], (action: Action, repo: string) => Block[][]> = {
  claude(action, repo) {
    const use = (name: string, input: object): Block[][] => [[{ type: 'tool_use', name, input }]];
    if ('read' in action) return use('Read', { file_path: join(repo, action.read) });
    if ('text' in action) return use('Write', { file_path: join(repo, action.write), content: action.text });
    if ('run' in action) return use('Bash', { command: action.run, description: 'Run' });
    if ('recall' in action) return use('mcp__backstory__recall', { query: action.recall });
    return [[{ type: 'text', text: 'say' in action ? action.say : '' }]];
  },
  codex(action) {
    const use = (name: string, args: object): Block => ({ type: 'tool', name, args });
    if ('read' in action) return [[use('exec_command', { cmd: `cat '${action.read}'` })]];
    if ('text' in action) {
      const lines = action.text.replace(/\n$/, '').split('\n');
      const patch = [`*** Add File: ${action.write}`, ...lines.map((line) => `+${line}`)];
      const input = ['*** Begin Patch', ...patch, '*** End Patch', ''].join('\n');
      return [[{ type: 'custom', name: 'apply_patch', input }]];
    }
    if ('run' in action) return [[use('exec_command', { cmd: action.run })]];
    if ('recall' in action) {
      // Codex calls the model while its MCP servers are still starting.
      const recall = { ...use('recall', { query: action.recall }), namespace: 'mcp__backstory' };
      return [[use('exec_command', { cmd: 'sleep 2' })], [recall]];
    }
    return [[{ type: 'text', text: 'say' in action ? action.say : '' }]];
  },
};
