import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { drain } from '../../../src/memory/drain.ts';
import { resolvePlace } from '../../../src/memory/projects/projects.ts';
import { applyRetention } from '../../../src/memory/retention.ts';
import { scanProject } from '../../../src/memory/scan.ts';
import { verify } from '../../../src/memory/verify.ts';
import { createEventLog } from '../../../src/store/events/event-log.ts';
import { showProgress } from '../../harness/evaluation.ts';
import { type Home, openDrain } from '../../harness/home.ts';
import { promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { sleep, startProgram } from '../../harness/program.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { sampleEvent } from '../../harness/sample-event.ts';

export interface OrdinaryRuns {
  runs: number;
  kills: number;
  forgotten: number;
  /** Files in which `scan` overwrote a secret. */
  scanned: number;
  /** Messages that reported damage although nothing was damaged. */
  alarms: string[];
}

/** Runs Backstory's own programs on its log and kills many of them. None of this is damage. */
export async function ordinaryRuns(
  home: Home,
  prose: Prose,
  random: Random,
  runs: number,
): Promise<OrdinaryRuns> {
  home.hook(sessionStartInput({ cwd: home.repo, session: 'ordinary' }));
  const { place } = resolvePlace(homePaths(home.backstory), home.repo, systemClock);
  const paths = homePaths(home.backstory);
  const parts = openDrain(paths, place.project, { userHome: home.home, clock: systemClock });
  const own = paths.project(place.project);
  const outcome: OrdinaryRuns = { runs: 0, kills: 0, forgotten: 0, scanned: 0, alarms: [] };
  let number = 0;
  const killed = async (started: ReturnType<typeof startProgram>): Promise<void> => {
    await sleep(random.whole(0, 250));
    if (started.child.kill('SIGKILL')) outcome.kills += 1;
    await started.ended;
  };
  const steps: Record<string, () => Promise<void>> = {
    async capture() {
      const where = { cwd: home.repo, session: 'ordinary' };
      const turn = `turn-${number++}`;
      await home.startHook(promptInput(where, turn, prose.take(random.size(50, 9_000), random))).ended;
      await home.startHook(stopInput(where, turn, prose.take(random.size(50, 9_000), random))).ended;
    },
    async 'capture, killed'() {
      const where = { cwd: home.repo, session: 'ordinary' };
      await killed(home.startHook(promptInput(where, `turn-${number++}`, prose.take(200_000, random))));
    },
    drain: async () => void (await drain(parts)),
    'drain, killed': () => killed(home.startDrain()),
    async 'forget, some of them killed'() {
      const ids = [...parts.log.read({})].flatMap(({ entry }) =>
        entry.kind === 'event' && entry.event.kind === 'prompt' ? [entry.event.id] : [],
      );
      if (ids.length === 0) return;
      const doomed = Array.from({ length: random.whole(1, 5) }, () => random.pick(ids));
      const script = [
        join('test', 'faults', 'log-damage', 'forget-events.ts'),
        home.backstory,
        place.project,
        ...doomed,
      ];
      if (random.chance(0.7)) await killed(startProgram(script, { cwd: process.cwd(), env: home.env }));
      // Run the killed command again, as the user would. It is complete once it has ended.
      await startProgram(script, { cwd: process.cwd(), env: home.env }).ended;
      outcome.forgotten += doomed.length;
    },
    async retention() {
      const old = Date.UTC(2026, random.whole(0, 5), 15);
      const events = Array.from({ length: 5 }, () => sampleEvent(number++, place.project, prose, random));
      createEventLog(own.events, { now: () => old }).append(events);
      await drain(parts);
      for (let time = 0; time < 2; time++) applyRetention(own, 120, systemClock.now());
    },
    async scan() {
      const event = sampleEvent(number++, place.project, prose, random);
      const token = [
        'ghp',
        Array.from({ length: 36 }, () => random.pick([...'abcXYZ0123456789'])).join(''),
      ].join('_');
      parts.log.append([{ ...event, body: { text: `The token is ${token}.` } } as typeof event]);
      if (random.chance(0.5)) await drain(parts);
      outcome.scanned += (await scanProject(parts, { isDryRun: false })).length;
    },
    reindex: async () => parts.access.discard(),
  };
  const names = Object.keys(steps);
  for (let run = 0; run < runs; run++) {
    const done: string[] = [];
    for (let count = random.whole(1, 3); count > 0; count--) {
      const name = run < names.length && count === 1 ? (names[run] as string) : random.pick(names);
      await steps[name]?.();
      done.push(name);
    }
    await home.drainsEnded();
    if (random.chance(0.5)) await drain(parts);
    const found = await verify(parts);
    if (!found.ok) {
      const what = [
        ...found.log.damage.map(({ detail }) => detail),
        ...found.notes.map(({ state }) => state),
      ];
      outcome.alarms.push(`${done.join(', ')}: ${what.join(', ')} ${found.unforgotten.length}`);
    }
    outcome.runs += 1;
    showProgress(run + 1, runs);
  }
  return outcome;
}
