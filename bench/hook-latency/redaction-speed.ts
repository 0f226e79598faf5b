import { redact } from '../../src/memory/redact/redact.ts';
import { median, round } from '../../test/harness/harness.ts';
import { adversaries } from './adversaries.ts';

const megabyte = 1024 * 1024;

export interface RedactionSpeed {
  redactOrdinaryMsPerMb: number;
  redactWorstMsPerMb: number;
  redactWorst: string;
  redactAdversaries: number;
}

/** In this process, because a hook pays for it in its own. */
export function measureRedaction(ordinary: string, repeats: number): RedactionSpeed {
  // Before the adversaries, whose wide letters would slow down everything that comes after them here.
  const ordinaryMs = timeRedaction(ordinary, repeats);
  const speeds = adversaries(megabyte).map(({ name, text }) => ({ name, ms: timeRedaction(text, repeats) }));
  const worst = speeds.reduce((slowest, speed) => (speed.ms > slowest.ms ? speed : slowest));
  return {
    redactOrdinaryMsPerMb: round((ordinaryMs * megabyte) / ordinary.length),
    redactWorstMsPerMb: round(worst.ms),
    redactWorst: worst.name,
    redactAdversaries: speeds.length,
  };
}

/** The processor's time, which a busy machine does not stretch; on an idle one it is no less than the clock's. */
function timeRedaction(text: string, repeats: number): number {
  const times = Array.from({ length: repeats }, () => {
    const started = process.cpuUsage();
    redact(text);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  return median(times);
}
