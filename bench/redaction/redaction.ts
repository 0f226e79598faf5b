import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secretValues } from '../../src/memory/redact/env-secrets.ts';
import { createRedactor, redact } from '../../src/memory/redact/redact.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { falseRedactions } from './false-redactions.ts';
import { type Filled, fillItem, readIndependentSet } from './independent-set.ts';

/**
 * How many secrets of a set that was written without knowledge of the rules are redacted, and how much harmless text is
 * redacted too. `canaries` shows that every channel of the installed package redacts.
 */
export const redaction: Evaluation = {
  name: 'redaction',
  summary: 'Secrets of an independent set that are redacted, and false redactions in texts and in source.',
  file: import.meta.filename,
  measures: ['src/memory/redact'],
  async run({ isShort, seed }) {
    const { secrets, innocent } = readIndependentSet();
    const random = createRandom(seed);
    // Of a file that an agent wrote, only hashes of its lines are stored.
    const stored = secrets.filter(({ channel }) => channel !== 'write');
    const filled = Array.from({ length: fills }, () => stored.map((item) => fillItem(item, random))).flat();
    const percent = <T>(some: T[], isOne: (item: T) => boolean): number =>
      round((100 * some.filter(isOne).length) / Math.max(1, some.length));
    const heldOut = filled.filter(isHeldOut);
    const source = falseRedactions(isShort ? 10 : 40);
    return {
      n: filled.length + innocent.length,
      figures: {
        'development %': percent(
          filled.filter((item) => !isHeldOut(item)),
          isRedacted,
        ),
        ...Object.fromEntries(
          [...Map.groupBy(heldOut, (item) => item.class)].map(([name, own]) => [
            `held-out ${name} %`,
            percent(own, isRedacted),
          ]),
        ),
        'source MB': round(source.megabytes),
      },
      bars: {
        'held-out %': atLeast(percent(heldOut, isRedacted), 90),
        'held-out keys without a name %': atLeast(
          percent(
            heldOut.filter((item) => item.class === 'vendor-bare'),
            isRedacted,
          ),
          85,
        ),
        'held-out false positives %': atMost(
          percent(innocent.filter(isHeldOut), ({ text }) => redact(text) !== text),
          1,
        ),
        'false redactions per MB of source': atMost(round(source.lines.length / source.megabytes), 1),
      },
    };
  },
};

/** How often each secret is made anew: whether some kinds are found depends on their letters. */
const fills = 10;

/**
 * True for items with an odd number. Authors of redaction rules do not read these, and only the share that is found is
 * reported.
 */
const isHeldOut = ({ id }: { id: string }): boolean => Number(id.slice(1)) % 2 === 1;

function isRedacted({ channel, text, traces }: Filled): boolean {
  const clean = channel === 'env' ? redactWithFile(text) : redact(text);
  return traces.every((trace) => !clean.includes(trace));
}

/** `FILE|LINE|channel|TEXT`: a line of a file in the checkout, then its value without its name. */
function redactWithFile(item: string): string {
  const [path = '', line = '', , text = ''] = item.split('|');
  const root = temporaryFolder('env');
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${line}\n`);
  return createRedactor({ values: secretValues([root], {}) }).redact(text);
}
