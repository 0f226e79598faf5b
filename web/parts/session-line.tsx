import type { ComponentChildren } from 'preact';
import type { SessionDigest } from '../../src/wire/answers/sessions.ts';
import { linkTo } from '../router.ts';
import { agentName } from './agents.ts';
import { AgentMark, Branch } from './badges.tsx';
import { dayOf } from './days.ts';
import { FileName } from './file-name.tsx';
import { eventLink } from './hit-link.ts';
import { Icon, type IconName } from './icon.tsx';
import { MemoryLine, NoteLink } from './memory-text.tsx';
import { counted, dollars, grouped, rough } from './numbers.ts';
import { lengthOf, rangeName, timeOf } from './time.tsx';

const shownFiles = 3;
const shownResults = 2;

/** A session on the timeline: its title, decisions, commits and changed files. */
export function SessionLine({ session, isChosen }: { session: SessionDigest; isChosen: boolean }) {
  const { id, agent, branch, firstAt, lastAt, title, prompts, failedCommands, end, usage } = session;
  const [first, last] = [dayOf(firstAt), dayOf(lastAt)];
  return (
    <li class="session" data-row data-chosen={isChosen || undefined}>
      <AgentMark agent={agent} />
      <div class="session-body">
        <a class="session-title" href={linkTo('session', id)}>
          {title === '' ? <span class="muted">No prompt</span> : <MemoryLine text={title} />}
        </a>
        <p class="meta">
          <span>{agentName(agent)}</span>
          <Model usage={usage} />
          <span>
            {first === last ? `${timeOf(firstAt)} · ${lengthOf(firstAt, lastAt)}` : rangeName(first, last)}
          </span>
          <span>{counted(prompts, 'prompt')}</span>
          <Branch name={branch} />
          <SessionEnd end={end} />
          {failedCommands > 0 && (
            <span class="bad">
              <Icon name="warning" />
              {counted(failedCommands, 'failed command')}
            </span>
          )}
        </p>
        <Outcome session={session} />
      </div>
    </li>
  );
}

/** The main model, and how many others worked for it. */
export const Model = ({ usage }: Pick<SessionDigest, 'usage'>) =>
  usage === undefined ? null : (
    <span title={usage.models.join(', ')}>
      <MemoryLine text={usage.models[0] ?? ''} />
      {usage.models.length > 1 && ` +${usage.models.length - 1}`}
    </span>
  );

/** Tokens and cost, as the agent reported them. */
export function Tokens({ usage }: Pick<SessionDigest, 'usage'>) {
  if (usage === undefined) return null;
  const { input, output, cacheRead, cacheWrite, cost } = usage;
  const read = input + cacheRead + cacheWrite;
  if (read + output === 0) return null;
  const exact = `${grouped(input)} read, ${grouped(cacheRead)} from the cache, ${grouped(cacheWrite)} into it, ${grouped(output)} written`;
  return (
    <span title={exact}>
      {rough(read)} tokens in, {rough(output)} out{cost !== undefined && `, ${dollars(cost)}`}
    </span>
  );
}

/** How the session ended, if that is known. */
export const SessionEnd = ({ end }: Pick<SessionDigest, 'end'>) =>
  end === undefined ? null : <span class={end === 'failing' ? 'bad' : ''}>{end}</span>;

/** The results of a session. Decisions come first, because later sessions follow them. */
export function Outcome({
  session: { id: session, files, decisions: drawn, commits, failing },
}: {
  session: SessionDigest;
}) {
  const decisions = drawn.filter(({ state }) => state !== 'candidate');
  const [proposal, ...others] = drawn.filter(({ waits }) => waits);
  if (drawn.length + files.length + commits.length + failing.length === 0) return null;
  return (
    <ul class="outcome">
      {listed('decision', decisions, 'more note', ({ id, title }) => (
        <NoteLink id={id} text={title} />
      ))}
      {proposal !== undefined && (
        <li class="muted">
          <Icon name="review" />
          <div>
            <NoteLink id={proposal.id} text={proposal.title} />
            {others.length === 0 ? 'not reviewed' : `and ${others.length} more, not reviewed`}
          </div>
        </li>
      )}
      {listed('warning', failing, 'more failing command', ({ id, command }) => (
        <a class="bad" href={eventLink(id, session)}>
          <code>{command}</code> failed when last run
        </a>
      ))}
      {listed('commit', commits, 'more commit', commitLine)}
      {files.length > 0 && (
        <li class="outcome-files">
          <Icon name="file" />
          {files.slice(0, shownFiles).map((path) => (
            <FileName key={path} path={path} label={path.split('/').at(-1)} />
          ))}
          {files.length > shownFiles && (
            <span class="muted">{counted(files.length - shownFiles, 'more file')}</span>
          )}
        </li>
      )}
    </ul>
  );
}

export const commitLine = ({ id, hash, subject, isByTime }: SessionDigest['commits'][number]) => (
  <>
    <a href={linkTo('event', id)}>
      <code>{hash.slice(0, 8)}</code> <MemoryLine text={subject} />
    </a>
    {isByTime && <span class="muted"> by time and file</span>}
  </>
);

/** The first results of a kind, and how many more there are. */
function listed<T extends { id: string }>(
  icon: IconName,
  items: T[],
  more: string,
  line: (item: T) => ComponentChildren,
) {
  const hidden = items.length - shownResults;
  return (
    <>
      {items.slice(0, shownResults).map((item) => (
        <li key={item.id}>
          <Icon name={icon} />
          {line(item)}
        </li>
      ))}
      {hidden > 0 && (
        <li class="muted">
          <Icon name={icon} />
          {counted(hidden, more)}
        </li>
      )}
    </>
  );
}
