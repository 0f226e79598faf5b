import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { createSymbolReader } from '../../src/code/symbols/symbol-reader.ts';
import type { Chunk } from '../../src/domain/chunk.ts';
import { anchorsFromUser } from '../../src/drift/anchors-from-user.ts';
import type { CheckedCode } from '../../src/drift/current-code.ts';
import { notePartsOf } from '../../src/memory/notes/note-parts.ts';
import { rememberNote } from '../../src/memory/notes/remember.ts';
import { chunksOfNote } from '../../src/recall/chunks.ts';
import { type Evidence, withEvidence } from '../../src/recall/evidence.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import type { Random } from '../../test/harness/random.ts';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import type { MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import type { Donors } from '../why/donors.ts';
import { type Block, chooseBlock, suitableFiles } from './blocks.ts';
import { type Fate, makeFate, makers } from './fates.ts';

/** The kinds of evidence by which a memory can be anchored to a block of code. Repeated ones are chosen more often. */
const ties = ['edit', 'edit', 'edit', 'read', 'note', 'commit'] as const;
type Tie = (typeof ties)[number];

/** Whether and how the block is committed before the evaluation changes it. */
const times = ['committed', 'committed', 'uncommitted', 'never committed', 'squashed'] as const;

export interface Pair {
  tie: Tie;
  time: (typeof times)[number] | 'on a branch';
  block: Block;
  fate: Fate;
  session: string;
  /** The commit that changed the block, or `uncommitted`. */
  by: string;
  chunk?: Chunk | undefined;
}

export interface Parts {
  memory: MemoryHome;
  reader: ReturnType<typeof createSymbolReader>;
  donors: Donors;
  random: Random;
  code: CheckedCode;
}

/**
 * Creates anchors in one checkout, one per file, and changes each block. Leaves the working tree in the state that the
 * answers refer to.
 */
export async function playScene(
  parts: Parts,
  size: number,
  session: (at: number) => string,
): Promise<Pair[]> {
  const { memory, random, donors } = parts;
  const { work } = memory;
  const pairs = await choosePairs(parts, size, session);
  const whole = new Map(pairs.map(({ block }) => [block.path, readFileSync(join(work, block.path), 'utf8')]));
  const isWritten = ({ tie }: Pair) => tie === 'edit' || tie === 'commit';
  const inTime = (...names: Pair['time'][]) => pairs.filter(({ time }) => names.includes(time));
  for (const pair of pairs.filter(isWritten))
    takeBack(work, pair.block, whole.get(pair.block.path) as string, random);
  commitAll(memory, 'Before');
  const branch = `feature/${session(0)}`;
  git(work, 'checkout', '-q', '-b', branch);
  for (const pair of inTime('on a branch')) tieByEdit(memory, pair, whole);
  commitAll(memory, 'On a branch');
  git(work, 'checkout', '-q', 'trunk');
  for (const pair of inTime('committed', 'uncommitted')) {
    if (pair.tie === 'edit') tieByEdit(memory, pair, whole);
  }
  commitAll(memory, 'Agents');
  git(work, 'checkout', '-q', '-b', `${branch}-squashed`);
  for (const pair of inTime('squashed')) tieByEdit(memory, pair, whole);
  commitAll(memory, 'To be squashed');
  git(work, 'checkout', '-q', 'trunk');
  git(work, 'merge', '-q', '--squash', `${branch}-squashed`);
  commitAll(memory, 'Squashed');
  for (const pair of pairs.filter(({ tie }) => tie === 'commit')) {
    put(memory, pair.block.path, whole.get(pair.block.path) as string);
    pair.chunk = commitChunk(pair, commitAll(memory, `Add ${pair.session}`));
  }
  for (const pair of pairs) {
    if (pair.tie === 'read') tieByRead(memory, pair);
    if (pair.tie === 'note') pair.chunk = await tieByNote(parts, pair);
  }
  for (const half of [0, 1]) {
    const due = inTime('committed', 'squashed').filter((_, at) => at % 2 === half);
    for (const { fate } of due) apply(work, fate);
    const hash = commitAll(memory, `Fates ${half}`);
    for (const pair of due) pair.by = hash;
    for (const { fate } of due) if (random.chance(0.4)) addAround(work, fate, donors, random);
    commitAll(memory, 'Other work');
  }
  for (const pair of inTime('never committed')) tieByEdit(memory, pair, whole);
  for (const { fate } of inTime('uncommitted', 'never committed')) apply(work, fate);
  return pairs;
}

