import type { LogDamage } from '../wire/answers/project.ts';

const maxShownDamage = 20;

export function damageLines(damage: LogDamage[]): string[] {
  const lines = damage.slice(0, maxShownDamage).map(({ file, detail }) => `${file}: ${detail}`);
  return damage.length > maxShownDamage ? [...lines, `and ${damage.length - maxShownDamage} more`] : lines;
}
