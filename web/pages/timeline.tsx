import type { SessionDigestPage } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { Activity } from '../parts/activity.tsx';
import { agentName, knownAgents } from '../parts/agents.ts';
import { type DayRange, daysIn } from '../parts/asked-day.ts';
import { DaySummary } from '../parts/day-digest.tsx';
import { dayOf, daysOf, startOfDay } from '../parts/days.ts';
import { Icon } from '../parts/icon.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Select } from '../parts/select.tsx';
import { SessionLine } from '../parts/session-line.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { dayName, rangeName } from '../parts/time.tsx';
import { useChoice } from '../parts/use-choice.ts';
import { useSeen } from '../parts/use-seen.ts';
import { chosenProject } from '../project.ts';
import { below, useMemoryResource } from '../resource.ts';
import { go, linkTo, replace, route } from '../router.ts';

const pageSize = 30;

/** Lists the agent sessions of the project by day, newest first. */
export function TimelinePage() {
  const { query } = route.value;
  const agent = query.get('agent') ?? '';
  const range = daysIn(query);
  const asked = { agent, limit: pageSize };
  const of = `${chosenProject.value} ${agent} ${range?.from ?? ''} ${range?.to ?? ''}`;
  const first = useMemoryResource(
    async () => ({
      of,
      ...(range === undefined ? await api.timeline(asked) : await api.sessionsOf(range, agent)),
    }),
    [of],
  );
  const activity = useMemoryResource(() => api.activity());
  const show = (wanted: { agent?: string; from?: string; to?: string }) =>
    replace(linkTo('timeline', '', { agent, ...range, ...wanted }));
  return (
    <>
      <PageHead title="Timeline" lead="What did my agents do?">
        <span class="field">
          <Select
            label="Agent"
            value={agent}
            options={[['', 'All agents'], ...knownAgents.map((name) => [name, agentName(name)] as const)]}
            onChange={(wanted) => show({ agent: wanted })}
          />
        </span>
      </PageHead>
      {activity.value !== undefined && activity.value.items.length > 0 && (
        <Activity of={activity.value} chosen={range} onChoose={(from, to) => show({ from, to })} />
      )}
      {range !== undefined && (
        <p class="range">
          <strong>{rangeName(range.from, range.to)}</strong>
          <button type="button" class="quiet" onClick={() => show({ from: '', to: '' })}>
            <Icon name="close" /> Show all days
          </button>
        </p>
      )}
      <Loaded of={below(activity, first)}>
        {(page) =>
          page.items.length === 0 && range === undefined ? (
            noSessions
          ) : (
            <>
              {range !== undefined && <DaySummary of={page} days={range} />}
              <Days key={page.of} first={page} of={page.of} asked={asked} range={range} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const noSessions = (
  <Empty icon="timeline" title="No agent session here">
    <p>The next session of a connected agent appears here.</p>
    <NextSteps />
  </Empty>
);

interface DaysProps {
  first: SessionDigestPage;
  of: string;
  asked: { agent: string; limit: number };
  range: DayRange | undefined;
}

/** The sessions under each day on which they worked. Days before the last loaded session wait for the rest of theirs. */
function Days({ first, of, asked, range }: DaysProps) {
  const {
    items: sessions,
    hasMore,
    loadMore,
  } = useSeen(
    of,
    first,
    ({ lastAt }) => lastAt,
    (cursor) => api.timeline({ ...asked, cursor }),
  );
  const last = sessions.at(-1);
  const from = range?.from ?? (!hasMore || last === undefined ? '' : dayOf(last.lastAt));
  const rows = sessions
    .flatMap((session) =>
      daysOf(session.periods).map((day) => ({ day, session, id: `${day} ${session.id}` })),
    )
    .filter(({ day }) => day >= from && (range === undefined || day <= range.to))
    .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  const { chosen, list } = useChoice(
    rows.map(({ id }) => id),
    (at) => go(linkTo('session', rows[at]?.session.id)),
  );
  const days = Map.groupBy(rows, ({ day }) => day);
  return (
    <div ref={list as never}>
      {[...days].map(([day, own]) => (
        <section key={day} class="day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            {dayName(startOfDay(day))} <span class="muted">{counted(own.length, 'session')}</span>
          </h2>
          <ul class="sessions">
            {own.map((row) => (
              <SessionLine key={row.id} session={row.session} isChosen={rows[chosen] === row} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <button type="button" class="more" onClick={loadMore}>
          Earlier sessions <span class="muted">{grouped(first.total - sessions.length)} more</span>
        </button>
      )}
    </div>
  );
}