async function choosePairs(parts: Parts, size: number, session: (at: number) => string): Promise<Pair[]> {
  const { memory, reader, random, donors } = parts;
  const files = random.shuffled(suitableFiles(memory.work));
  const pairs: Pair[] = [];
  const names = Object.keys(makers);
  const taken = new Set<string>();
  for (const [at, path] of files.entries()) {
    if (pairs.length >= size) break;
    if (taken.has(path)) continue;
    const block = await chooseBlock(memory.work, path, reader, random);
    const sibling = files
      .slice(at + 1)
      .find((other) => !taken.has(other) && endingOf(other) === endingOf(path));
    if (block === undefined || sibling === undefined) continue;
    const lines = readFileSync(join(memory.work, path), 'utf8').split('\n');
    const other = { path: sibling, lines: readFileSync(join(memory.work, sibling), 'utf8').split('\n') };
    const name = names[(pairs.length + random.whole(0, 3)) % names.length] as string;
    const made = makeFate({ block, lines, donors, random, other }, name);
    if (made === undefined) continue;
    const tie = random.pick(ties);
    const isOnBranch = tie === 'edit' && random.chance(0.12);
    const time = isOnBranch
      ? 'on a branch'
      : tie === 'edit'
        ? random.pick(times)
        : random.pick(times.slice(0, 3));
    taken.add(path);
    if (made.files.has(sibling)) taken.add(sibling);
    const fate: Fate = isOnBranch
      ? { name: 'on another branch', truth: 'elsewhere', files: new Map(), path }
      : made;
    pairs.push({ tie, time, block, fate, session: session(pairs.length), by: 'uncommitted' });
  }
  return pairs;
}

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.'));

/** Restores the file as it was before its block was written: without the block, or with other words in its place. */
function takeBack(work: string, { path, from, to }: Block, text: string, random: Random): void {
  const lines = text.split('\n');
  const before = random.chance(0.5)
    ? []
    : lines.slice(from, to).map((line) => line.replace(/[A-Za-z_]{4,}/, (word) => `${word}Before`));
  put({ work }, path, [...lines.slice(0, from), ...before, ...lines.slice(to)].join('\n'));
}

/** Adds lines at the top or bottom, which do not change the block. */
function addAround(work: string, { path }: Fate, donors: Donors, random: Random): void {
  if (path === undefined) return;
  const lines = readFileSync(join(work, path), 'utf8').split('\n');
  const added = donors.block(path, random.whole(2, 12));
  put({ work }, path, (random.chance(0.5) ? [...added, ...lines] : [...lines, ...added, '']).join('\n'));
}

function tieByEdit(memory: MemoryHome, { session, block }: Pair, whole: Map<string, string>): void {
  const turn = `turn-of-${session}`;
  memory.prompt(`Please do ${session}.`, { session_id: session, prompt_id: turn });
  editAs(memory, session, turn, block.path, whole.get(block.path) as string);
  memory.answer(`Done with ${session}.`, { session_id: session, prompt_id: turn });
}

function tieByRead(memory: MemoryHome, { session, block }: Pair): void {
  const turn = `turn-of-${session}`;
  const filePath = join(memory.work, block.path);
  const common = { session_id: session, prompt_id: turn };
  memory.prompt(`What about ${session}?`, common);
  memory.hook({
    hook_event_name: 'PostToolUse',
    ...common,
    cwd: memory.work,
    tool_use_id: `read-${session}`,
    tool_name: 'Read',
    tool_input: { file_path: filePath },
    tool_response: {
      type: 'text',
      file: {
        filePath,
        content: block.lines.join('\n'),
        startLine: block.from + 1,
        numLines: block.lines.length,
        totalLines: 100_000,
      },
    },
  });
  memory.answer(`It is in ${block.path}.`, common);
}

async function tieByNote({ memory, code }: Parts, { block, session }: Pair): Promise<Chunk | undefined> {
  const head = git(memory.work, 'rev-parse', 'HEAD').trim();
  const place = `${block.path}:${block.from + 1}-${block.to}`;
  const tied = await anchorsFromUser([place], code, head);
  const parts = memory.open();
  const note = await rememberNote(notePartsOf(parts), {
    text: `Note of ${session}.`,
    kind: 'knowledge',
    concepts: [],
    ...tied,
    trust: 3,
    author: 'tester',
  });
  return chunksOfNote(note, parts.project)[0];
}

/**
 * Returns the memory that a drain (background indexing) would make of the commit. Reading the whole history of each
 * repository would add nothing here.
 */
const commitChunk = ({ block, session }: Pair, hash: string): Chunk => ({
  id: hash,
  project: '',
  source: 'event',
  sourceId: hash,
  kind: 'commit',
  origin: 'user',
  trust: 2,
  agent: 'backstory',
  agentSession: '',
  turn: '',
  branch: 'trunk',
  at: 0,
  paths: [block.path],
  concepts: [],
  pinned: false,
  text: `commit ${hash.slice(0, 12)}: Add ${session}`,
});

function apply(work: string, { files, rename }: Fate): void {
  if (rename !== undefined) {
    mkdirSync(dirname(join(work, rename.to)), { recursive: true });
    renameSync(join(work, rename.from), join(work, rename.to));
  }
  for (const [path, text] of files) {
    if (text === undefined) rmSync(join(work, path));
    else put({ work }, path, text);
  }
}

/** Adds to each pair the memory that recall would show, and the evidence with which its drift is checked. */
export function withChunks<T>(
  memory: MemoryHome,
  pairs: Pair[],
  work: (chunks: Map<Pair, Chunk>, evidence: Evidence) => Promise<T>,
): Promise<T> {
  return withEvidence(memory.open(), thoroughLimits, async (evidence) => {
    const chunks = new Map<Pair, Chunk>();
    for (const pair of pairs) {
      const [answer] = pair.chunk
        ? [pair.chunk]
        : await evidence.chunks({ agentSession: pair.session, kinds: ['answer'] }, 1);
      if (answer === undefined) throw new Error(`nothing was captured of ${pair.session}`);
      chunks.set(pair, answer);
    }
    return work(chunks, evidence);
  });
}
