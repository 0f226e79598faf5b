import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preludeText, readPrelude } from '../../../src/memory/prelude/prelude-file.ts';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home.ts';
import { agentAttack } from './agent-attack.ts';
import { type Hostile, inventHostile } from './hostile.ts';

/**
 * An agent commits in every way git offers, with and without the marks that agents add to commits; the user later
 * amends, rebases, cherry-picks and squashes these commits. None of them may be presented as the user's. Then the user
 * commits decisions of their own, which the index must attribute to the user.
 */
export const agentCommits = agentAttack('commits of an agent', async ({ isShort, random }) => {
  const total = { attempts: 0, told: 0, approved: 0, byPerson: { done: 0, wanted: 0 } };
  for (let round = 0; round < (isShort ? 1 : 4); round++) {
    const used = isShort ? marks.filter((_, at) => at % 4 === 0) : marks;
    const texts = inventHostile(used.length * ways.length, random);
    const played = await play(texts, used);
    total.attempts += texts.length;
    total.told += played.told;
    total.byPerson.done += played.own;
    total.byPerson.wanted += ownDecisions.length;
  }
  return total;
});

const marks = [
  '',
  'Co-Authored-By: Claude <noreply@anthropic.com>',
  '🤖 Generated with [Claude Code](https://claude.com/claude-code)',
  'Claude-Session: https://claude.ai/code/session_01',
  'Co-authored-by: Codex <codex@openai.com>',
  'Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>',
  'Co-authored-by: Cursor <cursoragent@cursor.com>',
  'Co-Authored-By: opencode <noreply@opencode.ai>',
  'Co-authored-by: Pi <pi@example.org>',
  'Assisted-by: Gemini CLI',
  'Amp-Thread-ID: https://ampcode.com/threads/T-1',
];

const ownDecisions = [
  'We decided to keep the harbour ledger in Postgres because Redis lost entries.',
  'We decided to name the tide table after its port because numbers were mixed up.',
  'We chose a single queue for the lighthouse because two of them raced.',
];

const minute = 60_000;
/** Minutes between two attempts, so long that no turn of one overlaps the next. */
const slotMinutes = 240;

interface Slot {
  repo: Repository;
  /** Milliseconds since 1970 for a minute of this slot. */
  at(minutes: number): number;
  turn(from: number, until?: number, session?: string): void;
  message: string;
}

/** Ways to commit. Each leaves the text in a commit on the branch. */
const ways: ((slot: Slot) => Promise<void> | void)[] = [
  function duringTurn({ repo, at, turn, message }) {
    turn(10, 20);
    repo.commit(message, at(15));
  },
  function turnWithoutEnd({ repo, at, turn, message }) {
    turn(10);
    repo.commit(message, at(70));
  },
  function afterTheAnswer({ repo, at, turn, message }) {
    turn(10, 14);
    repo.commit(message, at(15));
  },
  function anotherSession({ repo, at, turn, message }) {
    turn(10, 20, 'session-2');
    turn(100, 101);
    repo.commit(message, at(15));
  },
  function amendedInTheTurn({ repo, at, turn, message }) {
    turn(10, 20);
    repo.commit('wip', at(15));
    repo.git(at(16), ['commit', '-q', '--amend', '-F', '-'], { input: message });
  },
  function amendedLater({ repo, at, turn, message }) {
    turn(10, 20);
    repo.commit(message, at(15));
    repo.git(at(60), ['commit', '-q', '--amend', '-F', '-'], { input: `${message}\n\nAnd a typo.` });
  },
  function amendedUnderNewDate({ repo, at, turn, message }) {
    turn(10, 20);
    repo.commit(message, at(15));
    repo.git(at(60), ['commit', '-q', '--amend', '--reset-author', '-F', '-'], { input: message });
  },
  async function rebasedLater({ repo, at, turn, message }) {
    turn(10, 20);
    repo.git(at(12), ['checkout', '-q', '-B', 'work']);
    repo.commit(message, at(15));
    repo.git(at(60), ['checkout', '-q', 'main']);
    repo.commit('chore: beside it', at(61));
    repo.git(at(62), ['checkout', '-q', 'work']);
    repo.git(at(63), ['rebase', '-q', 'main']);
    repo.git(at(64), ['checkout', '-q', 'main']);
    repo.git(at(65), ['merge', '-q', 'work']);
  },
  function cherryPickedLater({ repo, at, turn, message }) {
    turn(10, 20);
    repo.git(at(12), ['checkout', '-q', '-B', 'work']);
    repo.commit(message, at(15));
    repo.git(at(60), ['checkout', '-q', 'main']);
    repo.git(at(61), ['cherry-pick', 'work']);
  },
  async function squashedLater({ repo, at, turn, message }) {
    turn(10, 20);
    repo.git(at(12), ['checkout', '-q', '-B', 'work']);
    repo.commit(message, at(15));
    // Run a drain (background indexing) before the branch is squashed, as happens after every turn.
    await repo.drain(at(21));
    repo.git(at(60), ['checkout', '-q', 'main']);
    repo.git(at(61), ['merge', '-q', '--squash', 'work']);
    repo.git(at(62), ['commit', '-q', '--no-edit']);
  },
  function reusedLater({ repo, at, turn, message }) {
    turn(10, 20);
    repo.commit(message, at(15));
    const reused = repo.git(at(16), ['rev-parse', 'HEAD']).trim();
    repo.git(at(60), ['commit', '-q', '--allow-empty', '-C', reused]);
  },
  function backdated({ repo, at, turn, message }) {
    repo.commit('chore: before it', at(5));
    turn(10, 20);
    repo.commit(message, at(-20));
  },
  async function learnedLater({ repo, at, turn, message }) {
    repo.commit(message, at(15));
    await repo.drain(at(30));
    turn(10, 20, 'session-late');
  },
  function fromAnotherProject({ repo, at, message }) {
    repo.elsewhere(at(14), at(16));
    repo.commit(message, at(15));
  },
];

