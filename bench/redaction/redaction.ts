import { parseEnv, secretValues } from '../../src/memory/redact/env-secrets.ts';
import { createRedactor, redact } from '../../src/memory/redact/redact.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import {
  atLeast,
  atMost,
  type Bar,
  type Evaluation,
  exactly,
  type Outcome,
  round,
} from '../../test/harness/evaluation.ts';
import { createProse } from '../../test/harness/prose.ts';
import { createRandom } from '../../test/harness/random.ts';
import { measureRedaction } from '../hook-latency/redaction-speed.ts';
import { writeEnvFile } from './env-file.ts';
import { falseRedactions } from './false-redactions.ts';
import { gitleaksSamples } from './gitleaks.ts';
import { scoreIndependent } from './independent.ts';
import { isLeft } from './leftover.ts';
import { type NoseyParkerExample, noseyParkerExamples, noseyParkerFolder } from './nosey-parker.ts';
import { heldOutSamples, type Sample, shownSamples } from './synthetic.ts';

/** How many secrets of each corpus are redacted, and how much harmless text is redacted too. */
export const redaction: Evaluation = {
  name: 'redaction',
  summary:
    'Secrets found in six corpora, one of them independent, false redactions per MB of source, worst speed.',
  async run({ isShort, seed, data }) {
    const outcome: Outcome = { n: 0, figures: {}, bars: {} };
    // Measured first, while this process is as fresh as the process of a hook.
    scoreSpeed(outcome, seed, isShort ? 3 : 7);
    scoreSynthetic(outcome, seed);
    scoreEnvironment(outcome, seed);
    scoreSource(outcome, isShort ? 10 : 40);
    scoreGitleaks(outcome);
    scoreNoseyParker(outcome, data);
    await scoreIndependent(outcome, seed, isShort);
    return outcome;
  },
};

const share = (found: number, of: number): number => round((100 * found) / of);

/** A corpus that is not available does not count as passed. */
const unavailable = (goal: string, reason: unknown): Bar => ({
  goal,
  value: `unavailable: ${String(reason instanceof Error ? reason.message : reason).slice(0, 200)}`,
  ok: false,
});

const isFound = ({ text, parts }: Sample): boolean => {
  const clean = redact(text);
  return parts.every((part) => !isLeft(clean, part));
};

function scoreSynthetic({ figures, bars }: Outcome, seed: number): void {
  const shown = shownSamples(500, seed);
  const held = heldOutSamples(500, seed);
  figures.syntheticShownPercent = share(shown.filter(isFound).length, shown.length);
  bars.syntheticHeldOutPercent = atLeast(share(held.filter(isFound).length, held.length), 95);
}

/** A thousand values of an `.env` file, each then used in a sentence that no other rule would match. */
function scoreEnvironment(outcome: Outcome, seed: number): void {
  const root = temporaryFolder('env');
  const wanted = 1_000;
  let masked = 0;
  for (const text of writeEnvFile(root, wanted, createRandom(seed))) {
    const values = parseEnv(text).map(([, value]) => value);
    const { redact: mask } = createRedactor({ values: secretValues([root], {}) });
    masked += values.filter((value) => !mask(`we said (${value}) then\n"${value}"`).includes(value)).length;
  }
  outcome.n += wanted;
  outcome.bars.envValues = exactly(masked, wanted);
}

function scoreSource({ figures, bars }: Outcome, maxMegabytes: number): void {
  const { megabytes, lines } = falseRedactions(maxMegabytes);
  figures.sourceMegabytes = round(megabytes);
  figures.falseRedactions = lines.length;
  bars.falseRedactionsPerMb = atMost(round(lines.length / megabytes), 1);
}

function scoreGitleaks(outcome: Outcome): void {
  const { figures, bars } = outcome;
  try {
    const { version, samples } = gitleaksSamples();
    // Skip samples without text, which are about file names.
    const positives = samples.filter(({ isPositive, text }) => isPositive && text !== '');
    // Some negative samples differ from a positive one only in the file name, which is not part of the text.
    const known = new Set(positives.map(({ text }) => text));
    const negatives = samples.filter(({ isPositive, text }) => !isPositive && !known.has(text));
    const found = positives.filter(({ text, secrets }) => {
      const clean = redact(text);
      return secrets.every((secret) => !isLeft(clean, secret, text.replaceAll(secret, '\0')));
    });
    const touched = negatives.filter(({ text }) => redact(text) !== text);
    const alone = touched.filter(({ others }) => others.length === 0);
    outcome.n += samples.length;
    figures.gitleaksVersion = version;
    figures.gitleaksPositives = positives.length;
    figures.gitleaksNegatives = negatives.length;
    // Negatives of one rule in which gitleaks as a whole finds a secret anyway.
    figures.gitleaksNegativesTouchedByBoth = touched.filter(({ others }) => others.length > 0).length;
    // These have the published form of a live key and are allowlisted by gitleaks.
    figures.gitleaksNegativesOfKnownForm = alone.filter(
      ({ text }) => !redact(text).includes('[redacted:assigned-secret]'),
    ).length;
    bars.gitleaksPercent = atLeast(share(found.length, positives.length), 97);
    bars.gitleaksNegativesTouched = exactly(alone.length, 0);
  } catch (error) {
    bars.gitleaksPercent = unavailable('>= 97', error);
    bars.gitleaksNegativesTouched = unavailable('= 0', error);
  }
}

function scoreNoseyParker(outcome: Outcome, data: string | undefined): void {
  const folder = data === undefined ? undefined : noseyParkerFolder(data);
  if (folder === undefined) {
    const reason = 'no crate or Python package of that name; give a checkout with --data DIR';
    outcome.bars.noseyParkerPercent = unavailable('>= 90', reason);
    return;
  }
  const examples = noseyParkerExamples(folder).map((example) => ({
    ...example,
    isFound: isExampleFound(example),
  }));
  const percent = (some: typeof examples): number =>
    share(some.filter(({ isFound: isOne }) => isOne).length, some.length);
  outcome.n += examples.length;
  outcome.figures.noseyParkerExamples = examples.length;
  // Our redaction rules were written with only this half of the examples.
  outcome.figures.noseyParkerShownPercent = percent(examples.filter(({ isShown }) => isShown));
  outcome.figures.noseyParkerHeldOutPercent = percent(examples.filter(({ isShown }) => !isShown));
  outcome.bars.noseyParkerPercent = atLeast(percent(examples), 90);
}

function isExampleFound({ text, secrets }: NoseyParkerExample): boolean {
  const clean = redact(text);
  if (secrets.length === 0) return clean !== text;
  // Several captures are a name, a password and a host, of which the password must be redacted.
  return secrets.some(({ secret, elsewhere }) => !isLeft(clean, secret, elsewhere));
}

function scoreSpeed({ figures, bars }: Outcome, seed: number, repeats: number): void {
  const random = createRandom(seed);
  const speed = measureRedaction(createProse(random).take(1024 * 1024, random), repeats);
  figures.redactWorst = speed.redactWorst;
  figures.redactAdversaries = speed.redactAdversaries;
  bars.redactOrdinaryMsPerMb = atMost(speed.redactOrdinaryMsPerMb, 30);
  bars.redactWorstMsPerMb = atMost(speed.redactWorstMsPerMb, 250);
}
