import { useEffect, useRef, useState } from 'preact/hooks';
import type { EditDiff, SessionEvent, SessionStory } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { overview } from '../overview.ts';
import { agentName, knownAgents } from '../parts/agents.ts';
import { AgentMark, Branch, KindBadge } from '../parts/badges.tsx';
import { escapeHidden } from '../parts/escape-hidden.ts';
import { FileName } from '../parts/file-name.tsx';
import { Fold } from '../parts/fold.tsx';
import { highlight } from '../parts/highlight.ts';
import { eventLink } from '../parts/hit-link.ts';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { Select } from '../parts/select.tsx';
import { Model, Outcome, SessionEnd, Tokens } from '../parts/session-line.tsx';
import { speakerOf } from '../parts/source.ts';
import { Loaded } from '../parts/states.tsx';
import { dayName, lengthOf, timeOf } from '../parts/time.tsx';
import { say } from '../parts/toast.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useMemoryResource, useResource } from '../resource.ts';
import { linkTo, replace, route } from '../router.ts';
import { isReturn, keepInView } from '../step.ts';

/** Shows one agent session from its first prompt to its last answer. */
export function SessionPage() {
  const id = route.value.rest;
  const story = useMemoryResource(() => api.session(id), [id]);
  return <Loaded of={story}>{(value) => <Story story={value} />}</Loaded>;
}

type SessionTurn = SessionStory['turns'][number];

function Story({ story }: { story: SessionStory }) {
  const { session, isCut } = story;
  useTitle(session.title || agentName(session.agent));
  const wanted = route.value.query.get('at') ?? '';
  const [typed, type] = useState('');
  const words = typed.trim().length < 2 ? '' : typed.trim().toLowerCase();
  const turns = story.turns.filter(({ events }) => events.some(isShown));
  const isShort = JSON.stringify(turns).length < shortLength;
  const shown = turns.filter(({ events }) => words === '' || events.some((event) => hasWords(event, words)));
  const isMissing = wanted !== '' && !turns.some(({ events }) => events.some(({ id }) => id === wanted));
  const list = useRef<HTMLOListElement>(null);
  const hasMoved = useRef(!isReturn());
  useEffect(() => {
    const isWanted = hasMoved.current && wanted !== '';
    hasMoved.current = true;
    return isWanted ? keepInView(() => list.current?.querySelector('[data-wanted]')) : undefined;
  }, [route.value]);
  useEffect(() => {
    // Turns with the words open first.
    const timer = setTimeout(() => highlight(list.current, words), 100);
    return () => clearTimeout(timer);
  }, [words]);
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
      <aside class="contents" aria-label="In this session">
        <input
          type="search"
          aria-label="Find in this session"
          placeholder="Find in this session"
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <p class="muted" role="status">
          {words !== '' && `Found in ${counted(shown.length, 'turn')}`}
        </p>
        <Contents session={session} turns={shown} isWhole={words === ''} />
      </aside>
      <div class="session-main">
        {/* The account of how it ended names the failing commands. */}
        <Outcome session={{ ...session, failing: [] }} />
        <Ending story={story} />
        {isMissing && (
          <p class="callout">The place that you opened was forgotten, or is in a part that is not shown.</p>
        )}
        <Told starts={story.told} />
        <ol class="turns" ref={list}>
          {shown.map((turn) => (
            <Turn
              key={turn.id}
              turn={turn}
              number={turns.indexOf(turn) + 1}
              wanted={wanted}
              words={words}
              isOpenAtFirst={isShort}
            />
          ))}
        </ol>
        {isCut && <p class="muted">The session is longer than shown here. Search covers all of it.</p>}
      </div>
    </article>
  );
}

/** What the session was told at its start, and again when it was resumed or had lost its context. */
const Told = ({ starts }: { starts: SessionStory['told'] }) =>
  starts.map(({ at, tokens, lines }) => (
    <Fold key={at} name={`Told at ${timeOf(at)}`} count={lines.length}>
      <ul class="related">
        {lines.map(({ id, kind, text, agentSession }) => (
          <li key={id}>
            <KindBadge kind={kind} />
            <a href={agentSession === undefined ? linkTo('note', id) : eventLink(id, agentSession)}>
              <MemoryLine text={text} />
            </a>
          </li>
        ))}
      </ul>
      <p class="muted">
        About {grouped(tokens)} tokens, with lines about checks and unfinished work. What was told with a
        prompt is not recorded.
      </p>
    </Fold>
  ));

