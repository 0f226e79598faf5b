import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { memoryChanges } from '../live.ts';
import { AgentMark, agentName, Branch } from '../parts/badges.tsx';
import { escapeHidden } from '../parts/escape-hidden.ts';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { counted } from '../parts/numbers.ts';
import { Outcome } from '../parts/session-line.tsx';
import { Loaded } from '../parts/states.tsx';
import { dayName, lengthOf, timeOf } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo, route } from '../router.ts';
import { isReturn } from '../step.ts';
import type { SessionEvent, SessionStory } from '../wire.ts';

/** Shows one agent session from its first prompt to its last answer. */
export function SessionPage() {
  const id = route.value.rest;
  const story = useResource(() => api.session(id), [id, chosenProject.value], [memoryChanges.value]);
  return <Loaded of={story}>{(value) => <Story story={value} />}</Loaded>;
}

function Story({ story: { session, turns, isCut } }: { story: SessionStory }) {
  useTitle(session.title || agentName(session.agent));
  const wanted = route.value.query.get('at') ?? '';
  const found = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isReturn()) found.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <article class="reading">
      <header class="page-head">
        <div>
          <p class="crumb">
            <a href={linkTo('timeline')}>Timeline</a>
          </p>
          <h1>
            <MemoryLine text={session.title || 'No prompt'} />
          </h1>
          <p class="meta">
            <AgentMark agent={session.agent} />
            <span>{agentName(session.agent)}</span>
            <span>
              {dayName(session.firstAt)}, {timeOf(session.firstAt)} ·{' '}
              {lengthOf(session.lastAt - session.firstAt)}
            </span>
            <Branch name={session.branch} />
          </p>
        </div>
      </header>
      <Outcome session={session} />
      <ol class="turns">
        {turns.map((turn, at) => (
          <li key={turn.id} ref={turn.events.some(({ id }) => id === wanted) ? found : null}>
            <h2 class="unseen">Turn {at + 1}</h2>
            <Turn events={turn.events} at={turn.at} wanted={wanted} />
          </li>
        ))}
      </ol>
      {isCut && <p class="muted">The session is longer than shown here. Search covers all of it.</p>}
    </article>
  );
}

const messageKinds = ['prompt', 'answer'];

/** Shows messages in full and the actions between them as a collapsed line. */
function Turn({ events, at, wanted }: { events: SessionEvent[]; at: number; wanted: string }) {
  const groups: SessionEvent[][] = [];
  for (const event of events.filter(({ kind }) => kind !== 'session')) {
    const last = groups.at(-1);
    if (
      last !== undefined &&
      !messageKinds.includes(event.kind) &&
      !messageKinds.includes(last[0]?.kind ?? '')
    )
      last.push(event);
    else groups.push([event]);
  }
  if (groups.length === 0) return null;
  return (
    <>
      <p class="turn-time">{timeOf(at)}</p>
      {groups.map((own) => {
        const [event] = own as [SessionEvent];
        return messageKinds.includes(event.kind) ? (
          <div
            key={event.id}
            class={`said said-${event.kind}`}
            data-wanted={event.id === wanted || undefined}
          >
            <p class="said-by">{event.kind === 'prompt' ? 'You' : 'Agent'}</p>
            <MemoryText text={event.text ?? ''} />
          </div>
        ) : (
          <Work key={event.id} events={own} wanted={wanted} />
        );
      })}
    </>
  );
}

function Work({ events, wanted }: { events: SessionEvent[]; wanted: string }) {
  const failed = events.filter(({ kind, ok }) => kind === 'command' && ok === false).length;
  // Expand the group that contains the event the link points to.
  const [isOpen, setOpen] = useState(() => events.some(({ id }) => id === wanted));
  const kinds = [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, own]) => counted(own.length, kind));
  return (
    <details class="work" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        {kinds.join(', ')}
        {failed > 0 && <span class="bad">{failed} failed</span>}
      </summary>
      {isOpen && (
        <ul>
          {events.map((event) => (
            <li key={event.id} data-wanted={event.id === wanted || undefined}>
              <WorkLine event={event} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function WorkLine({ event }: { event: SessionEvent }) {
  const { kind, path, command, ok, output, text, tool, lines, created } = event;
  if (kind === 'command')
    return (
      <>
        <code class={ok === false ? 'bad' : ''}>$ {escapeHidden(command ?? '').slice(0, 300)}</code>
        {output !== undefined && ok === false && <pre>{escapeHidden(output).slice(0, 2_000)}</pre>}
      </>
    );
  if (path !== undefined)
    return (
      <>
        {kind === 'edit' ? (created === true ? 'created' : 'edited') : kind} <code>{path}</code>
        {lines !== undefined && <span class="muted"> {counted(lines, 'line')}</span>}
      </>
    );
  return (
    <>
      {kind} <MemoryLine text={tool ?? text ?? ''} />
    </>
  );
}
