import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recall } from '../../../src/recall/recall.ts';
import { quickLimits, type RecallParts } from '../../../src/recall/with-index.ts';
import { encodeEvent } from '../../../src/store/events/event-line.ts';
import { type Home, openProject } from '../../harness/home.ts';
import { editInput, promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { createLedger, type Ledger } from '../../harness/ledger.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { sampleEvent } from '../../harness/sample-event.ts';
import { harmedFiles, rememberFiles } from './files-before-fault.ts';
import type { Template } from './template.ts';
import { mountSmallDisk, pageBytes } from './tmpfs.ts';

export interface Step {
  home: Home;
  template: Template;
  prose: Prose;
  random: Random;
  leftBytes: number;
  step: number;
}

export interface StepOutcome {
  acknowledged: number;
  lost: number;
  torn: number;
  hooksRefused: number;
  badExits: number;
  /** Durations of the hooks while the disk was full. */
  fullHookMs: number[];
  /** Duration of the first hook after space was freed. */
  roomyHookMs: number;
  notesStored: number;
  notesRefused: number;
  drainsFailed: number;
  recallsFailedWhileFull: number;
  /** Number of times that hooks failed to store events although the log has no record of this gap. */
  gapsMissing: number;
  oldFilesHarmed: number;
  notRecovered: number;
  temporariesLeft: number;
  problems: string[];
}

const diskBytes = 4 * 1024 * 1024;

/** Runs one step: uses a small disk, fills it, works while it is full, frees space and works again. */
export async function fillAndWork(given: Step): Promise<StepOutcome> {
  const { home, template, leftBytes, step } = given;
  const disk = mountSmallDisk(home.backstory, diskBytes);
  try {
    cpSync(template.folder, home.backstory, { recursive: true });
    const parts = openProject(join(home.backstory, 'projects', template.project));
    await endLogBeforePage(parts, given);
    // Delete the cache of folders in every second step. Without it a hook inspects the repository again and writes the
    // result.
    if (step % 2 === 1) rmSync(join(home.backstory, 'paths'), { recursive: true });
    const before = rememberFiles(home.backstory);
    disk.fillUpTo(leftBytes);
    const ledger = createLedger();
    const full = await workWhileFull(given, ledger);
    const harmed = harmedFiles(home.backstory, before);
    const whileFull = ledger.audit(parts.log);
    disk.makeRoom();
    const after = await workAgain(given, ledger, parts, full.notes);
    const hasGap = [...parts.log.read({})].some(
      ({ entry }) => entry.kind === 'event' && entry.event.kind === 'gap',
    );
    const gapsMissing = full.hooksRefused > 0 && !hasGap ? 1 : 0;
    const audit = ledger.audit(parts.log);
    return {
      ...full,
      acknowledged: audit.acknowledged,
      lost: Math.max(audit.lost + audit.altered, whileFull.lost + whileFull.altered) + after.notesLost,
      torn: audit.torn,
      notesStored: full.notes.length,
      gapsMissing,
      roomyHookMs: after.hookMs,
      oldFilesHarmed: harmed.length,
      notRecovered: after.problems.length,
      temporariesLeft: temporariesIn(home.backstory),
      problems: [...harmed.map((path) => `harmed ${path}`), ...after.problems],
    };
  } finally {
    await home.drainsEnded();
    disk.remove();
  }
}

/**
 * Appends an event so that exactly the given number of bytes fit after the end of the log. This is needed because disk
 * space is allocated in whole pages, and the log's last page may have room.
 */
async function endLogBeforePage(parts: RecallParts, { leftBytes, prose, random }: Step): Promise<void> {
  const event = sampleEvent(0, parts.project, prose, random);
  const size = Object.values(parts.log.end())[0] ?? 0;
  const withText = (text: string) => ({ ...event, body: { text } }) as typeof event;
  const bare = size + encodeEvent(withText('')).length;
  const wanted = pageBytes - (leftBytes % pageBytes);
  const padding = (((wanted - bare) % pageBytes) + pageBytes) % pageBytes;
  parts.log.append([withText('p'.repeat(padding))]);
  await recall(parts, { text: 'anything' }, quickLimits);
}

async function workWhileFull({ home, prose, random, step }: Step, ledger: Ledger) {
  const where = { cwd: home.repo, session: 'full' };
  const turn = `full-${step}`;
  const words = (length: number) => prose.take(length, random).trim();
  const calls = [
    { words: words(300), toInput: promptInput },
    { words: words(6_000), toInput: promptInput },
    { words: words(40_000), toInput: stopInput },
    { words: words(200), toInput: promptInput },
  ].map((call, at) => ({ words: call.words, input: call.toInput(where, `${turn}-${at}`, call.words) }));
  const others = [sessionStartInput(where), editInput(where, turn, `tool-${step}`, words(500).split('\n'))];
  const remember = () => home.cli('remember', `The ${turn} note says zither.`, '--json');
  // Write the note first in half of the runs: the first writer gets the last free space, and a torn line of a hook
  // would take all of it.
  const early = random.chance(0.5) ? remember() : undefined;
  const ends = [];
  for (const { words: given, input } of random.shuffled(calls)) {
    const ended = await home.startHook(input).ended;
    ledger.enter(given, ended.acknowledged);
    ends.push(ended);
  }
  for (const input of others) {
    const ended = await home.startHook(input).ended;
    ledger.enter('', ended.acknowledged);
    ends.push(ended);
  }
  await home.drainsEnded();
  const remembered = early ?? remember();
  const drained = await home.startDrain().ended;
  const recalled = home.cli('recall', 'xylophone', '--json');
  return {
    hooksRefused: ends.filter(({ acknowledged }) => acknowledged.length === 0).length,
    badExits: ends.filter(({ code }) => code !== 0).length,
    fullHookMs: ends.map(({ wallMs }) => wallMs),
    notes: remembered.status === 0 ? [(JSON.parse(remembered.stdout) as { id: string }).id] : [],
    notesRefused: remembered.status === 0 ? 0 : 1,
    drainsFailed: drained.code === 0 ? 0 : 1,
    recallsFailedWhileFull: recalled.status === 0 && recalled.stdout.includes('xylophone') ? 0 : 1,
  };
}

/**
 * Runs the next hook, question and drain (background indexing) after space was freed, without repairing anything by
 * hand.
 */
async function workAgain(
  { home, template, step }: Step,
  ledger: Ledger,
  parts: RecallParts,
  notes: string[],
) {
  const problems: string[] = [];
  const where = { cwd: home.repo, session: 'after' };
  const word = `afterwards${'bcdfghjklm'[step % 10]}`;
  const ended = await home.startHook(promptInput(where, `after-${step}`, `Now ${word} again`)).ended;
  ledger.enter(`Now ${word} again`, ended.acknowledged);
  if (ended.acknowledged.length !== 1) problems.push('the next hook stored nothing');
  for (const wanted of [template.noteWord, word]) {
    const { status, stdout } = home.cli('recall', wanted, '--json');
    const hits = status === 0 ? (JSON.parse(stdout) as { hits: { text: string }[] }).hits : [];
    if (!hits[0]?.text.includes(wanted)) problems.push(`recall does not find ${wanted.slice(0, 10)}`);
  }
  if ((await home.startDrain().ended).code !== 0) problems.push('the next drain failed');
  const stored = new Set((await parts.notes.list()).map(({ id }) => id));
  const hits = await recall(parts, { text: word }, quickLimits);
  if (hits.arms.lexical !== 'answered' || hits.incomplete)
    problems.push('the index was not brought up to date');
  return { problems, hookMs: ended.wallMs, notesLost: notes.filter((id) => !stored.has(id)).length };
}

const temporariesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp')).length;