const messageKinds = ['prompt', 'answer'];
const isShown = ({ kind }: SessionEvent): boolean => kind !== 'session';
/** A session whose turns are short enough, with all that is kept of them, is not folded. */
const shortLength = 4_000;

const hasWords = ({ text, path, command, output, tool }: SessionEvent, words: string): boolean =>
  words !== '' &&
  [text, path, command, output, tool].some((each) => each?.toLowerCase().includes(words) === true);

const promptOf = ({ events }: SessionTurn): string =>
  events.find(({ kind }) => kind === 'prompt')?.text ?? 'No prompt';

interface ContentsProps {
  session: SessionStory['session'];
  turns: SessionTurn[];
  isWhole: boolean;
}

/** The prompts of the turns, also those within a turn, such as answers to questions of the agent. Each is a link. */
function Contents({ session: { id: session, prompts: total }, turns, isWhole }: ContentsProps) {
  const prompts = turns.flatMap(({ events }) => events.filter(({ kind }) => kind === 'prompt'));
  if (prompts.length < 2) return null;
  return (
    <Fold name="Prompts" count={isWhole ? total : prompts.length} isOpen>
      <ol class="contents-list">
        {prompts.map(({ id, text = '' }) => {
          const link = linkTo('session', session, { at: id });
          const onClick = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            replace(link);
          };
          return (
            <li key={id}>
              <a href={link} onClick={onClick}>
                <MemoryLine text={text.slice(0, 200)} />
              </a>
            </li>
          );
        })}
      </ol>
    </Fold>
  );
}

/** How the session ended: its summary or last answer, the checks that still fail, and how to go on. */
function Ending({ story: { turns, session, isLatestWork } }: { story: SessionStory }) {
  const events = turns.flatMap((turn) => turn.events);
  const answer = events.findLast(({ kind }) => kind === 'answer');
  const { failing, commands, failedCommands } = session;
  if (answer === undefined && commands === 0) return null;
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
          {failing.slice(0, 3).map(({ id, command }) => (
            <li key={id} class="bad">
              <a href={linkTo('session', session.id, { at: id })}>
                <Icon name="warning" /> <code>{command}</code> failed when last run
              </a>
            </li>
          ))}
        </ul>
      ) : (
        commands > 0 && failedCommands === 0 && <p class="muted">Every command passed.</p>
      )}
      {isLatestWork && <Handoff from={session.agent} />}
    </section>
  );
}

/** The command that hands the work over, to one of the installed agents. */
function Handoff({ from }: { from: string }) {
  const installed = overview.value?.agents ?? [];
  const targets = installed.length > 0 ? installed : knownAgents;
  const [chosen, choose] = useState<string | undefined>(undefined);
  const target = chosen ?? targets.find((agent) => agent !== from) ?? from;
  const command = `backstory handoff ${target}`;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => say('Copied. Run it in a terminal.'),
      () => say('The browser does not allow copying here'),
    );
  return (
    <div class="ending-next">
      <span class="field">
        <span class="muted">Hand this work to</span>{' '}
        <Select
          label="Hand this work to"
          value={target}
          options={targets.map((agent) => [agent, agentName(agent)])}
          onChange={choose}
        />
      </span>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <code>{command}</code>
    </div>
  );
}

interface TurnProps {
  turn: SessionTurn;
  number: number;
  /** The event that a link leads to. */
  wanted: string;
  /** What is searched, in small letters. */
  words: string;
  isOpenAtFirst: boolean;
}

