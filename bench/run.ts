/**
 * `npm run eval` lists the evaluations; `npm run eval -- NAME [--short] [--seed N] [--data DIR] [--histories DIR]
 * [--writer NAME]` runs one. Some have options of their own.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../src/base/errors.ts';
import { asyncHooks } from '../test/faults/async-hooks/async-hooks.ts';
import { badInput } from '../test/faults/bad-input/bad-input.ts';
import { canaries } from '../test/faults/canaries/canaries.ts';
import { codeCrash } from '../test/faults/code-crash/code-crash.ts';
import { concurrentHooks } from '../test/faults/concurrent-hooks/concurrent-hooks.ts';
import { crash } from '../test/faults/crash/crash.ts';
import { diskFull } from '../test/faults/disk-full/disk-full.ts';
import { hostileFiles } from '../test/faults/hostile-files/hostile-files.ts';
import { importCrash } from '../test/faults/import-crash/import-crash.ts';
import { indexDamage } from '../test/faults/index-damage/index-damage.ts';
import { logDamage } from '../test/faults/log-damage/log-damage.ts';
import { poison } from '../test/faults/poison/poison.ts';
import { provenance } from '../test/faults/provenance/provenance.ts';
import { regexSoundness } from '../test/faults/regex-soundness/regex-soundness.ts';
import { spend } from '../test/faults/spend/spend.ts';
import { teamBroadcast } from '../test/faults/team-broadcast/team-broadcast.ts';
import { teamFaults } from '../test/faults/team-faults/team-faults.ts';
import { teamIsolation } from '../test/faults/team-isolation/team-isolation.ts';
import { teamSync } from '../test/faults/team-sync/team-sync.ts';
import { tombstones } from '../test/faults/tombstones/tombstones.ts';
import { watcher } from '../test/faults/watcher/watcher.ts';
import { cleanUp } from '../test/harness/cleanup.ts';
import { type Evaluation, evaluate, passesBars, type Report, toTable } from '../test/harness/evaluation.ts';
import { codeQuestions } from './code-questions/code-questions.ts';
import { codeSearchSmall } from './code-search-small/code-search-small.ts';
import { contextPackEvaluation } from './context-pack/context-pack.ts';
import { driftEvaluation } from './drift/drift.ts';
import { firstPrompt } from './first-prompt/first-prompt.ts';
import { holds } from './holds/holds.ts';
import { hookLatency } from './hook-latency/hook-latency.ts';
import { importLarge } from './import-large/import-large.ts';
import { memo } from './memo/memo.ts';
import { nested } from './nested/nested.ts';
import { packageSize } from './package-size/package-size.ts';
import { recallLanguages } from './recall-languages/recall-languages.ts';
import { recallLatency } from './recall-latency/recall-latency.ts';
import { recallReal } from './recall-real/recall-real.ts';
import { redaction } from './redaction/redaction.ts';
import { resume } from './resume/resume.ts';
import { altered } from './statements/altered.ts';
import { changes, siblings } from './statements/siblings.ts';
import { surfaces } from './surfaces/surfaces.ts';
import { teamLoad } from './team-load/team-load.ts';
import { teamLoop } from './team-loop/team-loop.ts';
import { teamRights } from './team-rights/team-rights.ts';
import { teamViewer } from './team-viewer/team-viewer.ts';
import { viewer } from './viewer/viewer.ts';
import { whyEvaluation } from './why/why.ts';

const evaluations: Evaluation[] = [
  hookLatency,
  crash,
  asyncHooks,
  concurrentHooks,
  diskFull,
  hostileFiles,
  indexDamage,
  logDamage,
  packageSize,
  importLarge,
  importCrash,
  nested,
  redaction,
  canaries,
  recallReal,
  altered,
  siblings,
  changes,
  holds,
  firstPrompt,
  recallLanguages,
  tombstones,
  spend,
  poison,
  provenance,
  recallLatency,
  regexSoundness,
  watcher,
  codeCrash,
  codeSearchSmall,
  codeQuestions,
  memo,
  contextPackEvaluation,
  resume,
  whyEvaluation,
  driftEvaluation,
  surfaces,
  badInput,
  viewer,
  teamIsolation,
  teamFaults,
  teamLoad,
  teamLoop,
  teamRights,
  teamSync,
  teamBroadcast,
  teamViewer,
];

const options = {
  short: { type: 'boolean', default: false },
  seed: { type: 'string' },
  data: { type: 'string' },
  histories: { type: 'string' },
  writer: { type: 'string' },
  'allow-skip': { type: 'boolean', default: false },
} as const;

type CommonValues = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

async function main(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined) {
    for (const { name: listed, summary } of evaluations) console.log(`${listed.padEnd(18)}${summary}`);
    return 0;
  }
  const evaluation = evaluations.find((candidate) => candidate.name === name);
  if (evaluation === undefined) {
    console.error(`there is no evaluation called ${name}\n  try: npm run eval`);
    return 2;
  }
  const own = Object.keys(evaluation.options ?? {});
  // Strict parsing, so that a mistyped option is an error; the common ones are then read with their types.
  const { values: all } = parseArgs({ args, options: { ...options, ...evaluation.options } });
  const { values } = parseArgs({ args, options, strict: false }) as { values: CommonValues };
  const isShort = values.short;
  const seed = Number(values.seed ?? process.env.BACKSTORY_SEED ?? Date.now() % 1_000_000);
  console.log(`${name}: seed ${seed}${isShort ? ', short' : ''}\n`);
  const report = await evaluate(evaluation, {
    isShort,
    seed,
    allowSkip: values['allow-skip'],
    own: Object.fromEntries(own.map((option) => [option, all[option as keyof typeof all]])),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.histories === undefined ? {} : { histories: values.histories }),
    ...(values.writer === undefined ? {} : { writer: values.writer }),
  });
  console.log(`${toTable(report)}\n`);
  // A run that measured nothing must not replace figures.
  if (!isShort && report.n > 0) keep(report);
  console.log(JSON.stringify(report));
  return passesBars(report, isShort) ? 0 : 1;
}

function keep(report: Report): void {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${report.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
}

// Register the clean-up for every way in which the process can end: normally, by an error, by a closed pipe or by a
// signal.
process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// `cleanUp` ends processes that are still running, such as a browser; they are not waited for.
process.exit(
  await main().catch((error) => {
    if (!(error instanceof AppError)) throw error;
    console.error(`${error.message}\n  try: ${error.hint}`);
    return 2;
  }),
);
