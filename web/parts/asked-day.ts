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

const maxDaysBack = 800;
/** The parts of a date, such as July, 24 and 2026, in any order. */
const partsOf = (date: string): string =>
  date
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .sort()
    .join(' ');

let written: { today: string; days: Map<string, string> } | undefined;

/** The newest day up to today that the viewer, or the user in English, writes like this. */
function dayWritten(text: string, now: number): string | undefined {
  const today = daysAgo(0, now);
  if (written?.today !== today) {
    const formats = [undefined, 'en'].flatMap((locale) =>
      (['short', 'long'] as const).flatMap((month) =>
        [{}, { year: 'numeric' } as const, { weekday: 'long' } as const].map(
          (more) => new Intl.DateTimeFormat(locale, { day: 'numeric', month, ...more }),
        ),
      ),
    );
    written = { today, days: new Map() };
    // The newest day replaces an older one that is written alike.
    for (let back = maxDaysBack; back >= 0; back--) {
      const day = daysAgo(back, now);
      for (const format of formats) written.days.set(partsOf(format.format(startOfDay(day))), day);
    }
  }
  return written.days.get(partsOf(text));
}

/** Whether somebody asks for the last work, whenever that was: "last session", "what did we do last?". */
export const asksForLastWork = (text: string): boolean =>
  /\blast\b/i.test(text) && text.replace(filler, ' ').trim() === '';

/**
 * The days that a question asks about, if it names days and nothing else: "yesterday", "what did we do on Monday?",
 * "last 7 days", "2026-11-03", and days as the viewer writes them: "July 24", "Jul 24 – Jul 26".
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
  if (isDay(words)) return only(words);
  const [from, to = from, ...more] = words.split(/ [–-] /).map((date) => dayWritten(date, now));
  return from !== undefined && to !== undefined && from <= to && more.length === 0 ? { from, to } : undefined;
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
