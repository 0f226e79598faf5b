import { dayOf, daysAgo, startOfDay } from './days.ts';

/** A range of local days, as YYYY-MM-DD. Both days are included. */
export interface DayRange {
  from: string;
  to: string;
}

/** Ranges up to today. Each begins and ends so many days before. */
export const lastRanges = [
  { name: 'Today', from: 0, to: 0 },
  { name: 'Yesterday', from: 1, to: 1 },
  { name: '7 days', from: 6, to: 0 },
  { name: '30 days', from: 29, to: 0 },
];

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const filler =
  /\b(?:what|did|have|has|we|i|you|they|my|the|agents?|do|does|done|happen(?:ed)?|changed?|work(?:ed)?|was|were|on|show|me|list|all|everything|sessions?|of|from|in|last|past|for)\b|[?!.,:]/gi;

/**
 * The days that a question asks about, if it names days and nothing else: "yesterday", "what did we do on Monday?",
 * "last 7 days", "2026-11-03".
 */
export function askedDays(text: string, now: number): DayRange | undefined {
  const words = text.toLowerCase().replace(filler, ' ').replace(/\s+/g, ' ').trim();
  const before = (days: number): string => daysAgo(days, now);
  const today = before(0);
  const only = (day: string): DayRange => ({ from: day, to: day });
  if (words === 'today') return only(today);
  if (words === 'yesterday') return only(before(1));
  if (words === 'week' || words === 'this week') return { from: before(6), to: today };
  const days = /^(\d{1,3}) days$/.exec(words);
  if (days !== null) return { from: before(Math.max(0, Number(days[1]) - 1)), to: today };
  const weekday = weekdays.indexOf(words);
  if (weekday !== -1) return only(before((new Date(now).getDay() - weekday + 7) % 7 || 7));
  return isDay(words) ? only(words) : undefined;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(startOfDay(text)) === text;

/** The times that the API filters by. */
export const timesOf = ({ from, to }: DayRange): { since: string; until: string } => ({
  since: new Date(startOfDay(from)).toISOString(),
  until: new Date(startOfDay(to, 1) - 1).toISOString(),
});

/** The days in an address, if both are valid. */
export function daysIn(query: URLSearchParams): DayRange | undefined {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}
