import { useState } from 'preact/hooks';
import type { SourcedLine as Line, SourcedNote, Today } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { mayApprove } from '../overview.ts';
import { Activity } from '../parts/activity.tsx';
import { KindBadge } from '../parts/badges.tsx';
import { DayDigest } from '../parts/day-digest.tsx';
import { Evidence } from '../parts/evidence.tsx';
import { eventLink } from '../parts/hit-link.ts';
import { MemoryLine } from '../parts/memory-text.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { ReadOnly } from '../parts/read-only.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { decideHere, useDecision } from '../parts/toast.tsx';
import { sourceLink, ToldLine } from '../parts/told-line.tsx';
import { useChoice } from '../parts/use-choice.ts';
import { below, useMemoryResource } from '../resource.ts';
import { go, linkTo } from '../router.ts';

/** The first page: the last active day, activity, what the next session is told, what waits for review and what is open. */
export function TodayPage() {
  const [decisions, count] = useState(0);
  const onDecided = () => count((before) => before + 1);
  const activity = useMemoryResource(() => api.activity());
  const today = useMemoryResource(() => api.today(), [], [decisions]);
  return (
    <>
      <PageHead title="Today" lead="What happened, what the next session is told, and what needs you" />
      {(activity.value?.items.length ?? 0) > 0 && <DayDigest isShort />}
      {activity.value !== undefined && (
        <Activity of={activity.value} onChoose={(from, to) => go(linkTo('timeline', '', { from, to }))} />
      )}
      <Loaded of={below(activity, today)}>
        {(value) => (
          <div class="today">
            <Told prelude={value.prelude} onDecided={onDecided} />
            <div class="today-side">
              <Waiting of={value.waiting} onDecided={onDecided} />
              <Open of={value.open} onDecided={onDecided} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

interface Deciding {
  onDecided(): void;
}

const keyOf = ({ note, text }: Line): string => note?.id ?? text;
const isDecidable = ({ note, line }: Line): boolean => note !== undefined || line !== undefined;

const hasSameSource = (line: Line, next: Line | undefined): boolean =>
  line.source !== undefined && line.source.id === next?.source?.id && line.reason === next.reason;

/** Lines of a section that are shown at first. */
const firstLines = 2;

function Told({ prelude: { lines, muted, since, tokens }, onDecided }: Pick<Today, 'prelude'> & Deciding) {
  const [whole, showWhole] = useState<ReadonlySet<string>>(new Set());
  const sections = [...Map.groupBy(lines, ({ section }) => section)].map(([name, own]) => ({
    name,
    shown: whole.has(name) ? own : own.slice(0, firstLines),
    left: whole.has(name) ? 0 : Math.max(0, own.length - firstLines),
  }));
  const shown = sections.flatMap((section) => section.shown).filter(isDecidable);
  const { chosen, list } = useChoice(shown.map(keyOf), (at) => {
    const line = shown[at];
    const link = line && sourceLink(line);
    if (link !== undefined) go(link);
  });
  return (
    <section class="today-told" aria-labelledby="told" ref={list as never}>
      <header class="today-head">
        <h2 id="told">What the next session is told</h2>
        <p class="muted">
          {counted(lines.length + since.length, 'line')}, about {grouped(tokens)} tokens
        </p>
      </header>
      {!mayApprove.value && <ReadOnly />}
      {lines.length + since.length === 0 && (
        <div class="callout">
          <p>
            Nothing yet. What you settle in a session, and notes that you accept, are told to the next one.
          </p>
          <NextSteps />
        </div>
      )}
      {sections.map(({ name, shown: own, left }) => (
        <section key={name} class="told-section" aria-label={name}>
          <h3>{name}</h3>
          <ul>
            {own.map((line, at) => (
              <ToldLine
                key={`${keyOf(line)} ${line.note?.rev ?? ''} ${line.text}`}
                line={line}
                isChosen={shown[chosen] === line}
                isJoined={hasSameSource(line, own[at + 1])}
                onDecided={onDecided}
              />
            ))}
          </ul>
          {left > 0 && (
            <button type="button" class="quiet" onClick={() => showWhole(new Set([...whole, name]))}>
              Show {counted(left, 'more line')}
            </button>
          )}
        </section>
      ))}
      {since.length > 0 && (
        <section class="told-section" aria-label="Since then">
          <h3>Since then</h3>
          <ul>
            {since.map((text) => (
              <li key={text} class="told">
                <p class="told-text">
                  <MemoryLine text={text} />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {muted.length > 0 && (
        <details class="muted-lines">
          <summary>{counted(muted.length, 'line')} that you do not want told</summary>
          <ul>
            {muted.map(({ line = '', text }) => (
              <li key={line}>
                <MemoryLine text={text} />
                {mayApprove.value && (
                  <button
                    type="button"
                    class="quiet"
                    onClick={() =>
                      decideHere(
                        'Told again',
                        () => api.muteLine(line, false).then(onDecided),
                        () => {},
                      )
                    }
                  >
                    Tell it again
                  </button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Whether several of the items come from the session of this one, and this is the first. */
function isFirstOfSession(items: SourcedNote[], at: number): boolean {
  const session = items[at]?.source?.agentSession ?? '';
  const own = items.filter(({ source }) => source?.agentSession === session);
  return session !== '' && own.length > 1 && own[0] === items[at];
}

function Waiting({ of: { items, total, changes }, onDecided }: { of: Today['waiting'] } & Deciding) {
  return (
    <section aria-labelledby="waiting">
      <header class="today-head">
        <h2 id="waiting">Waiting for review</h2>
        {total + changes > 0 && (
          <a class="more-link" href={linkTo('review')}>
            Review {total + changes === 1 ? 'it' : `all ${grouped(total + changes)}`}
          </a>
        )}
      </header>
      {changes > 0 && (
        <p class="callout">
          <a href={linkTo('review')}>{counted(changes, 'note')} may have changed.</a>
        </p>
      )}
      {total + changes === 0 && <p class="muted">Nothing. Notes that agents propose appear here.</p>}
      <ul class="cards">
        {items.map((item, at) => (
          <Card
            key={item.note.id}
            of={item}
            onDecided={onDecided}
            session={isFirstOfSession(items, at) ? item.source?.agentSession : undefined}
            actions={[
              { name: 'Accept', said: 'Accepted', run: () => api.accept(item.note) },
              { name: 'Reject', said: 'Rejected', run: () => api.reject(item.note) },
            ]}
          />
        ))}
      </ul>
    </section>
  );
}

function Open({ of: { items, total, failing }, onDecided }: { of: Today['open'] } & Deciding) {
  const [isWhole, showWhole] = useState(false);
  const shown = isWhole ? failing : failing.slice(0, 5);
  return (
    <section aria-labelledby="open">
      <header class="today-head">
        <h2 id="open">Open</h2>
        {total > items.length && (
          <p class="muted">
            the newest {items.length} of {grouped(total)}
          </p>
        )}
      </header>
      {total + failing.length === 0 && (
        <p class="muted">
          No open note, and no command that was run more than once failed last, in the last week of work. What
          an agent left undone is in its last answer: <a href={linkTo('timeline')}>latest sessions</a>.
        </p>
      )}
      <ul class="cards">
        {items.map((item) => (
          <Card
            key={item.note.id}
            of={item}
            onDecided={onDecided}
            actions={[{ name: 'Done', said: 'Closed', run: () => api.wrong(item.note, '') }]}
          />
        ))}
      </ul>
      {failing.length > 0 && (
        <>
          <h3>{counted(failing.length, 'command')} failed when last run, in the last week of work</h3>
          <ul class="failing">
            {shown.map(({ id, at, command, agentSession }) => (
              <li key={id}>
                <a class="bad" href={eventLink(id, agentSession)}>
                  <code>{command}</code>
                </a>
                <span class="muted">
                  <Age at={at} />
                </span>
              </li>
            ))}
          </ul>
          {shown.length < failing.length && (
            <button type="button" class="quiet" onClick={() => showWhole(true)}>
              Show all {grouped(failing.length)}
            </button>
          )}
        </>
      )}
    </section>
  );
}

interface CardProps extends Deciding {
  of: SourcedNote;
  /** Set if all proposals of this agent session can be reviewed together. */
  session?: string | undefined;
  actions: { name: string; said: string; run(): Promise<unknown> }[];
}

/** A note in a narrow column, with its evidence and its actions. */
function Card({ of: { note, source }, session, actions, onDecided }: CardProps) {
  const { isDecided, settle } = useDecision();
  if (isDecided) return null;
  return (
    <li class="card">
      <KindBadge kind={note.kind} />
      <a class="card-text" href={linkTo('note', note.id)}>
        <MemoryLine text={note.text} />
      </a>
      {source !== undefined && <Evidence source={source} />}
      {mayApprove.value && (
        <div class="card-actions">
          {actions.map(({ name, said, run }) => (
            <button key={name} type="button" onClick={() => settle(said, () => run().then(onDecided))}>
              {name}
            </button>
          ))}
          {session !== undefined && (
            <a class="more-link" href={linkTo('review', '', { session })}>
              Review its session
            </a>
          )}
        </div>
      )}
    </li>
  );
}
