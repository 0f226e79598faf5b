import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditDiff, SessionEvent, SessionStory } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { memoryChanges } from '../live.ts';
import { overview } from '../overview.ts';
import { AgentMark, agentName, Branch, knownAgents } from '../parts/badges.tsx';
import { escapeHidden } from '../parts/escape-hidden.ts';
import { FileName } from '../parts/file-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { counted } from '../parts/numbers.ts';
import { Model, Outcome, SessionEnd, Tokens } from '../parts/session-line.tsx';
import { Loaded } from '../parts/states.tsx';
import { dayName, lengthOf, timeOf } from '../parts/time.tsx';
import { say } from '../parts/toast.tsx';
import { useTitle } from '../parts/use-title.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo, route } from '../router.ts';
import { isReturn } from '../step.ts';

/** Shows one agent session from its first prompt to its last answer. */
export function SessionPage() {
  const id = route.value.rest;
  const story = useResource(() => api.session(id), [id, chosenProject.value], [memoryChanges.value]);
  return <Loaded of={story}>{(value) => <Story story={value} />}</Loaded>;
}

function Story({ story }: { story: SessionStory }) {
  const { session, turns, isCut } = story;
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
            <Model usage={session.usage} />
            <span>
              {dayName(session.firstAt)}, {timeOf(session.firstAt)} ·{' '}
              {lengthOf(session.firstAt, session.lastAt)}
            </span>
            <Branch name={session.branch} />
            <Tokens usage={session.usage} />
            <SessionEnd end={session.end} />
          </p>
        </div>
      </header>
      {/* The account of how it ended names the failing commands. */}
      <Outcome session={{ ...session, failing: [] }} />
      <Ending story={story} />
      <ol class="turns">
        {turns.map((turn, at) => (
          <li key={turn.id} ref={turn.events.some(({ id }) => id === wanted) ? found : null}>
            <h2 class="unseen">Turn {at + 1}</h2>
            <Turn turn={turn} wanted={wanted} />
          </li>
        ))}
      </ol>
      {isCut && <p class="muted">The session is longer than shown here. Search covers all of it.</p>}
    </article>
  );
}

/** How the session ended: its summary or last answer, whether its last commands passed, and how to go on. */
function Ending({ story: { turns, session, workSession } }: { story: SessionStory }) {
  const events = turns.flatMap((turn) => turn.events);
  const answer = events.findLast(({ kind }) => kind === 'answer');
  const latest = new Map(
    events.filter(({ kind }) => kind === 'command').map((event) => [event.command ?? '', event]),
  );
  const failing = [...latest.values()].filter(({ ok }) => ok === false);
  if (answer === undefined && latest.size === 0) return null;
  return (
    <section class="ending" aria-labelledby="ending">
      <h2 id="ending">How it ended</h2>
      {(session.summary ?? (answer?.text ?? '').slice(0, 400)).split('\n').map((line) => (
        <p key={line} class="ending-words">
          <MemoryLine text={line} />
        </p>
      ))}
      {failing.length > 0 ? (
        <ul>
          {failing.slice(0, 3).map((event) => (
            <li key={event.id} class="bad">
              <a href={linkTo('session', session.id, { at: event.id })}>
                <Icon name="warning" /> <code>{escapeHidden(event.command ?? '').slice(0, 200)}</code> failed
                when last run
              </a>
            </li>
          ))}
        </ul>
      ) : (
        latest.size > 0 && <p class="muted">Every command passed when it was last run.</p>
      )}
      {workSession !== undefined && <Handoff from={session.agent} workSession={workSession} />}
    </section>
  );
}

