import type { LogDamage } from '../store/events/manifest.ts';

const shownDamage = 20;

/** One line per damage: the file, then what is wrong. */
export function damageLines(damage: LogDamage[]): string[] {
  const lines = damage.slice(0, shownDamage).map(({ file, detail }) => `${file}: ${detail}`);
  return damage.length > shownDamage ? [...lines, `and ${damage.length - shownDamage} more`] : lines;
}