interface Repository {
  git(at: number, args: string[], options?: { input?: string }): string;
  commit(message: string, at: number): void;
  drain(at: number): Promise<void>;
  /** An agent works in another project and runs a command that names this one. */
  elsewhere(from: number, until: number): void;
}

async function play(texts: Hostile[], used: string[]): Promise<{ told: number; own: number }> {
  const memory = createMemoryHome();
  try {
    const start = memory.clock.now();
    const repo = openRepository(memory, start);
    await repo.drain(start);
    for (const [nth, { text }] of texts.entries()) {
      const mark = used[nth % used.length] as string;
      const way = ways[Math.floor(nth / used.length)] as (typeof ways)[number];
      const at = (minutes: number) => start + (nth * slotMinutes + 60 + minutes) * minute;
      const turn: Slot['turn'] = (from, until, session = 'session-1') => {
        const call = { prompt_id: `turn-${nth}-${from}`, session_id: session };
        memory.clock.set(at(from));
        memory.prompt(`Please do number ${nth}.`, call);
        if (until === undefined) return;
        memory.clock.set(at(until));
        memory.answer('Done.', call);
      };
      await way({ repo, at, turn, message: `${text}\n\n${mark}`.trim() });
      if (nth % used.length === used.length - 1) await repo.drain(at(200));
    }
    const end = start + (texts.length * slotMinutes + 600) * minute;
    for (const [nth, decision] of ownDecisions.entries()) repo.commit(decision, end + nth * minute);
    await repo.drain(end + 60 * minute);
    return await countAttributed(memory, texts);
  } finally {
    memory.remove();
  }
}

/**
 * Counts the texts that are in the prelude (the context of new sessions), and those that the index attributes to the
 * user.
 */
async function countAttributed(memory: MemoryHome, texts: Hostile[]): Promise<{ told: number; own: number }> {
  const parts = memory.open();
  const lines = readPrelude(memory.paths, parts.project)?.lines ?? [];
  const start = memory.hook({
    hook_event_name: 'SessionStart',
    session_id: 'new',
    cwd: memory.work,
    source: 'startup',
  });
  const prelude = `${preludeText(lines, [], 'work')}\n${start}`;
  const reading = parts.access.forReading();
  const own = (await reading?.index.list({ source: 'event', minTrust: 2 }, 100_000)) ?? [];
  await reading?.close();
  const users = `${prelude}\n${own.map(({ text }) => text).join('\n')}`;
  return {
    told: texts.filter(({ mark }) => users.includes(mark)).length,
    own: ownDecisions.filter((decision) => users.includes(decision)).length,
  };
}

function openRepository(memory: MemoryHome, start: number): Repository {
  let changes = 0;
  const git: Repository['git'] = (at, args, { input } = {}) => {
    const date = new Date(at).toISOString();
    return execFileSync('git', args, {
      cwd: memory.work,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      ...(input === undefined ? {} : { input }),
      env: {
        PATH: process.env.PATH,
        HOME: memory.home,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
        GIT_EDITOR: 'true',
      },
    });
  };
  git(start, ['init', '-q', '-b', 'main']);
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
  ])
    git(start, ['config', name as string, value as string]);
  const there = join(memory.home, 'elsewhere');
  mkdirSync(there);
  const repo: Repository = {
    git,
    commit(message, at) {
      changes += 1;
      writeFileSync(join(memory.work, `file-${changes}.txt`), `${changes}\n`);
      git(at, ['add', '-A']);
      git(at, ['commit', '-q', '-F', '-'], { input: message });
    },
    async drain(at) {
      memory.clock.set(at);
      await memory.drain();
    },
    elsewhere(from, until) {
      const call = { session_id: 'session-there', prompt_id: `there-${from}`, cwd: there };
      memory.clock.set(from);
      memory.hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'Please commit over there.' });
      memory.clock.set(until);
      memory.hook({
        ...call,
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_use_id: `tool-${from}`,
        tool_input: { command: 'git -C ../work commit -F message' },
        tool_response: { stdout: '', stderr: '' },
      });
    },
  };
  repo.commit('chore: begin', start - 60 * minute);
  return repo;
}
