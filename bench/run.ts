/**
 * `npm run eval` lists the evaluations; `npm run eval -- NAME [--short] [--seed N] [--data DIR] [--histories DIR]
 * [--writer NAME]` runs one. Some have options of their own.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../src/base/errors.ts';
import { cleanUp } from '../test/harness/cleanup.ts';
import { evaluate, passesBars, type Report, toTable } from '../test/harness/evaluation.ts';
import { evaluations } from './evaluations.ts';

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
  return passesBars(report) ? 0 : 1;
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
