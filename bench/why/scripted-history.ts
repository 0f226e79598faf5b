import { renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Random } from '../../test/harness/random.ts';
import { commitAll, editAs, gitAt, put } from '../../test/support/agent-edits.ts';
import type { MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import type { Donors } from './donors.ts';
import { Shadow, type ShadowLine } from './shadow.ts';

/**
 * Changes a real repository step by step: agents and people write real code of other repositories into it, and the code
 * is then renamed, moved, formatted, squashed, cherry-picked or partly reverted.
 */
export interface Script {
  shadow: Shadow;
  /** Performs one random step and returns its name for counting. */
  step(): string;
  /** Leaves some lines of agents and of people uncommitted. */
  finish(): void;
}

const isBlank = ({ text }: { text: string }): boolean => text.trim() === '';
const letters = (lines: { text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + text.replace(/[^\p{L}\p{N}]/gu, '').length, 0);

export function createScript(memory: MemoryHome, files: string[], donors: Donors, random: Random): Script {
  const shadow = new Shadow(memory.work);
  const alive = new Set(files);
  let sessions = 0;
  let commits = 0;
  const anyFile = (): string => random.pick([...alive]);
  const commit = (why: string): string => {
    commits++;
    const hash = commitAll(memory, `${why} (${commits})`);
    shadow.landed(hash);
    return hash;
  };

  /** Inserts lines only where git has a single way to show the insertion; it may slide a block over an equal line. */
  function insert(path: string, writer: string | undefined, length = random.whole(1, 12)): void {
    const lines = shadow.lines(path);
    for (let tries = 0; tries < 40; tries++) {
      const block = donors.block(path, length);
      const at = random.whole(0, lines.length);
      const same = (a: string | undefined, b: string | undefined) => a?.trim() === b?.trim();
      if (block.every((text) => text.trim() === '') || same(block[0], lines[at]?.text)) continue;
      if (same(block.at(-1), lines[at - 1]?.text)) continue;
      const made = block.map((text): ShadowLine => ({ text, writer, commit: '', fates: new Set() }));
      lines.splice(at, 0, ...made);
      return;
    }
  }

  /** Changes a word of a line, which makes its editor the author of the line. */
  function change(path: string, writer: string | undefined): void {
    const lines = shadow.lines(path);
    const candidates = lines.flatMap((line, at) => (/\w{4,}/.test(line.text) ? [at] : []));
    if (candidates.length === 0) return;
    const at = random.pick(candidates);
    const old = lines[at] as ShadowLine;
    const text = old.text.replace(/\w{4,}/, (word) => `${word}${random.whole(2, 9)}`);
    lines[at] = { text, writer, commit: '', fates: new Set() };
  }

  function remove(path: string): void {
    const lines = shadow.lines(path);
    if (lines.length > 30) lines.splice(random.whole(0, lines.length - 4), random.whole(1, 3));
  }

  function touch(path: string, writer: string | undefined): void {
    const kind = random.next();
    if (kind < 0.7) insert(path, writer);
    else if (kind < 0.9) change(path, writer);
    else remove(path);
  }

  function startSession(): { session: string; turn: string } {
    sessions++;
    const session = `${String(sessions).padStart(4, '0')}-${random.whole(1e6, 9e6)}`;
    const turn = `turn-of-${session}`;
    memory.prompt(`Task ${sessions}: please do piece ${session} of the work.`, {
      session_id: session,
      prompt_id: turn,
    });
    return { session, turn };
  }

  /** One to four edits, each reported by the hook. */
  function agentWorks(paths = [anyFile(), anyFile()]): { session: string; paths: string[] } {
    const { session, turn } = startSession();
    for (let edits = random.whole(1, 4); edits > 0; edits--) {
      const path = random.pick(paths);
      touch(path, session);
      editAs(memory, session, turn, path, shadow.text(path));
    }
    memory.answer(`Done with ${session}.`, { session_id: session, prompt_id: turn });
    return { session, paths };
  }

  function personWorks(paths = [anyFile()]): void {
    for (let edits = random.whole(1, 3); edits > 0; edits--) {
      const path = random.pick(paths);
      touch(path, undefined);
      shadow.write(path);
    }
  }

  const mark = (lines: Iterable<ShadowLine>, fate: string): void => {
    for (const line of lines) if (line.commit !== undefined) line.fates.add(fate);
  };

  function rename(path: string): string {
    const to = join(dirname(path), `${basename(path, extname(path))}${random.whole(10, 99)}${extname(path)}`);
    renameSync(join(memory.work, path), join(memory.work, to));
    shadow.files.set(to, shadow.lines(path));
    shadow.files.delete(path);
    alive.delete(path);
    alive.add(to);
    return to;
  }

  function reindent(path: string): void {
    const lines = shadow.lines(path);
    const hasTabs = lines.some(({ text }) => text.startsWith('\t'));
    for (const line of lines)
      line.text = hasTabs
        ? line.text.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))
        : line.text.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2));
    shadow.write(path);
  }

  /** A range of scripted lines long enough for git to detect it elsewhere. */
  function scriptedBlock(path: string): { at: number; length: number } | undefined {
    const lines = shadow.lines(path);
    for (let at = 0; at < lines.length; at++) {
      const first = lines[at] as ShadowLine;
      if (first.commit === undefined || first.commit === '') continue;
      let end = at;
      while (lines[end]?.commit === first.commit) end++;
      if (end - at >= 4 && letters(lines.slice(at, end)) >= 100) return { at, length: end - at };
      at = end - 1;
    }
    return undefined;
  }

  const steps: Record<string, () => boolean> = {
    'agent alone': () => {
      agentWorks();
      commit('Agent');
      return true;
    },
    'person alone': () => {
      personWorks();
      commit('Person');
      return true;
    },
    'agent and person in one commit': () => {
      const { paths } = agentWorks();
      personWorks(paths);
      commit('Both');
      return true;
    },
    'two agents in one commit': () => {
      agentWorks(agentWorks().paths);
      commit('Two agents');
      return true;
    },
    rename: () => {
      if (shadow.files.size === 0) return false;
      const path = random.pick([...shadow.files.keys()]);
      mark(shadow.lines(rename(path)), 'renamed');
      commit('Rename');
      return true;
    },
    'move between files': () => {
      const from = [...random.shuffled([...shadow.files.keys()])].find(
        (path) => scriptedBlock(path) !== undefined,
      );
      if (from === undefined) return false;
      const to = random.pick([...alive].filter((path) => path !== from));
      const { at, length } = scriptedBlock(from) as { at: number; length: number };
      const block = shadow.lines(from).splice(at, length);
      shadow.lines(to).push(...block);
      mark(block, 'moved');
      // The commit that brought a line to its file.
      for (const line of block) line.commit = '';
      shadow.write(from);
      shadow.write(to);
      commit('Move');
      return true;
    },
    reformat: () => {
      if (shadow.files.size === 0) return false;
      const path = random.pick([...shadow.files.keys()]);
      reindent(path);
      mark(shadow.lines(path), 'reformatted');
      commit('Format');
      return true;
    },
    'reformat before the commit': () => {
      const { paths } = agentWorks([anyFile()]);
      const path = paths[0] as string;
      reindent(path);
      mark(
        shadow.lines(path).filter((line) => line.commit === ''),
        'formatted before commit',
      );
      commit('Agent, formatted');
      return true;
    },
    'squash merge': () => {
      const name = `branch-${commits}`;
      git(memory.work, 'checkout', '-q', '-b', name);
      const made: string[] = [];
      for (let count = random.whole(2, 3); count > 0; count--) {
        const { paths } = agentWorks();
        if (random.chance(0.3)) personWorks(paths);
        made.push(commit('On a branch'));
        if (random.chance(0.3)) {
          const path = paths.find((each) => alive.has(each));
          if (path !== undefined) rename(path);
          made.push(commit('Rename on a branch'));
        }
      }
      git(memory.work, 'checkout', '-q', 'trunk');
      if (random.chance(0.5)) {
        // Meanwhile, another commit goes to the trunk branch.
        put(memory, `NEWS-${commits}`, `${commits}\n`);
        commitAll(memory, 'Meanwhile');
      }
      git(memory.work, 'merge', '-q', '--squash', name);
      const hash = commitAll(memory, 'Squashed');
      for (const lines of shadow.files.values())
        mark(
          lines.filter((line) => made.includes(line.commit ?? '')),
          'squashed',
        );
      shadow.landed(hash, made);
      return true;
    },
    'cherry-pick': () => {
      const path = anyFile();
      const name = `pick-${commits}`;
      git(memory.work, 'checkout', '-q', '-b', name);
      agentWorks([path]);
      const picked = commit('To be picked');
      git(memory.work, 'checkout', '-q', 'trunk');
      personWorks([random.pick([...alive].filter((each) => each !== path))]);
      commit('Meanwhile');
      gitAt(memory.clock.now(), memory.work, 'cherry-pick', '--allow-empty', name);
      mark(
        shadow.lines(path).filter((line) => line.commit === picked),
        'cherry-picked',
      );
      shadow.landed(git(memory.work, 'rev-parse', 'HEAD').trim(), [picked]);
      return true;
    },
    'partial revert': () => {
      const path = [...random.shuffled([...shadow.files.keys()])].find(
        (each) => scriptedBlock(each) !== undefined,
      );
      if (path === undefined) return false;
      const { at, length } = scriptedBlock(path) as { at: number; length: number };
      const gone = shadow.lines(path).splice(at, Math.ceil(length / 2));
      mark(shadow.lines(path).slice(at, at + Math.floor(length / 2)), 'reverted in part');
      shadow.write(path);
      commit('Revert in part');
      if (random.chance(0.5)) return true;
      // Reverts the revert: the lines return with another commit, but keep their author.
      const again = gone.map(
        (line): ShadowLine => ({ ...line, commit: '', fates: new Set([...line.fates, 'restored']) }),
      );
      shadow.lines(path).splice(at, 0, ...again);
      shadow.write(path);
      commit('Restore');
      return true;
    },
    'thrown away and done again': () => {
      const path = anyFile();
      const { session, turn } = startSession();
      const before = [...shadow.lines(path)];
      insert(path, session, random.whole(2, 8));
      editAs(memory, session, turn, path, shadow.text(path));
      git(memory.work, 'checkout', '-q', '.');
      const next = startSession();
      const made = shadow
        .lines(path)
        .map((line) => (before.includes(line) ? line : { ...line, writer: next.session }));
      shadow.files.set(path, made);
      editAs(memory, next.session, next.turn, path, shadow.text(path));
      mark(
        made.filter((line) => line.commit === ''),
        'done again',
      );
      commit('Second try');
      return true;
    },
  };

  const names = Object.keys(steps);
  return {
    shadow,
    step() {
      const name = random.pick(names);
      if (steps[name]?.() === true) return name;
      agentWorks();
      commit('Agent');
      return 'agent alone';
    },
    finish() {
      const { paths } = agentWorks();
      personWorks(paths);
      for (const lines of shadow.files.values())
        mark(
          lines.filter((line) => line.commit === '' && !isBlank(line)),
          'uncommitted',
        );
    },
  };
}
