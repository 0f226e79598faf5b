import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { memoryChanges } from '../live.ts';
import { agentName, knownAgents } from '../parts/badges.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { SessionLine } from '../parts/session-line.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { dayName, dayOf } from '../parts/time.tsx';
import { useChoice } from '../parts/use-choice.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { go, linkTo, replace, route } from '../router.ts';
import type { Digest, Digests } from '../wire.ts';

const pageSize = 30;

/** What did my agents do? Every agent session of the project, newest first, by day. */
export function TimelinePage() {
  const agent = route.value.query.get('agent') ?? '';
  const first = useResource(
    () => api.timeline({ agent, limit: pageSize }),
    [agent, memoryChanges.value, chosenProject.value],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Timeline</h1>
          <p class="lead">What did my agents do?</p>
        </div>
        <label class="field">
          <span class="unseen">Agent</span>
          <select
            value={agent}
            onChange={(event) => replace(linkTo('timeline', '', { agent: event.currentTarget.value }))}
          >
            <option value="">All agents</option>
            {knownAgents.map((name) => (
              <option key={name} value={name}>
                {agentName(name)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Loaded of={first}>
        {(page) =>
          page.items.length === 0 ? <NoSessions agent={agent} /> : <Days first={page} agent={agent} />
        }
      </Loaded>
    </>
  );
}

const NoSessions = ({ agent }: { agent: string }) => (
  <Empty
    icon="timeline"
    title={agent === '' ? 'No agent session yet' : `No session of ${agentName(agent)} here`}
  >
    <p>
      The next session of an installed agent shows up here by itself.{' '}
      <code>backstory install claude-code</code> installs one, <code>backstory import</code> brings in the
      past.
    </p>
  </Empty>
);

function Days({ first, agent }: { first: Digests; agent: string }) {
  const [more, setMore] = useState<Digest[]>([]);
  const [cursor, setCursor] = useState(first.next_cursor);
  useEffect(() => {
    setMore([]);
    setCursor(first.next_cursor);
  }, [first]);
  // What was loaded further down stays when something new comes in above it.
  const sessions = [...new Map([...first.items, ...more].map((session) => [session.id, session])).values()];
  const { chosen, list } = useChoice(sessions.length, (at) => go(linkTo('session', sessions[at]?.id)));
  const loadMore = async () => {
    if (cursor === undefined) return;
    const page = await api.timeline({ agent, cursor, limit: pageSize });
    setMore([...more, ...page.items]);
    setCursor(page.next_cursor);
  };
  const days = Map.groupBy(sessions, ({ lastAt }) => dayOf(lastAt));
  return (
    <div ref={list as never}>
      {[...days].map(([day, own]) => (
        <section key={day} class="day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            {dayName((own[0] as Digest).lastAt)} <span class="muted">{counted(own.length, 'session')}</span>
          </h2>
          <ul class="sessions">
            {own.map((session) => (
              <SessionLine key={session.id} session={session} isChosen={sessions[chosen] === session} />
            ))}
          </ul>
        </section>
      ))}
      {cursor !== undefined && (
        <button type="button" class="more" onClick={loadMore}>
          Earlier sessions <span class="muted">{grouped(first.total - sessions.length)} more</span>
        </button>
      )}
    </div>
  );
}
