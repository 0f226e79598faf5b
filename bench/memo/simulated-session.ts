import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../src/domain/project.ts';
import { followMemo, type MemoFollower, openSessionMemo } from '../../src/memo/follow-client.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { fileLines } from '../../src/text/file-lines.ts';
import type { Random } from '../../test/harness/random.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { type Dialect, dialects, type Speaker } from './dialects.ts';
import { Oracle } from './oracle.ts';

export interface Tally {
  asked: number;
  fresh: number;
  /**
   * Files that Memo reported as fresh although the agent's view differs from the disk. This is the error that must
   * never occur.
   */
  wronglyFresh: number;
  /** Checked files for which the agent's view matches the disk. */
  trulyFresh: number;
  /** Files among `trulyFresh` that Memo did not report as fresh, so the agent would read them again without need. */
  needless: number;
  /**
   * Files among `trulyFresh` for which Memo gave no answer, because one process had several sessions. They do not count
   * as `needless`.
   */
  ambiguous: number;
  steps: Record<string, number>;
  examples: string[];
}

/** The pid that the hooks of MemoryHome report. */
const clientPid = 4242;
const names = ['src/alpha.ts', 'src/beta.ts', 'gamma.md'];

/** Simulates an agent at work in a real repository and queries Memo in between. */
export async function playInterleaving(
  random: Random,
  number: number,
  templates: string[],
  tally: Tally,
): Promise<void> {
  const memory = createMemoryHome();
  try {
    const world = new World(memory, random, number, random.pick(templates));
    world.begin();
    const length = random.whole(8, 24);
    for (let step = 0; step < length; step++) {
      const name = random.pick(world.moves);
      if (!world.play(name)) continue;
      tally.steps[name] = (tally.steps[name] ?? 0) + 1;
      if (random.chance(0.6)) await world.ask(tally);
    }
    for (let times = 0; times < 3; times++) await world.ask(tally);
  } finally {
    memory.remove();
  }
}

class World {
  private readonly oracle = new Oracle();
  private readonly dialect: Dialect;
  private readonly agent: string;
  private sessions = 1;
  private files = [...names];
  private readonly story: string[] = [];
  private readonly memory: MemoryHome;
  private readonly random: Random;
  private readonly number: number;

  private readonly template: string;
  private server: { parts: OpenProject; place: Place; follower: MemoFollower } | undefined;

  constructor(memory: MemoryHome, random: Random, number: number, template: string) {
    this.template = template;
    this.memory = memory;
    this.random = random;
    this.number = number;
    this.agent = Object.keys(dialects)[number % Object.keys(dialects).length] as string;
    this.dialect = dialects[this.agent] as Dialect;
  }

  begin(): void {
    cpSync(this.template, this.memory.work, { recursive: true });
    this.tell(this.dialect.start(this.speaker(), 'startup'));
  }

