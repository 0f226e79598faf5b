import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DriftState } from '../../src/wire/answers/memory.ts';
import { AgentMark, Branch, FreshnessBadge, KindBadge, meaningOf } from '../parts/badges.tsx';
import { Fact } from '../parts/fact.tsx';
import { fileLink } from '../parts/file-link.ts';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine, NoteLink } from '../parts/memory-text.tsx';
import { Age, dayName, timeOf as timeOfDay } from '../parts/time.tsx';
import { linkTo } from '../router.ts';
import { type FileNote, type Origin, originLink, type StoryBlock, timeOf, titleOf, whoOf } from './story.ts';

const canHover = (): boolean => matchMedia('(hover: hover)').matches;

interface MarginProps {
  block: StoryBlock;
  path: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** What stands beside a block of code: who asked for it, who wrote it, and what is known about it. */
export function Margin({ block, path, isOpen, onOpen }: MarginProps) {
  const { from, to, origin } = block;
  const link = originLink(origin, path);
  const content = (
    <>
      <span class="unseen">{from === to ? `Line ${from}` : `Lines ${from} to ${to}`}: </span>
      <Rows block={block} />
    </>
  );
  // A finger cannot hover: the first tap shows the turn, and the card has the links.
  const onClick = (event: MouseEvent) => {
    if (link !== undefined && (isOpen || canHover())) return;
    event.preventDefault();
    onOpen(!isOpen);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link inside has the focus and the keys.
    <div
      class="margin"
      data-open={isOpen || undefined}
      onMouseEnter={() => canHover() && onOpen(true)}
      onMouseLeave={() => canHover() && onOpen(false)}
      onFocusIn={() => canHover() && onOpen(true)}
    >
      <div class="margin-place">
        {link === undefined ? (
          <button type="button" class="margin-link" onClick={onClick}>
            {content}
          </button>
        ) : (
          <a class="margin-link" href={link} onClick={onClick}>
            {content}
          </a>
        )}
        {isOpen && <Card block={block} path={path} />}
      </div>
    </div>
  );
}

const maxRows = 9;

/** As many rows as the block has lines, the most important first. */
function Rows({ block: { from, to, origin, notes, tried } }: { block: StoryBlock }) {
  const room = Math.min(maxRows, to - from + 1);
  const details = [
    ...notes.map((note) => <Row mark={<NoteDot note={note} />} text={firstLine(note.text)} />),
    ...tried.map(({ failure }) => (
      <Row tone="warn" mark={<Icon name="undo" />} text={`Taken back: ${failure?.text ?? 'an attempt'}`} />
    )),
    ...(origin.reason?.decisions ?? [])
      .slice(0, 2)
      .map(({ text }) => <Row mark={<Icon name="decision" />} text={text} />),
  ];
  const at = timeOf(origin);
  const shown = details.slice(0, Math.max(0, room - 2));
  const hidden = details.length - shown.length;
  return (
    <>
      <Row tone="margin-title" mark={<Mark origin={origin} />} text={titleOf(origin)}>
        {room < 2 && <Signs notes={notes} hasTried={tried.length > 0} />}
      </Row>
      {room >= 2 && (
        <span class="margin-row margin-meta">
          <span class="cut">
            {whoOf(origin)}
            {at !== undefined && (
              <>
                {' · '}
                <Age at={at} />
              </>
            )}
            {origin.commit === undefined ? (
              ' · not committed'
            ) : (
              <>
                {' · '}
                <code>{origin.commit.hash.slice(0, 8)}</code>
              </>
            )}
            {origin.session === undefined && origin.claims !== undefined && (
              <> · claimed: {[...new Set(origin.claims.map(({ tool }) => tool))].join(', ')}</>
            )}
          </span>
          {hidden > 0 && shown.length === 0 && <Signs notes={notes} hasTried={tried.length > 0} />}
        </span>
      )}
      {shown}
    </>
  );
}

interface RowProps {
  mark: ComponentChildren;
  text: string;
  tone?: string;
  children?: ComponentChildren;
}

const Row = ({ mark, text, tone = '', children }: RowProps) => (
  <span class={`margin-row ${tone}`}>
    {mark}
    <span class="cut">
      <MemoryLine text={text} />
    </span>
    {children}
  </span>
);

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const Mark = ({ origin }: { origin: Origin }) =>
  origin.session === undefined ? (
    <span class="agent-mark margin-person" role="img" aria-label="No agent session known">
      <Icon name={origin.commit === undefined ? 'file' : 'commit'} />
    </span>
  ) : (
    <AgentMark agent={origin.session.agent} />
  );

const NoteDot = ({ note }: { note: FileNote }) => (
  <span
    class={`note-dot freshness-${note.freshness}`}
    role="img"
    aria-label={`Note, ${meaningOf(note.freshness as DriftState)}`}
  />
);

const Signs = ({ notes, hasTried }: { notes: FileNote[]; hasTried: boolean }) => (
  <span class="signs">
    {notes.slice(0, 3).map((note) => (
      <NoteDot key={note.id} note={note} />
    ))}
    {hasTried && (
      <span class="warn" role="img" aria-label="Something was tried and taken back">
        <Icon name="undo" />
      </span>
    )}
  </span>
);

/** The turn that wrote a block, in full. */
function Card({
  block: { from, to, origin, title, notes, tried },
  path,
}: {
  block: StoryBlock;
  path: string;
}) {
  const { session, commit, reason } = origin;
  const at = timeOf(origin);
  const card = useRef<HTMLDivElement>(null);
  // A card beside the last block on the screen would end below it.
  useLayoutEffect(() => {
    const { current } = card;
    if (current === null || getComputedStyle(current).position !== 'absolute') return;
    const below = current.getBoundingClientRect().bottom + 12 - innerHeight;
    if (below > 0) current.style.top = `${-below}px`;
  }, []);
  return (
    <div class="story-card" ref={card}>
      <p class="meta">
        <Mark origin={origin} />
        <strong>{whoOf(origin)}</strong>
        {session?.model !== undefined && (
          <span>
            <MemoryLine text={session.model} />
          </span>
        )}
        {session === undefined && at !== undefined && <Age at={at} />}
        {session !== undefined && <Branch name={session.branch} />}
        <span class="muted">{from === to ? `line ${from}` : `lines ${from}–${to}`}</span>
      </p>
      <dl>
        {session !== undefined && (
          <Fact name="Session">
            <a href={linkTo('session', session.agentSession, { at: session.edit })}>
              <MemoryLine text={title || 'No prompt'} />
            </a>
            , {dayName(session.at)}, {timeOfDay(session.at)}
          </Fact>
        )}
        {reason?.prompt !== undefined && (
          <Fact name="Asked">
            <MemoryLine text={reason.prompt.text.slice(0, 800)} />
          </Fact>
        )}
        <List
          name={notes.length === 1 ? 'Note' : 'Notes'}
          lines={notes.map((note) => <NoteLine note={note} />)}
        />
        <List name="Decided" lines={quoted(reason?.decisions)} />
        <List name="Did not work" lines={quoted(reason?.rejected)} />
        <List
          name="Taken back"
          lines={tried.map((each) => (
            <a href={linkTo('session', each.agentSession, { at: each.edit ?? '' })}>
              <MemoryLine text={each.failure?.text ?? `${each.lines} lines`} />
            </a>
          ))}
        />
        <List name="Failed" lines={quoted(reason?.failures)} />
        {reason?.account !== undefined && (
          <Fact name="Agent’s account">
            <MemoryLine text={reason.account.text} />
          </Fact>
        )}
        {commit !== undefined && (
          <Fact name="Commit">
            <a href={fileLink(path, { commit: commit.hash })}>
              <code>{commit.hash.slice(0, 8)}</code> <MemoryLine text={commit.summary} />
            </a>
            <span class="muted"> · {commit.author}</span>
          </Fact>
        )}
        <List
          name="Claimed, not proved"
          lines={(origin.claims ?? []).map(({ tool, model, by }) => (
            <>
              written by {tool}
              {model !== undefined && `, ${model}`}
              <span class="muted">, according to {by}</span>
            </>
          ))}
        />
      </dl>
      {session === undefined && (
        <p class="muted">
          {origin.isUnsure
            ? 'Not sure: several agent sessions wrote the same line.'
            : 'No agent session is known to have written this. Only the commit is known.'}
        </p>
      )}
    </div>
  );
}

export const NoteLine = ({ note }: { note: FileNote }) => (
  <>
    <span class="note-line-head">
      <KindBadge kind={note.kind} />
      <FreshnessBadge label={note.freshness as DriftState} />
      {note.state !== 'active' && <span class={`state state-${note.state}`}>{note.state}</span>}
    </span>
    <NoteLink id={note.id} text={firstLine(note.text)} />
  </>
);

/** A fact with a line for each item; nothing without any. */
const List = ({ name, lines }: { name: string; lines: ComponentChildren[] }) =>
  lines.length === 0 ? null : (
    <Fact name={name}>
      <ul>
        {lines.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
    </Fact>
  );

const quoted = (quotes: { text: string }[] = []) =>
  quotes.map(({ text }) => <MemoryLine text={text.slice(0, 400)} />);
