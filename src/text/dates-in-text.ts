/** Scores a time against the dates in a question: 0 no match, 1 in the same month or time span, 2 on that day. */
export type DateFit = (at: number) => 0 | 1 | 2;

const monthNames =
  /\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/gi;
const order = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayMs = 86_400_000;

/** A text without the dates that `datesIn` finds in it, and the words around them. */
export const withoutDates = (text: string): string =>
  text
    .replace(relativeDates, ' ')
    .replace(/\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g, ' ')
    .replace(monthNames, (name) => (isMonth(name) ? ' MONTH ' : name))
    .replace(
      /\b(?:(?:the\s+)?(?:[12]?\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?)?MONTH(?:\s+(?:[12]?\d|3[01])(?:st|nd|rd|th)?\b)?(?:,?\s+(?:19|20)\d\d\b)?/g,
      ' ',
    );

const relativeDates =
  /\b(?:today|yesterday|(?:this|last|past) (?:week|month)|\d{1,3} (?:days?|weeks?|months?) ago)\b/giu;

/** "may" and "march" are also ordinary words; they count as months only if capitalised. */
const isMonth = (name: string): boolean => !/^(?:may|march|mar)$/.test(name);

/**
 * Finds the dates that a text names; undefined if it names none. Relative dates such as "yesterday" are resolved
 * against `now`. Dates are UTC.
 */
export function datesIn(text: string, now: number): DateFit | undefined {
  const fits = [isoDates(text), namedMonths(text), relativeSpan(text, now)].filter(
    (fit) => fit !== undefined,
  );
  if (fits.length === 0) return undefined;
  return (at) => Math.max(...fits.map((fitOf) => fitOf(at))) as 0 | 1 | 2;
}

function isoDates(text: string): DateFit | undefined {
  const dates = text.match(/\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g);
  if (dates === null) return undefined;
  return (at) => {
    const day = dayOf(at);
    if (dates.includes(day)) return 2;
    return dates.some((date) => day.startsWith(date.slice(0, 7))) ? 1 : 0;
  };
}

function namedMonths(text: string): DateFit | undefined {
  const named = (text.match(monthNames) ?? []).filter(isMonth);
  const months = named.map((name) => order.indexOf(name.slice(0, 3).toLowerCase()));
  if (months.length === 0) return undefined;
  const year = /\b(?:19|20)\d\d\b/.exec(text)?.[0];
  const day = /\b([12]?\d|3[01])(?:st|nd|rd|th)?\b/.exec(text.replace(/\b\d{4}\b/g, ''))?.[1];
  return (at) => {
    const date = new Date(at);
    if (!months.includes(date.getUTCMonth())) return 0;
    if (year !== undefined && String(date.getUTCFullYear()) !== year) return 0;
    return day !== undefined && Number(day) === date.getUTCDate() ? 2 : 1;
  };
}

function relativeSpan(text: string, now: number): DateFit | undefined {
  const today = Math.floor(now / dayMs);
  const span = (from: number, to: number): DateFit => {
    return (at) =>
      Math.floor(at / dayMs) >= from && Math.floor(at / dayMs) <= to ? (from === to ? 2 : 1) : 0;
  };
  if (/\btoday\b/i.test(text)) return span(today, today);
  if (/\byesterday\b/i.test(text)) return span(today - 1, today - 1);
  if (/\b(?:this|last|past) week\b/i.test(text)) return span(today - 13, today);
  if (/\b(?:this|last|past) month\b/i.test(text)) return span(today - 61, today);
  const ago = /\b(\d{1,3}) (day|week|month)s? ago\b/i.exec(text);
  if (ago === null) return undefined;
  const days =
    Number(ago[1]) * { day: 1, week: 7, month: 30 }[ago[2]?.toLowerCase() as 'day' | 'week' | 'month'];
  // People remember the dates of older events less exactly, so "N days ago" covers a longer span the larger N is.
  const slack = Math.floor(days / 5);
  return span(today - days - slack, today - days + slack);
}

const dayOf = (at: number): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
};
