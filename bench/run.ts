/**
 * `npm run eval` lists the evaluations; `npm run eval -- NAME [--short] [--seed N] [--data DIR] [--histories DIR]
 * [--writer NAME]` runs one. Some have options of their own.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../src/base/errors.ts';
import { cleanUp } from '../test/harness/cleanup.ts';
import { type Evaluation, evaluate, passesBars, type Report, toTable } from '../test/harness/evaluation.ts';

/** Each is imported on demand: loading all of them takes five seconds. */
const evaluations: Record<string, () => Promise<Evaluation>> = {
  'hook-latency': async () => (await import('./hook-latency/hook-latency.ts')).hookLatency,
  crash: async () => (await import('../test/faults/crash/crash.ts')).crash,
  'async-hooks': async () => (await import('../test/faults/async-hooks/async-hooks.ts')).asyncHooks,
  'concurrent-hooks': async () =>
    (await import('../test/faults/concurrent-hooks/concurrent-hooks.ts')).concurrentHooks,
  'disk-full': async () => (await import('../test/faults/disk-full/disk-full.ts')).diskFull,
  'hostile-files': async () => (await import('../test/faults/hostile-files/hostile-files.ts')).hostileFiles,
  'index-damage': async () => (await import('../test/faults/index-damage/index-damage.ts')).indexDamage,
  'log-damage': async () => (await import('../test/faults/log-damage/log-damage.ts')).logDamage,
  'package-size': async () => (await import('./package-size/package-size.ts')).packageSize,
  'import-large': async () => (await import('./import-large/import-large.ts')).importLarge,
  nested: async () => (await import('./nested/nested.ts')).nested,
  redaction: async () => (await import('./redaction/redaction.ts')).redaction,
  canaries: async () => (await import('../test/faults/canaries/canaries.ts')).canaries,
  'recall-wordings': async () => (await import('./recall-wordings/recall-wordings.ts')).recallWordings,
  altered: async () => (await import('./statements/altered.ts')).altered,
  siblings: async () => (await import('./statements/siblings.ts')).siblings,
  changes: async () => (await import('./statements/siblings.ts')).changes,
  holds: async () => (await import('./holds/holds.ts')).holds,
  'first-day': async () => (await import('./first-day/first-day.ts')).firstDay,
  'first-prompt': async () => (await import('./first-prompt/first-prompt.ts')).firstPrompt,
  recap: async () => (await import('./recap/recap.ts')).recap,
  'recall-languages': async () => (await import('./recall-languages/recall-languages.ts')).recallLanguages,
  tombstones: async () => (await import('../test/faults/tombstones/tombstones.ts')).tombstones,
  spend: async () => (await import('../test/faults/spend/spend.ts')).spend,
  poison: async () => (await import('../test/faults/poison/poison.ts')).poison,
  provenance: async () => (await import('../test/faults/provenance/provenance.ts')).provenance,
  'recall-latency': async () => (await import('./recall-latency/recall-latency.ts')).recallLatency,
  'regex-soundness': async () =>
    (await import('../test/faults/regex-soundness/regex-soundness.ts')).regexSoundness,
  watcher: async () => (await import('../test/faults/watcher/watcher.ts')).watcher,
  'code-crash': async () => (await import('../test/faults/code-crash/code-crash.ts')).codeCrash,
  'code-search-small': async () => (await import('./code-search-small/code-search-small.ts')).codeSearchSmall,
  memo: async () => (await import('./memo/memo.ts')).memo,
  why: async () => (await import('./why/why.ts')).whyEvaluation,
  'why-real': async () => (await import('./why-real/why-real.ts')).whyReal,
  'shell-lines': async () => (await import('./why/shell-lines.ts')).shellLines,
  attribution: async () => (await import('./attribution/attribution.ts')).attribution,
  drift: async () => (await import('./drift/drift.ts')).driftEvaluation,
  lsp: async () => (await import('./lsp/lsp.ts')).lsp,
  'viewer-links': async () => (await import('./viewer/viewer-links.ts')).viewerLinks,
  viewer: async () => (await import('./viewer/viewer.ts')).viewer,
  'team-isolation': async () =>
    (await import('../test/faults/team-isolation/team-isolation.ts')).teamIsolation,
  'team-faults': async () => (await import('../test/faults/team-faults/team-faults.ts')).teamFaults,
  'team-load': async () => (await import('./team-load/team-load.ts')).teamLoad,
  'team-loop': async () => (await import('./team-loop/team-loop.ts')).teamLoop,
  'team-rights': async () => (await import('./team-rights/team-rights.ts')).teamRights,
  'team-viewer': async () => (await import('./team-viewer/team-viewer.ts')).teamViewer,
};

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
    for (const load of Object.values(evaluations)) {
      const { name: listed, summary } = await load();
      console.log(`${listed.padEnd(18)}${summary}`);
    }
    return 0;
  }
  const evaluation = await evaluations[name]?.();
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
