const minute = 60_000;
const hour = 60 * minute;
export const dayMs = 24 * hour;

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const fullDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The local day as YYYY-MM-DD. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

export function dayName(at: number): string {
  const now = Date.now();
  if (dayOf(at) === dayOf(now)) return 'Today';
  if (dayOf(at) === dayOf(now - dayMs)) return 'Yesterday';
  return longDate.format(at);
}

export const timeOf = (at: number): string => clockTime.format(at);

export function ageOf(at: number): string {
  const age = Date.now() - at;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < dayMs) return `${Math.floor(age / hour)} h ago`;
  if (age < 7 * dayMs) return `${Math.floor(age / dayMs)} d ago`;
  return shortDate.format(at);
}

export function lengthOf(ms: number): string {
  if (ms < minute) return '< 1 min';
  return ms < hour ? `${Math.round(ms / minute)} min` : `${(ms / hour).toFixed(1)} h`;
}

/** A relative time with the exact time as its tooltip. */
export const Age = ({ at }: { at: number | string }) => {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(ms)) return null;
  return (
    <time dateTime={new Date(ms).toISOString()} title={fullDate.format(ms)}>
      {ageOf(ms)}
    </time>
  );
};
