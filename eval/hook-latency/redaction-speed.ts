import { redact } from '../../src/memory/redact.ts';
import { median, round } from '../harness.ts';
import type { Prose } from '../prose.ts';
import { adversaries } from './adversaries.ts';

const megabyte = 1024 * 1024;

export interface RedactionSpeed {
  redactOrdinaryMsPerMb: number;
  redactWorstMsPerMb: number;
  redactWorst: string;
  redactAdversaries: number;
}

/** In this process, because a hook pays for it in its own. */
export function measureRedaction(prose: Prose, repeats: number): RedactionSpeed {
  const ordinary = prose.take(megabyte);
  const speeds = adversaries(megabyte).map(({ name, text }) => ({ name, ms: timeRedaction(text, repeats) }));
  const worst = speeds.reduce((slowest, speed) => (speed.ms > slowest.ms ? speed : slowest));
  return {
    redactOrdinaryMsPerMb: round(timeRedaction(ordinary, repeats)),
    redactWorstMsPerMb: round(worst.ms),
    redactWorst: worst.name,
    redactAdversaries: speeds.length,
  };
}

function timeRedaction(text: string, repeats: number): number {
  const times = Array.from({ length: repeats }, () => {
    const started = performance.now();
    redact(text);
    return performance.now() - started;
  });
  return median(times);
}