/** A turn: its prompt and last answer in short or, if it is open, all that was said and done. */
function Turn({ turn, number, wanted, words, isOpenAtFirst }: TurnProps) {
  const { events, at, usage } = turn;
  const opens = isOpenAtFirst || events.some((event) => event.id === wanted || hasWords(event, words));
  const [isOpen, setOpen] = useState(opens);
  useEffect(() => setOpen(opens), [wanted, words]);
  const answer = events.findLast(({ kind }) => kind === 'answer')?.text;
  return (
    <li>
      <details class="turn" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2 class="unseen">Turn {number}</h2>
          <span class="turn-time">
            <Icon name="chevron" /> {timeOf(at)} <Model usage={usage} /> <Tokens usage={usage} />
            <span>{countsOf(events.filter(({ kind }) => !messageKinds.includes(kind)))}</span>
            <Failed of={events} />
          </span>
          {!isOpen && (
            <>
              <MemoryLine text={promptOf(turn)} />
              {answer !== undefined && (
                <span class="turn-answer">
                  <MemoryLine text={answer} />
                </span>
              )}
            </>
          )}
        </summary>
        {isOpen && <TurnBody events={events} wanted={wanted} words={words} />}
      </details>
    </li>
  );
}

const countsOf = (events: SessionEvent[]): string =>
  [...Map.groupBy(events.filter(isShown), ({ kind }) => kind)]
    .map(([kind, own]) => counted(own.length, kind))
    .join(', ');

function Failed({ of }: { of: SessionEvent[] }) {
  const failed = of.filter(({ kind, ok }) => kind === 'command' && ok === false).length;
  return failed === 0 ? null : <span class="bad">{failed} failed</span>;
}

type BodyProps = Pick<TurnProps, 'wanted' | 'words'> & { events: SessionEvent[] };

/** Shows messages in full and the actions between them as a collapsed line. */
function TurnBody({ events, wanted, words }: BodyProps) {
  const groups: SessionEvent[][] = [];
  for (const event of events.filter(isShown)) {
    const last = groups.at(-1);
    if (
      last !== undefined &&
      !messageKinds.includes(event.kind) &&
      !messageKinds.includes(last[0]?.kind ?? '')
    )
      last.push(event);
    else groups.push([event]);
  }
  // A link to a command or an edit opens everything that was done in its turn, so that a failure is beside its edits.
  const isWanted = events.some(({ id, kind }) => id === wanted && !messageKinds.includes(kind));
  return (
    <>
      {groups.map((own) => {
        const [event] = own as [SessionEvent];
        return messageKinds.includes(event.kind) ? (
          <div
            key={event.id}
            class={`said said-${event.kind}`}
            data-wanted={event.id === wanted || undefined}
          >
            <p class="said-by">{speakerOf(event)}</p>
            <MemoryText text={event.text ?? ''} />
          </div>
        ) : (
          <Work key={event.id} events={own} isWanted={isWanted} wanted={wanted} words={words} />
        );
      })}
    </>
  );
}

const Work = ({ events, isWanted, wanted, words }: BodyProps & { isWanted: boolean }) => (
  <details class="work" open={isWanted || events.some((event) => hasWords(event, words))}>
    <summary>
      <Icon name="chevron" />
      {countsOf(events)}
      <Failed of={events} />
    </summary>
    <ul>
      {events.map((event) => (
        <li key={event.id} data-wanted={event.id === wanted || undefined}>
          <WorkLine event={event} words={words} />
        </li>
      ))}
    </ul>
  </details>
);

function WorkLine({ event, words }: { event: SessionEvent; words: string }) {
  const { kind, path, command, ok, output = '', text, tool, lines, created } = event;
  if (kind === 'command')
    return (
      <>
        <code class={ok === false ? 'bad' : ''}>$ {escapeHidden(command ?? '').slice(0, 300)}</code>
        {output !== '' && (
          <Output text={output} isOpen={ok === false || hasWords({ ...event, command: '' }, words)} />
        )}
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

/** The output of a command. That of a failed one, or one that is searched for, is shown at once. */
const Output = ({ text, isOpen }: { text: string; isOpen: boolean }) => (
  <details class="output" open={isOpen}>
    <summary>Output</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: can be scrolled, so it must be reachable by keys. */}
    <pre tabIndex={0}>{escapeHidden(text)}</pre>
  </details>
);

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
