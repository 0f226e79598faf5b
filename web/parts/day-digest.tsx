import { type ComponentChildren, toChildArray } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionDigest, SessionDigestPage } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { useMemoryResource } from '../resource.ts';
import { linkTo } from '../router.ts';
import type { DayRange } from './asked-day.ts';
import { dayOf, daysAgo, daysOf } from './days.ts';
import { FileName } from './file-name.tsx';
import { eventLink } from './hit-link.ts';
import { Icon } from './icon.tsx';
import { MemoryLine, NoteLink } from './memory-text.tsx';
import { counted, grouped } from './numbers.ts';
import { onceEach } from './seen.ts';
import { commitLine, SessionLine } from './session-line.tsx';
import { Loaded } from './states.tsx';
import { rangeName } from './time.tsx';

/**
 * What happened in a range of days: what was decided, changed and committed, what failed, and every session. Without
 * days, those of the last day with work.
 */
export function DayDigest({
  days: asked,
  isShort = false,
}: {
  days?: DayRange | undefined;
  isShort?: boolean;
}) {
  const worked = useWorkedDays();
  const last = worked?.at(-1);
  const days = asked ?? (last === undefined ? undefined : { from: last, to: last });
  return days === undefined ? (
    worked && <p class="muted">No agent session.</p>
  ) : (
    <Digest days={days} isShort={isShort} isLast={days.from === last && days.to === last} />
  );
}

/** The local days on which a session worked, oldest first. */
const useWorkedDays = (): string[] | undefined => {
  const activity = useMemoryResource(() => api.activity()).value;
  return activity && daysOf(activity.items.flatMap(({ periods }) => periods));
};

interface DigestProps {
  days: DayRange;
  isShort: boolean;
  /** Whether nothing was done since. */
  isLast: boolean;
}

function Digest({ days, isShort, isLast }: DigestProps) {
  const sessions = useMemoryResource(() => api.sessionsOf(days), [days.from, days.to]);
  return (
    <section class="digest" data-short={isShort || undefined} aria-labelledby="digest">
      <header class="digest-head">
        <h2 id="digest">
          {isLast && days.to < daysAgo(1) && 'Last work: '}
          {rangeName(days.from, days.to)}
        </h2>
        <a class="more-link" href={linkTo('timeline', '', { ...days })}>
          Open in the timeline
        </a>
      </header>
      <Loaded of={sessions}>
        {(found) => (
          <>
            <DaySummary of={found} days={days} isShort={isShort} />
            {!isShort && (
              <ul class="sessions">
                {found.items.map((session) => (
                  <SessionLine key={session.id} session={session} isChosen={false} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface SummaryProps {
  of: SessionDigestPage;
  days: DayRange;
  /** Whether to show only what was done and the newest session. */
  isShort?: boolean;
}

/** The sessions of a range of days taken together. */
export function DaySummary({ of: { items, total }, days, isShort = false }: SummaryProps) {
  const isIn = (day: string): boolean => day >= days.from && day <= days.to;
  const decided = items.flatMap(({ decisions = [] }) =>
    decisions.filter(({ state }) => state !== 'candidate'),
  );
  const proposed = new Set(
    items.flatMap(({ decisions = [] }) => decisions.flatMap(({ id, waits }) => (waits ? [id] : []))),
  ).size;
  const failing = items.flatMap((session) =>
    (session.failing ?? []).filter(({ at }) => isIn(dayOf(at))).map((one) => ({ ...one, session })),
  );
  const commits = onceEach(items.flatMap((session) => session.commits ?? [])).filter(({ at }) =>
    isIn(dayOf(at)),
  );
  const files = filesOf(items);
  const sum = (of: 'prompts' | 'failedCommands'): number =>
    items.reduce((count, session) => count + (session.work ?? session)[of], 0);
  const [newest] = items;
  if (newest === undefined) return <NoWork days={days} />;
  return (
    <div class="summary">
      <p class="summary-words">
        {items.length < total
          ? `The newest ${grouped(items.length)} of ${counted(total, 'session')}`
          : counted(total, 'session')}
        , {counted(sum('prompts'), 'prompt')}, {counted(files.length, 'file')} changed,{' '}
        {counted(sum('failedCommands'), 'failed command')}, {counted(commits.length, 'commit')} of their
        changes (<a href={linkTo('search', '', { kind: 'commit', ...days })}>all commits</a>)
        {proposed > 0 && (
          <>
            , <a href={linkTo('review')}>{counted(proposed, 'proposal')} to review</a>
          </>
        )}
      </p>
      {isShort && (
        <p class="summary-words">
          Last session:{' '}
          <a href={linkTo('session', newest.id)}>
            <MemoryLine text={newest.title || 'no prompt'} />
          </a>
        </p>
      )}
      {!isShort && (
        <div class="summary-parts">
          <Part title="Decided and learned" icon="decision" first={5}>
            {decided.map(({ id, title }) => (
              <NoteLink key={id} id={id} text={title} />
            ))}
          </Part>
          <Part title="Still failing" icon="warning" first={5}>
            {failing.map(({ id, command, session }) => (
              <a key={id} class="bad" href={eventLink(id, session.id)} title={session.title}>
                <code>{command}</code>
              </a>
            ))}
          </Part>
          <Part title="Changed" icon="file" first={6}>
            {files.map(({ path, sessions }) => (
              <span key={path}>
                <FileName path={path} />
                {sessions > 1 && <span class="muted"> in {grouped(sessions)} sessions</span>}
              </span>
            ))}
          </Part>
          <Part title="Committed" icon="commit" first={5}>
            {commits.map(commitLine)}
          </Part>
        </div>
      )}
    </div>
  );
}

/** A day without a session leads to the last day before it that has one, or else the first after it. */
function NoWork({ days: { from } }: { days: DayRange }) {
  const worked = useWorkedDays() ?? [];
  const day = worked.findLast((each) => each < from) ?? worked[0];
  return (
    <p class="muted">
      No agent session.{' '}
      {day !== undefined && (
        <a href={linkTo('timeline', '', { from: day, to: day })}>
          {day < from ? 'Before that' : 'After that'}: {rangeName(day, day)}
        </a>
      )}
    </p>
  );
}

/** Whether a path is outside the checkout, as those of scratch files are. */
const isOutside = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path);

/** The changed files, those of most sessions first. */
function filesOf(sessions: SessionDigest[]): { path: string; sessions: number }[] {
  const counts = new Map<string, number>();
  for (const path of sessions.flatMap(({ work, files }) => work?.files ?? files))
    counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts]
    .map(([path, count]) => ({ path, sessions: count }))
    .sort(
      (a, b) =>
        Number(isOutside(a.path)) - Number(isOutside(b.path)) ||
        b.sessions - a.sessions ||
        (a.path < b.path ? -1 : 1),
    );
}

interface PartProps {
  title: string;
  icon: 'decision' | 'warning' | 'file' | 'commit';
  /** Number of lines that are shown at first. */
  first: number;
  children: ComponentChildren;
}

function Part({ title, icon, first, children }: PartProps) {
  const [isWhole, showWhole] = useState(false);
  const lines = toChildArray(children);
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>
        <Icon name={icon} /> {title} <span class="muted">{grouped(lines.length)}</span>
      </h3>
      <ul>
        {(isWhole ? lines : lines.slice(0, first)).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      {!isWhole && lines.length > first && (
        <button type="button" class="quiet" onClick={() => showWhole(true)}>
          Show all {grouped(lines.length)}
        </button>
      )}
    </section>
  );
}
