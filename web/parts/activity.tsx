import { useRef, useState } from 'preact/hooks';
import type { Activity as Answer } from '../../src/wire/answers/sessions.ts';
import { lastRanges } from './asked-day.ts';
import { dayOf, daysAgo, daysOf, startOfDay } from './days.ts';
import { counted } from './numbers.ts';
import { dayName, rangeName, shortDay } from './time.tsx';

interface Day {
  day: string;
  sessions: Set<unknown>;
  events: number;
}

const shownDays = 90;

/** The last 90 local days, or those before a longer pause. A session counts on each day on which it worked. */
function lastDays({ items }: Answer): Day[] {
  const worked = daysOf(items.flatMap(({ periods }) => periods)).at(-1) ?? '';
  const end = worked === '' || worked > daysAgo(shownDays) ? daysAgo(0) : worked;
  const shown = Array.from({ length: shownDays }, (_, at) => dayOf(startOfDay(end, at + 1 - shownDays)));
  const days = new Map(shown.map((day): [string, Day] => [day, { day, sessions: new Set(), events: 0 }]));
  for (const session of items)
    for (const period of session.periods) {
      const own = daysOf([period]);
      for (const each of own) {
        const day = days.get(each);
        day?.sessions.add(session);
        // Work across midnight is divided evenly.
        if (day !== undefined) day.events += period.events / own.length;
      }
    }
  return [...days.values()];
}

export interface ActivityProps {
  of: Answer;
  /** The days that are shown below, as YYYY-MM-DD. */
  chosen?: { from: string; to: string } | undefined;
  onChoose(from: string, to: string): void;
}

/** Work per day. A click opens a day. */
export function Activity({ of, chosen, onChoose }: ActivityProps) {
  const days = lastDays(of);
  const last = days.length - 1;
  const most = Math.max(1, ...days.map(({ events }) => events));
  const strip = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<number | undefined>(undefined);
  const [focused, focus] = useState(last);
  const dayAt = (at: number): string => (days[at] as Day).day;
  // After a pause, the buttons lead to the days before it.
  const end = days.findLast(({ events }) => events > 0)?.day ?? daysAgo(0);
  const isPaused = end < daysAgo(1);
  const choose = (from: number, to: number) =>
    isPaused ? onChoose(daysAgo(from, startOfDay(end)), end) : onChoose(daysAgo(from), daysAgo(to));
  const isIn = (day: string): boolean => chosen !== undefined && day >= chosen.from && day <= chosen.to;
  const move = (to: number) => {
    const next = Math.max(0, Math.min(last, to));
    focus(next);
    point(next);
    (strip.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: focused - 1,
      ArrowRight: focused + 1,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return (
    <figure class="activity">
      <figcaption>
        <h2>Activity</h2>
        <p class="activity-words" aria-live="polite">
          {wordsOf(days, pointed, chosen)}
        </p>
        <div class="activity-jumps">
          {lastRanges.slice(isPaused ? 2 : 0, isPaused ? 4 : 3).map(({ name, from, to }) => (
            <button key={name} type="button" class="chip" onClick={() => choose(from, to)}>
              {isPaused ? `${name} to ${shortDay(end)}` : name}
            </button>
          ))}
        </div>
      </figcaption>
      <div
        ref={strip}
        class="activity-days"
        role="toolbar"
        aria-label="Days; the arrow keys move between them"
        onKeyDown={onKeyDown}
        onMouseLeave={() => point(undefined)}
      >
        {days.map(({ day, sessions, events }, at) => (
          <button
            key={day}
            type="button"
            tabIndex={at === focused ? 0 : -1}
            aria-label={`${dayName(startOfDay(day))}, ${counted(sessions.size, 'session')}`}
            data-in={isIn(day) || undefined}
            data-pointed={at === pointed || undefined}
            onFocus={() => focus(at)}
            onMouseEnter={() => point(at)}
            onClick={() => onChoose(day, day)}
          >
            <span style={{ height: `${events === 0 ? 0 : Math.max(8, Math.sqrt(events / most) * 100)}%` }} />
          </button>
        ))}
      </div>
      <p class="activity-months" aria-hidden="true">
        {[0, 30, 60].map((at) => (
          <span key={at}>{shortDay(dayAt(at))}</span>
        ))}
        <span>{dayAt(last) === daysAgo(0) ? 'Today' : shortDay(dayAt(last))}</span>
      </p>
    </figure>
  );
}

function wordsOf(days: Day[], pointed: number | undefined, chosen: ActivityProps['chosen']): string {
  const day = days[pointed ?? -1]?.day;
  const range = day === undefined ? chosen : { from: day, to: day };
  const own = days.filter(({ day }) => range === undefined || (day >= range.from && day <= range.to));
  const sessions = new Set(own.flatMap((day) => [...day.sessions]));
  const name = range === undefined ? `${shownDays} days` : rangeName(range.from, range.to);
  return `${name}: ${counted(sessions.size, 'session')}`;
}
