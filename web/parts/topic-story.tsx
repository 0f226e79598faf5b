import type { StatementStory } from '../../src/wire/answers/sessions.ts';
import { linkTo } from '../router.ts';
import { dayOf } from './days.ts';
import { wordOf } from './evidence.tsx';
import { eventLink } from './hit-link.ts';
import { MemoryLine, NoteLink } from './memory-text.tsx';
import { counted } from './numbers.ts';
import { Age, shortDay } from './time.tsx';

/** What was done with a note. */
export const actionWords: Record<string, string> = {
  say: 'Said',
  repeat: 'Said again',
  create: 'Written',
  approve: 'Approved by you',
  confirm: 'Compared with your words by a model',
  edit: 'Edited by you',
  share: 'Shared with the team',
  unshare: 'No longer shared with the team',
  pin: 'Pinned',
  unpin: 'Unpinned',
  enforce: 'Compared with tool calls',
  unenforce: 'No longer compared with tool calls',
  mute: 'No longer told here',
  unmute: 'Told here again',
  archive: 'Archived',
  supersede: 'Superseded',
  withdraw: 'Withdrawn by you',
  reopen: 'Reopened',
  dispute: 'Disputed in the team, or settled',
  use: 'Opened',
};

/** How the statements on a topic came and went: a bar for each, with what was said and done, and who was told it. */
export function TopicStory({ statements, here }: { statements: StatementStory[]; here: string }) {
  const all = statements.flatMap(({ from, to, steps, told }) => [
    from,
    to ?? Date.now(),
    ...steps.map(({ at }) => at),
    ...told.map(({ at }) => at),
  ]);
  const first = Math.min(...all);
  const span = Math.max(1, Math.max(...all) - first);
  const place = (at: number) => `${((at - first) / span) * 100}%`;
  return (
    <section class="topic-story">
      <h2>How it came about</h2>
      <ol>
        {statements.map(({ id, text, from, to, closedBy, steps, told }) => (
          <li key={id} data-here={id === here || undefined}>
            <p class="story-text">
              {id === here ? <MemoryLine text={text} /> : <NoteLink id={id} text={text} />}
            </p>
            <div class="story-track" aria-hidden="true">
              <span
                class="story-bar"
                data-closed={to !== undefined || undefined}
                style={{ left: place(from), right: `calc(100% - ${place(to ?? first + span)})` }}
              />
              {told.map(({ agentSession, at }) => (
                <span key={`${agentSession} ${at}`} class="story-told" style={{ left: place(at) }} />
              ))}
              {steps.map(({ at, action }) => (
                <span
                  key={`${action} ${at}`}
                  class="story-mark"
                  data-action={action}
                  style={{ left: place(at) }}
                />
              ))}
            </div>
            <ul class="story-steps">
              {steps.map(({ at, action, source }) => (
                <li key={`${action} ${at}`}>
                  {source === undefined ? (
                    <span>{actionWords[action] ?? action}</span>
                  ) : (
                    <a href={eventLink(source.id, source.agentSession)} title={source.text}>
                      {source.kind === 'prompt' ? (actionWords[action] ?? action) : wordOf(source.kind)}
                    </a>
                  )}{' '}
                  <Age at={at} />
                  {source !== undefined && source.branch !== '' && <bdi> on {source.branch}</bdi>}
                </li>
              ))}
              {to !== undefined && (
                <li class="bad">
                  {closedBy === 'user' ? 'Withdrawn' : 'Changed'} <Age at={to} />
                </li>
              )}
              <li class="muted">
                {told[0] === undefined ? (
                  'No session was told it yet'
                ) : (
                  <>
                    Told to {counted(told.length, 'session')}, last{' '}
                    <a href={linkTo('session', told[0].agentSession)}>
                      <Age at={told[0].at} />
                    </a>
                  </>
                )}
              </li>
            </ul>
          </li>
        ))}
      </ol>
      <p class="story-scale muted" aria-hidden="true">
        <span>{shortDay(dayOf(first))}</span>
        <span>{shortDay(dayOf(first + span))}</span>
      </p>
    </section>
  );
}
