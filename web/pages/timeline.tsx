import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import { failureOf } from '../failure.ts';
import { memoryChanges } from '../live.ts';
import { agentName, knownAgents } from '../parts/badges.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { type Seen, withEarlier } from '../parts/seen.ts';
import { SessionLine } from '../parts/session-line.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { dayName, dayOf } from '../parts/time.tsx';
import { say } from '../parts/toast.tsx';
import { useChoice } from '../parts/use-choice.ts';
import { useSeen } from '../parts/use-seen.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { go, linkTo, replace, route } from '../router.ts';
import type { Digest, Digests } from '../wire.ts';

const pageSize = 30;

/** Lists the agent sessions of the project by day, newest first. */
export function TimelinePage() {
  const agent = route.value.query.get('agent') ?? '';
  const of = `${chosenProject.value} ${agent}`;
  const first = useResource(
    async () => ({ of, ...(await api.timeline({ agent, limit: pageSize })) }),
    [of],
    [memoryChanges.value],
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
          page.items.length === 0 ? (
            <NoSessions agent={agent} />
          ) : (
            <Days key={page.of} first={page} of={page.of} agent={agent} />
          )
        }
      </Loaded>
    </>
  );
}

const NoSessions = ({ agent }: { agent: string }) => (
  <Empty icon="timeline" title={agent === '' ? 'No agent session yet' : `No session of ${agentName(agent)}`}>
    <p>
      The next session of an installed agent appears here. Run <code>backstory install claude-code</code> to
      install Backstory in an agent, and <code>backstory import</code> to import past sessions.
    </p>
  </Empty>
);

const seenIn = ({ items, next_cursor }: Digests): Seen<Digest> => ({ items, next: next_cursor });

function Days({ first, of, agent }: { first: Digests; of: string; agent: string }) {
  const newest = useMemo(() => seenIn(first), [first]);
  const [{ items: sessions, next }, set] = useSeen(of, newest, ({ lastAt }) => lastAt);
  const { chosen, list } = useChoice(
    sessions.map(({ id }) => id),
    (at) => go(linkTo('session', sessions[at]?.id)),
  );
  const loadMore = async () => {
    if (next === undefined) return;
    try {
      const page = await api.timeline({ agent, cursor: next, limit: pageSize });
      set((seen) => (seen.next === next ? withEarlier(seen, seenIn(page)) : seen));
    } catch (error) {
      say(`Loading failed: ${failureOf(error).message}`);
    }
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
      {next !== undefined && (
        <button type="button" class="more" onClick={loadMore}>
          Earlier sessions <span class="muted">{grouped(first.total - sessions.length)} more</span>
        </button>
      )}
    </div>
  );
}