  /** The actions of agents and others. Each returns false if it is not possible now. */
  private readonly all: Record<string, () => boolean> = {
    read: () => this.readWhole((path, text) => this.dialect.read(this.speaker(), path, text)),
    'partial read': () => this.readPart(),
    'shell cat': () =>
      this.readWhole((_path, text, name) => this.dialect.shell(this.speaker(), `cd . && cat ${name}`, text)),
    'shell search': () => {
      const name = this.anyFile();
      if (name === undefined) return false;
      this.tell(this.dialect.shell(this.speaker(), `rg -n value ${name}`, `${name}:1:value\n`));
      return true;
    },
    'edit by agent': () => this.editByAgent(false),
    'edit by agent, then a formatter': () => this.editByAgent(true),
    'write by agent': () => {
      const name = this.anyFile();
      if (name === undefined) return false;
      const text = this.invent(this.random.whole(3, 30));
      this.put(name, text);
      this.tell(this.dialect.write(this.speaker(), this.path(name), text));
      this.oracle.sawWhole(name, text);
      return true;
    },
    'edit outside': () => {
      const name = this.anyFile();
      if (name === undefined) return false;
      this.changeOutside(name);
      return true;
    },
    'touch outside': () => {
      const name = this.anyFile();
      if (name === undefined) return false;
      utimesSync(this.path(name), new Date(), new Date());
      return true;
    },
    rename: () => {
      const name = this.anyFile();
      if (name === undefined) return false;
      const other = `${name.replace(/\.\w+$/, '')}-${this.files.length}.ts`;
      renameSync(this.path(name), this.path(other));
      this.files.push(other);
      return true;
    },
    checkout: () => {
      this.git('checkout', '-q', '-f', this.random.pick(['main', 'other']));
      return true;
    },
    compaction: () => {
      this.tell(this.dialect.compact(this.speaker()));
      if (this.random.chance(0.5)) this.tell(this.dialect.start(this.speaker(), 'compact'));
      this.oracle.lost();
      return true;
    },
    clear: () => {
      this.tell(this.dialect.end(this.speaker(), 'clear'));
      this.sessions += 1;
      this.tell(this.dialect.start(this.speaker(), 'clear'));
      this.oracle.lost();
      return true;
    },
    resume: () => {
      this.tell(this.dialect.end(this.speaker(), 'other'));
      this.tell(this.dialect.start(this.speaker(), 'resume'));
      return true;
    },
    'read by a subagent': () => {
      const name = this.anyFile();
      if (name === undefined || !['claude-code', 'codex'].includes(this.agent)) return false;
      const helper = { ...this.speaker(), subagent: `helper-${this.story.length}` };
      this.tell(this.dialect.read(helper, this.path(name), this.text(name) ?? ''));
      const stop = {
        hook_event_name: 'SubagentStop',
        session_id: helper.session,
        prompt_id: 'turn',
        cwd: helper.cwd,
      };
      const codex = this.agent === 'codex' ? { turn_id: 'turn' } : {};
      const answer = {
        agent_id: helper.subagent,
        agent_type: 'explore',
        last_assistant_message: 'Explored.',
      };
      this.tell({ ...stop, ...codex, ...answer });
      return true;
    },
  };

  readonly moves = [
    ...Object.keys(this.all),
    // Names of the actions to choose from; those that agents do often are listed several times.
    ...['read', 'read', 'partial read', 'edit by agent', 'edit by agent', 'shell cat', 'edit outside'],
  ];

  play(name: string): boolean {
    const done = this.all[name]?.() ?? false;
    if (done) this.story.push(name);
    return done;
  }

  async ask(tally: Tally): Promise<void> {
    const { memory, random, oracle } = this;
    const name = random.pick(this.files);
    const { parts, place, follower } = this.asked();
    const memo = await openSessionMemo(parts, follower, place, {}, memory.clock.now());
    const answer = memo.ask(name, false);
    const isTrue = oracle.isTrue(name, this.text(name));
    tally.asked += 1;
    if (answer.status === 'fresh') tally.fresh += 1;
    if (isTrue) tally.trulyFresh += 1;
    if (answer.status === 'fresh' && !isTrue) {
      tally.wronglyFresh += 1;
      this.example(tally, `wrongly fresh: ${name}`);
    }
    if (answer.status !== 'fresh' && isTrue) {
      if (memo.agentSession === '') tally.ambiguous += 1;
      else {
        tally.needless += 1;
        this.example(tally, `needless ${answer.status}: ${name}`);
      }
    }
  }

  /**
   * Returns the server that answers for Memo: usually the one that lives as long as the session, sometimes one that was
   * just started.
   */
  private asked() {
    if (this.server === undefined || this.random.chance(0.1)) {
      const parts = this.memory.open();
      const { place } = resolvePlace(this.memory.paths, this.memory.work, this.memory.clock);
      this.server = { parts, place, follower: followMemo(parts, { pid: clientPid }) };
    }
    return this.server;
  }

  private example(tally: Tally, what: string): void {
    if (tally.examples.length < 12)
      tally.examples.push(`${this.agent} ${this.number}: ${what} after ${this.story.slice(-8).join(', ')}`);
  }

  private readWhole(call: (path: string, text: string, name: string) => object): boolean {
    const name = this.anyFile();
    const text = name === undefined ? undefined : this.text(name);
    if (name === undefined || text === undefined) return false;
    this.tell(call(this.path(name), text, name));
    this.oracle.sawWhole(name, text);
    return true;
  }

