import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { catchUp } from '../../../src/recall/catch-up.ts';
import { recall } from '../../../src/recall/recall.ts';
import { quickLimits, type RecallParts } from '../../../src/recall/with-index.ts';
import { type Home, openProject } from '../../harness/home.ts';
import { sessionStartInput } from '../../harness/hook-input.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { sampleEvent } from '../../harness/sample-event.ts';
import { sampleNote } from '../../harness/sample-note.ts';

/** How a writer left the index: closed, or killed with its write-ahead log. */
export type Start = 'sealed' | 'killed';

/** The index files before the damage. */
export interface Site {
  /** The folder `index` of the project. */
  folder: string;
  database: string;
  pointer: string;
  seal: string;
  wal: string;
  shm: string;
  lock: string;
  inode: number;
  /** An older state of the same database. */
  olderDatabase: string;
  /** A digest of the files, to check that a damage changed something. */
  print: string;
}

export interface DamagedProject {
  events: number;
  notes: number;
  questions: string[];
  begin(start: Start): Site;
  differsFrom(site: Site): boolean;
  isRebuilt(site: Site): boolean;
  /** Deletes the index, so that one damage does not affect the next. */
  reset(): Promise<void>;
  /** Asks every question in this process. True if all answers are the same as before the damage. */
  isRight(): Promise<boolean>;
  /** Asks one question with the installed command. True if its answer is the same as before the damage. */
  commandIsRight(random: Random): boolean;
}

const events = 400;
const youngerEvents = 250;
const notes = 24;

const questions = [
  'why is the queue durable',
  'stale index',
  'torn record',
  'retry timeout budget',
  'who reads the transcript cursor',
  'parser token',
  'password string',
  'snapshot migration release',
  'src worker ts',
  'private note about the cache',
  'commit branch',
  'atomic transaction batch',
  'schema table row column',
  'hook agent server',
  'api key credential',
  'socket stream buffer page',
  'note 7',
  'note about the parser',
  'rank score limit',
  'example.org docs',
  'lexer fixture suite',
  'early session',
  'apiKey process.env',
  'what replaces the broken folder',
];

export async function buildProject(home: Home, prose: Prose, random: Random): Promise<DamagedProject> {
  home.hook(sessionStartInput({ cwd: home.repo, session: 'damage' }));
  const folder = home.projectFolder();
  const parts = openProject(folder);
  const images = join(home.home, 'images');
  for (let at = 0; at < notes; at++) await parts.notes.put(sampleNote(at, prose, random));
  const batch = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => sampleEvent(from + at, parts.project, prose, random));
  parts.log.append(batch(0, youngerEvents));
  await ask(parts, questions[0] as string);
  copyIndex(join(folder, 'index'), join(images, 'younger'));
  parts.log.append(batch(youngerEvents, events));
  await leaveAsKilled(parts, join(folder, 'index'), join(images, 'killed'));
  await ask(parts, questions[0] as string);
  const answers = new Map<string, string>();
  for (const question of questions) answers.set(question, await ask(parts, question));
  const siteNow = (): Site => siteOf(folder, join(images, 'younger'));
  return {
    events,
    notes,
    questions,
    begin(start) {
      if (start === 'killed') {
        rmSync(join(folder, 'index'), { recursive: true });
        copyIndex(join(images, 'killed'), join(folder, 'index'));
      }
      return siteNow();
    },
    differsFrom: (site) => printOf(site) !== site.print,
    isRebuilt: (site) => siteNow().inode !== site.inode,
    reset() {
      rmSync(join(folder, 'index'), { recursive: true, force: true });
      rmSync(join(folder, 'writer.lock'), { recursive: true, force: true });
      return parts.access.forWriting()?.close() ?? Promise.resolve();
    },
    async isRight() {
      for (const question of questions)
        if ((await ask(parts, question)) !== answers.get(question)) return false;
      return true;
    },
    commandIsRight(random) {
      const question = random.pick(questions);
      const { hits } = home.json<{ hits: { id: string; text: string }[] }>('recall', question);
      return printHits(hits) === answers.get(question);
    },
  };
}

async function ask(parts: RecallParts, text: string): Promise<string> {
  try {
    const { hits } = await recall(parts, { text }, quickLimits);
    return printHits(hits.map(({ id, chunk }) => ({ id, text: chunk.text })));
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}

/** Returns the ids of the hits in order, and whether their texts are complete, for comparison. */
const printHits = (hits: { id: string; text: string }[]): string =>
  hits.map(({ id, text }) => `${id} ${createHash('sha256').update(text).digest('hex')}`).join('\n');

/** Leaves the files as a writer does that is killed after its last commit: no seal, and a full write-ahead log. */
async function leaveAsKilled(parts: RecallParts, index: string, image: string): Promise<void> {
  const writing = parts.access.forWriting();
  if (writing === undefined) throw new Error('nobody else should be writing');
  await catchUp(parts, writing.index, { maxBytes: quickLimits.maxBytes });
  copyIndex(index, image);
  await writing.close();
}

function copyIndex(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

function siteOf(projectFolder: string, younger: string): Site {
  const folder = join(projectFolder, 'index');
  const names = readdirSync(folder);
  const pointer = join(folder, names.find((name) => name.startsWith('CURRENT-')) as string);
  const database = join(folder, readFileSync(pointer, 'utf8').trim());
  const site = {
    folder,
    database,
    pointer,
    seal: `${database}.seal`,
    wal: `${database}-wal`,
    shm: `${database}-shm`,
    lock: join(projectFolder, 'writer.lock'),
    inode: statSync(database).ino,
    olderDatabase: join(younger, readdirSync(younger).find((name) => name.endsWith('.db')) as string),
  };
  return { ...site, print: printOf(site) };
}

function printOf(site: Omit<Site, 'print'>): string {
  const hash = createHash('sha256');
  for (const path of [site.database, site.pointer, site.seal, site.wal, site.shm, site.lock]) {
    hash
      .update(statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : 'no file')
      .update('\0');
  }
  return hash.digest('hex');
}
