/**
 * Makes model calls as the drain (the background process drain.js) does, with the simulated time and the limits of the
 * evaluation. spend.ts starts and kills it.
 */

import { systemClock } from '../../../src/base/clock.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { drain } from '../../../src/memory/drain.ts';
import { distilWithModel } from '../../../src/memory/notes/distil-with-model.ts';
import { deviceOf } from '../../../src/memory/projects/device.ts';
import { createGovernor } from '../../../src/spend/governor.ts';
import { type Ledger, openLedger } from '../../../src/spend/ledger.ts';
import { tryWriterLock } from '../../../src/store/sqlite/writer-lock.ts';
import { openDrain, openProject } from '../../harness/home.ts';
import { scriptedWriter } from '../../support/scripted-writers.ts';
import type { CallingProcessInput, CallingProcessOutput } from './calling-process-io.ts';

const input = JSON.parse(process.argv[2] ?? '{}') as CallingProcessInput;
const started = systemClock.now();
/** What the product saw when it last looked at the clock. */
let lastLookAt = input.at;
const clock = {
  now: () => {
    lastLookAt = input.at + systemClock.now() - started;
    return lastLookAt;
  },
};
const paths = homePaths(input.backstory);
let askingSince = 0;
let lastBegunMs = 0;
const kept = openLedger(paths.ledger, clock);
const ledger: Ledger = {
  ...kept,
  begin(attempt) {
    // It looks at the clock right before a call. On a busy machine much time can pass until it is here.
    lastBegunMs = lastLookAt - askingSince;
    return kept.begin(attempt);
  },
};

const { embedder: _, ...project } = openProject(paths.project(input.project).folder);
const parts = {
  ...project,
  paths,
  device: deviceOf(paths.device),
  actor: 'tester',
  exclude: [],
  retentionDays: 0,
  openOther: (other: string) => openDrain(paths, other, { userHome: input.home, clock }),
  userHome: input.home,
  transcriptRoots: [],
  clock,
  write: createGovernor({
    writer: scriptedWriter(input.provider, input.url, input.home),
    ledger,
    tryLock: () => tryWriterLock(paths.modelCallLock),
    caps: input.caps,
    price: input.price,
    callMs: input.callMs,
    clock,
  }),
  modelCalls: { ledger, since: 0 },
};
await drain(parts);
askingSince = clock.now();
const report = await distilWithModel(parts, { beginWithinMs: input.beginWithinMs });
const { user, system } = process.cpuUsage();
const output: CallingProcessOutput = {
  refused: report.refused ?? '',
  lastBegunMs,
  cpuMs: (user + system) / 1_000,
};
process.stdout.write(JSON.stringify(output));
