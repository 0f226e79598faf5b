import { redact } from '../../src/memory/redact/redact.ts';
import { cpuMsOf } from '../../test/harness/cpu-time.ts';
import { quantile, round } from '../../test/harness/evaluation.ts';
import { adversaries } from './adversaries.ts';

const megabyte = 1024 * 1024;
/** The first ones compile the rules, so the median of few would be theirs. */
const ordinaryRepeats = 9;
/** How many of the adversarial texts that were the slowest are timed again. */
const candidates = 5;
/** Ordinary for a rule: a prefix, then letters and digits. */
const onePattern = /\b[a-z]{2,6}[-_][A-Za-z0-9]{16,}\b/g;

export interface RedactionSpeed {
  redactOrdinaryMsPerMb: number;
  redactWorstMsPerMb: number;
  /** Times the CPU time of searching the same amount of ordinary text for one pattern. */
  redactOrdinaryRatio: number;
  redactWorstRatio: number;
  redactWorst: string;
  redactAdversaries: number;
}

/**
 * Measures the time of redacting secrets, in this process, because redaction runs in the hook's own process. `repeats`
 * is how often the slowest adversarial texts are redacted again.
 */
export function measureRedaction(ordinary: string, repeats: number): RedactionSpeed {
  // Measured before the adversarial texts: their wide characters slow down every later measurement in this process.
  const ordinaryMs = timeOf(() => redact(ordinary), ordinaryRepeats);
  const bareMs = timeOf(() => [...ordinary.matchAll(onePattern)], ordinaryRepeats);
  const once = adversaries(megabyte).map((one) => ({ ...one, ms: timeOf(() => redact(one.text), 1) }));
  const slowest = once.sort((a, b) => b.ms - a.ms).slice(0, candidates);
  const [worst = { name: '', ms: 0 }] = slowest
    .map(({ name, text }) => ({ name, ms: timeOf(() => redact(text), repeats) }))
    .sort((a, b) => b.ms - a.ms);
  return {
    redactOrdinaryMsPerMb: round((ordinaryMs * megabyte) / ordinary.length),
    redactWorstMsPerMb: round(worst.ms),
    redactOrdinaryRatio: round(ordinaryMs / bareMs),
    redactWorstRatio: round((worst.ms * ordinary.length) / megabyte / bareMs),
    redactWorst: worst.name,
    redactAdversaries: once.length,
  };
}

/** CPU time of the quieter runs: other load on the machine can only add to it. */
const timeOf = (work: () => unknown, repeats: number): number =>
  quantile(
    Array.from({ length: repeats }, () => cpuMsOf(work)),
    0.25,
  );
