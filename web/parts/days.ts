/** A time as answers have it: in ISO 8601, or in milliseconds. */
export type Time = string | number;

/** The local day as YYYY-MM-DD. */
export function dayOf(at: Time): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The local days on which there was work, oldest first. */
export function daysOf(periods: { from: Time; to: Time }[]): string[] {
  const days = periods.flatMap(({ from, to }) => {
    const own = [dayOf(from)];
    for (let day = own[0] as string; day < dayOf(to); own.push(day)) day = dayOf(startOfDay(day, 1));
    return own;
  });
  return [...new Set(days)].sort();
}

/** The local day so many days before today. */
export const daysAgo = (days: number, now: Time = Date.now()): string => dayOf(startOfDay(dayOf(now), -days));

/** The start of a local day, or of the day `later` days after it. */
export function startOfDay(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}
