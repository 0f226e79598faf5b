import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recall } from '../../../src/recall/recall.ts';
import { thoroughLimits } from '../../../src/recall/with-index.ts';
import { encodeEvent } from '../../../src/store/events/event-line.ts';
import { showProgress } from '../../harness/evaluation.ts';
import { type Home, openProject } from '../../harness/home.ts';
import { promptInput, stopInput } from '../../harness/hook-input.ts';
import { type Audit, createLedger } from '../../harness/ledger.ts';
import { type Ended, type StartedProgram, sleep } from '../../harness/program.ts';
import type { Prose } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';

export interface Campaign {
  home: Home;
  prose: Prose;
  seed: number;
  /** Number of hooks that died by the signal. A hook that ended before the kill does not count. */
  kills: number;
}

interface CaptureOutcome {
  kills: number;
  beforeAck: number;
  afterAck: number;
  tooLate: number;
  injected: number;
  /** Acknowledged events that recall does not return exactly once. */
  notRecalledOnce: number;
  audit: Audit;
}

const lanes = 2;
const smallest = 100;
const largest = 200 * 1024;
const injectEvery = 20;

type Meeting = (program: StartedProgram, random: Random, number: number) => Promise<void>;

export async function killHooks({ home, prose, seed, kills }: Campaign): Promise<CaptureOutcome> {
  const ledger = createLedger();
  const markers = new Map<string, string>();
  const count = { kills: 0, beforeAck: 0, afterAck: 0, tooLate: 0, injected: 0 };
  let attempts = 0;

  /** Runs one hook with a unique text. `meet` decides when to kill it. */
  const attempt = async (meet: Meeting): Promise<Ended> => {
    const number = attempts++;
    // Each attempt has its own seed, so that a run can be repeated although two attempts run at a time.
    const random = createRandom(seed * 100_003 + number);
    const marker = oneWord(number);
    const words = `${marker} ${prose.take(random.size(smallest, largest), random)}`;
    if (number > 0) keepDrainsAway(home);
    const where = { cwd: home.repo, session: `session-${number % 7}` };
    const toInput = random.chance(0.5) ? promptInput : stopInput;
    const program = home.startHook(toInput(where, `turn-${number}`, words));
    await meet(program, random, number);
    const ended = await program.ended;
    ledger.enter(words, ended.acknowledged);
    for (const id of ended.acknowledged) markers.set(id, marker);
    return ended;
  };

  const lifeMs = await measureLife(() => attempt(async () => {}));
  const lane = async (): Promise<void> => {
    while (count.kills < kills) {
      const { signal, acknowledged } = await attempt(async (program, random, number) => {
        if (number % injectEvery === 0) count.injected += injectTornLine(home, random);
        await killAtSomeMoment(program, random, { lifeMs, home });
      });
      if (signal !== 'SIGKILL') count.tooLate++;
      else {
        count.kills++;
        if (acknowledged.length === 0) count.beforeAck++;
        else count.afterAck++;
      }
      showProgress(count.kills, kills);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const parts = openProject(home.projectFolder());
  let notRecalledOnce = 0;
  for (const [id, marker] of markers) {
    const { hits } = await recall(parts, { text: marker }, thoroughLimits);
    // Other texts may be near in meaning. None of them has the word, except the summary of the session.
    const having = hits.filter(({ chunk }) => chunk.source === 'event' && chunk.text.includes(marker));
    if (having.length !== 1 || hits[0]?.chunk.sourceId !== id) notRecalledOnce++;
  }
  return { ...count, notRecalledOnce, audit: ledger.audit(parts.log) };
}

/** Spells a number as one word that the search neither splits nor reduces to the stem of another. */
const oneWord = (number: number): string =>
  `marker${String(number).replace(/\d/g, (digit) => `${'bcdfghjklm'[Number(digit)]}a`)}x`;

/** Takes the lock of the drain (background indexing), so that hooks start no drain and only hooks are killed. */
function keepDrainsAway(home: Home): void {
  writeFileSync(join(home.projectFolder(), 'drain.running'), '');
}

const lifeSamples = 8;

/** Measures the longest of a few uninterrupted runs. Kills are spread over this time. */
async function measureLife(run: () => Promise<Ended>): Promise<number> {
  let longestMs = 0;
  for (let at = 0; at < lifeSamples; at++) longestMs = Math.max(longestMs, (await run()).wallMs);
  return longestMs;
}

/**
 * Kills most hooks at a moment chosen evenly over a hook's run. Some are killed as soon as the log grows or the first
 * acknowledgement arrives, because faults are most likely in those short moments.
 */
async function killAtSomeMoment(
  { child, acknowledgement, ended }: StartedProgram,
  random: Random,
  { lifeMs, home }: { lifeMs: number; home: Home },
): Promise<void> {
  const aim = random.next();
  const delayMs = random.next() * lifeMs;
  if (aim < 0.6) await Promise.race([sleep(delayMs), ended]);
  else if (aim < 0.85) await logGrows(home, () => child.exitCode === null);
  else await acknowledgement;
  child.kill('SIGKILL');
}

export async function logGrows(home: Home, isAlive: () => boolean): Promise<void> {
  const path = logFile(home);
  const before = statSync(path).size;
  while (isAlive() && statSync(path).size === before) await new Promise((resolve) => setImmediate(resolve));
}

function logFile(home: Home): string {
  const folder = join(home.projectFolder(), 'events');
  return join(folder, readdirSync(folder).sort().at(-1) as string);
}

/**
 * Appends the beginning of a line, as left by a hook that is killed during its write. Real kills rarely hit that
 * moment.
 */
function injectTornLine(home: Home, random: Random): number {
  const line = encodeEvent({ v: 1, id: 'torn', forgotten: true, pad: '.'.repeat(random.whole(0, 5_000)) });
  appendFileSync(logFile(home), line.slice(0, random.whole(1, line.length - 2)));
  return 1;
}