  private readPart(): boolean {
    const name = this.anyFile();
    const lines = name === undefined ? [] : fileLines(this.text(name) ?? '');
    if (name === undefined || lines.length < 4) return false;
    const from = this.random.whole(0, lines.length - 2);
    const count = this.random.whole(1, Math.min(20, lines.length - from - 1));
    const range = { startLine: from + 1, lines: count };
    this.tell(this.dialect.read(this.speaker(), this.path(name), this.text(name) ?? '', range));
    this.oracle.sawPart(name, from, lines.slice(from, from + count));
    return true;
  }

  /** The agent edits lines it has seen; its tool refuses if the file has changed there. */
  private editByAgent(isFormatted: boolean): boolean {
    const name = this.anyFile();
    const before = name === undefined ? undefined : this.text(name);
    if (name === undefined || before === undefined) return false;
    const disk = fileLines(before);
    const known = this.oracle.editable(name, disk);
    if (known === undefined || known.end <= known.from) return false;
    const at = this.random.whole(known.from, known.end - 1);
    const removed = this.random.whole(1, Math.min(3, known.end - at));
    const old = disk.slice(at, at + removed);
    const added = fileLines(this.invent(this.random.whole(1, 4)));
    // The edit tool requires that the text to replace occurs exactly once in the file.
    if (before.split(old.join('\n')).length !== 2) return false;
    const lines = [...disk.slice(0, at), ...added, ...disk.slice(at + removed)];
    this.put(name, `${lines.join('\n')}\n`);
    if (isFormatted) this.changeOutside(name);
    this.tell(this.dialect.edit(this.speaker(), this.path(name), before, old.join('\n'), added.join('\n')));
    this.oracle.edited(name, disk, at, removed, added);
    return true;
  }

  private changeOutside(name: string): void {
    const lines = fileLines(this.text(name) ?? '');
    const at = this.random.whole(0, Math.max(0, lines.length - 1));
    const kind = this.random.whole(0, 3);
    if (kind === 0) lines.splice(at, 0, this.line());
    else if (kind === 1 && lines.length > 1) lines.splice(at, 1);
    else if (kind === 2) lines.push(this.line());
    else lines[at] = this.line();
    this.put(name, `${lines.join('\n')}\n`);
  }

  private tell(call: object): void {
    this.memory.hook(call);
  }

  private speaker(): Speaker {
    return { cwd: this.memory.work, session: `session-${this.number}-${this.sessions}` };
  }

  private anyFile(): string | undefined {
    const there = this.files.filter((name) => existsSync(this.path(name)));
    return there.length === 0 ? undefined : this.random.pick(there);
  }

  private line(): string {
    return inventLine(this.random);
  }

  private invent(count: number): string {
    return inventText(this.random, count);
  }

  private path(name: string): string {
    return join(this.memory.work, name);
  }

  private text(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  private put(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  private git(...args: string[]): void {
    git(this.memory.work, ...args);
  }
}

/** Returns a line from a small vocabulary. Lines repeat, so that Memo cannot tell them apart by luck. */
const inventLine = (random: Random): string =>
  random.chance(0.15) ? '}' : `  const value${random.whole(0, 400)} = ${random.whole(0, 9)};`;

const inventText = (random: Random, count: number): string =>
  `${Array.from({ length: count }, () => inventLine(random)).join('\n')}\n`;

/** A repository with two branches that differ in most files, copied for every run. */
export function makeTemplate(folder: string, random: Random): string {
  mkdirSync(join(folder, 'src'), { recursive: true });
  const fill = (files: string[]) => {
    for (const name of files) writeFileSync(join(folder, name), inventText(random, random.whole(6, 60)));
  };
  git(folder, 'init', '-q', '--template=', '-b', 'main', '.');
  fill(names);
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  git(folder, 'checkout', '-q', '-b', 'other');
  fill(names.slice(0, 2));
  git(folder, 'commit', '-qam', 'second');
  git(folder, 'checkout', '-q', 'main');
  return folder;
}

function git(cwd: string, ...args: string[]): void {
  const identity = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.org' };
  const env = { ...process.env, ...identity, ...committer, GIT_CONFIG_GLOBAL: '/dev/null' };
  execFileSync('git', args, { cwd, env, stdio: 'ignore' });
}
