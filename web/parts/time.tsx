import { dayOf, startOfDay, type Time } from './days.ts';

const minute = 60_000;
const hour = 60 * minute;
export const dayMs = 24 * hour;

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
/** The year is shown where it is not the present one. */
function dateFormat(options: Intl.DateTimeFormatOptions): { format(at: Time): string } {
  const thisYear = new Intl.DateTimeFormat(undefined, options);
  const anyYear = new Intl.DateTimeFormat(undefined, { ...options, year: 'numeric' });
  return {
    format(time) {
      const at = new Date(time);
      return (at.getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(at);
    },
  };
}

const shortDate = dateFormat({ day: 'numeric', month: 'short' });
const longDate = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const fullDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A day or a range of days: "Sunday, 15 November" or "9 Nov – 15 Nov". */
export const rangeName = (from: string, to: string): string =>
  from === to
    ? dayName(startOfDay(from))
    : `${shortDate.format(startOfDay(from))} – ${shortDate.format(startOfDay(to))}`;

export const shortDay = (day: string): string => shortDate.format(startOfDay(day));

export function dayName(at: Time): string {
  const now = Date.now();
  if (dayOf(at) === dayOf(now)) return 'Today';
  if (dayOf(at) === dayOf(now - dayMs)) return 'Yesterday';
  return longDate.format(at);
}

export const timeOf = (at: Time): string => clockTime.format(new Date(at));

export function ageOf(at: Time): string {
  const age = Date.now() - new Date(at).getTime();
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < dayMs) return `${Math.floor(age / hour)} h ago`;
  if (age < 7 * dayMs) return `${Math.floor(age / dayMs)} d ago`;
  return shortDate.format(at);
}

export const fullTimeOf = (at: Time): string => fullDate.format(new Date(at));

/** How long it took from one time to another. */
export function lengthOf(from: number, to: number): string {
  const ms = to - from;
  if (ms < minute) return '< 1 min';
  return ms < hour ? `${Math.round(ms / minute)} min` : `${(ms / hour).toFixed(1)} h`;
}

/** A relative time with the exact time as its tooltip. */
export const Age = ({ at }: { at: Time }) => {
  const ms = new Date(at).getTime();
  if (Number.isNaN(ms)) return null;
  return (
    <time dateTime={new Date(ms).toISOString()} title={fullTimeOf(ms)}>
      {ageOf(ms)}
    </time>
  );
};