/** The command that hands the work over, to one of the installed agents. */
function Handoff({ from, workSession }: { from: string; workSession: string }) {
  const installed = overview.value?.agents ?? [];
  const targets = installed.length > 0 ? installed : knownAgents;
  const [chosen, choose] = useState<string | undefined>(undefined);
  const target = chosen ?? targets.find((agent) => agent !== from) ?? from;
  const command = `backstory handoff ${target} --session ${workSession}`;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => say('Copied. Run it in a terminal.'),
      () => say('The browser does not allow copying here'),
    );
  return (
    <div class="ending-next">
      <label class="field">
        <span class="muted">Hand this work to</span>{' '}
        <select value={target} onChange={(event) => choose(event.currentTarget.value)}>
          {targets.map((agent) => (
            <option key={agent} value={agent}>
              {agentName(agent)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <code>{command}</code>
    </div>
  );
}

const messageKinds = ['prompt', 'answer'];

/** Shows messages in full and the actions between them as a collapsed line. */
function Turn({
  turn: { events, at, usage },
  wanted,
}: {
  turn: SessionStory['turns'][number];
  wanted: string;
}) {
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
  // A link to a command or an edit opens everything that was done in its turn, so that a failure is beside its edits.
  const isWanted = events.some(({ id, kind }) => id === wanted && !messageKinds.includes(kind));
  return (
    <>
      <p class="turn-time">
        {timeOf(at)} <Model usage={usage} /> <Tokens usage={usage} />
      </p>
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
          <Work key={event.id} events={own} isWanted={isWanted} wanted={wanted} />
        );
      })}
    </>
  );
}

function Work({ events, isWanted, wanted }: { events: SessionEvent[]; isWanted: boolean; wanted: string }) {
  const failed = events.filter(({ kind, ok }) => kind === 'command' && ok === false).length;
  const [isOpen, setOpen] = useState(isWanted);
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
        {output !== undefined && output !== '' && <Output text={output} isFailed={ok === false} />}
      </>
    );
  if (kind === 'edit' && path !== undefined)
    return <Edit id={event.id} path={path} isNew={created === true} lines={lines ?? 0} />;
  if (path !== undefined)
    return (
      <>
        {kind} <FileName path={path} />
        {lines !== undefined && <span class="muted"> {counted(lines, 'line')}</span>}
      </>
    );
  return (
    <>
      {kind} <MemoryLine text={tool ?? text ?? ''} />
    </>
  );
}

const firstOutputLength = 2_000;

/** The output of a command. That of a failed one is shown at once. */
function Output({ text, isFailed }: { text: string; isFailed: boolean }) {
  const [isWhole, showWhole] = useState(false);
  const shown = escapeHidden(isWhole ? text : text.slice(0, firstOutputLength));
  return (
    <details class="output" open={isFailed}>
      <summary>Output</summary>
      <pre>{shown}</pre>
      {!isWhole && text.length > firstOutputLength && (
        <button type="button" class="quiet" onClick={() => showWhole(true)}>
          Show all
        </button>
      )}
    </details>
  );
}

/** An edit, which opens as a diff. */
function Edit({ id, path, isNew, lines }: { id: string; path: string; isNew: boolean; lines: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="edit" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {isNew ? 'created' : 'edited'} <code>{path}</code>
        <span class="muted"> {counted(lines, 'line')}</span>
      </summary>
      {isOpen && <Diff id={id} />}
    </details>
  );
}

function Diff({ id }: { id: string }) {
  const diff = useResource(() => api.diff(id), [id]);
  return (
    <Loaded of={diff}>
      {({ path, hunks }) => {
        const missing = hunks.flatMap(({ lines }) => lines).filter(({ text }) => text === undefined).length;
        return (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: can be scrolled sideways, so it must be reachable by keys. */}
            <section class="code-scroll diff" tabIndex={0} aria-label={`Changes of ${path}`}>
              <table class="code">
                <tbody>
                  {hunks.map(({ oldStart, newStart, lines }) => (
                    <Hunk key={`${oldStart} ${newStart}`} start={newStart} lines={lines} />
                  ))}
                </tbody>
              </table>
            </section>
            <p>
              <FileName path={path} line={hunks[0]?.newStart} label="Open the file here" />
            </p>
            {missing > 0 && (
              <p class="muted">
                The text of {counted(missing, 'line')} is neither in git nor on disk. Backstory stores no
                code.
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

const Hunk = ({ start, lines }: { start: number; lines: EditDiff['hunks'][number]['lines'] }) => (
  <>
    <tr class="code-gap">
      <td colSpan={2}>line {start}</td>
    </tr>
    {lines
      .filter(({ text }) => text !== undefined)
      .map(({ sign, text }, at) => (
        <tr key={at}>
          <td class="code-number">{sign}</td>
          <td class={sign === '+' ? 'came' : 'went'}>{escapeHidden(text ?? '')}</td>
        </tr>
      ))}
  </>
);
