export const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');

export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Shortens a number: 1,234 → 1.2K. */
export const rough = (count: number): string =>
  Math.round(count).toLocaleString('en-US', { notation: 'compact' });

export function dollars(amount: number): string {
  if (amount === 0) return '$0.00';
  return amount < 0.01 ? '< $0.01' : `$${amount.toFixed(2)}`;
}

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
