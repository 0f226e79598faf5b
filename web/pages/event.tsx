import type { EventView as Page } from '../../src/wire/answers/sessions.ts';
import { api } from '../api.ts';
import { AgentMark, KindBadge } from '../parts/badges.tsx';
import { Paths } from '../parts/file-name.tsx';
import { MemoryLine, MemoryText } from '../parts/memory-text.tsx';
import { sourceOf } from '../parts/source.ts';
import { Loaded } from '../parts/states.tsx';
import { fullTimeOf } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import { linkTo, route } from '../router.ts';

/** Shows an event that belongs to no agent session, such as a commit. */
export function EventPage() {
  const id = route.value.rest;
  const page = useResource(() => api.event(id), [id, chosenProject.value]);
  return <Loaded of={page}>{(value) => <Body page={value} />}</Loaded>;
}

function Body({
  page: { kind, agent, at, origin, trust, text, paths, missing, author, sessions = [] },
}: {
  page: Page;
}) {
  useTitle(text.split('\n')[0] ?? kind);
  return (
    <article class="note">
      <header class="note-head">
        <h1 class="unseen">{kind}</h1>
        <p class="hit-head">
          <AgentMark agent={agent} />
          <KindBadge kind={kind} />
          <span class="meta">
            <time>{fullTimeOf(at)}</time>
            <bdi>{author === undefined ? sourceOf({ origin, trust }) : `by ${author}`}</bdi>
          </span>
        </p>
      </header>
      <div class="note-main">
        {/* The message of a commit is prose; what a tool was called with and printed is not. */}
        {kind === 'commit' || kind === 'prompt' || kind === 'answer' ? (
          <MemoryText text={text} />
        ) : (
          <pre class="memory-text">{text}</pre>
        )}
        {sessions.map((session) => (
          <p key={session.id} class="meta">
            <a href={linkTo('session', session.id, author === undefined ? { at: route.value.rest } : {})}>
              Session: <MemoryLine text={session.title || 'No prompt'} />
            </a>
            {session.isByTime && ' (matched by time and file: git printed the commit in no session)'}
          </p>
        ))}
        {paths.length > 0 && (
          <section>
            <h2>Files</h2>
            <Paths paths={paths} missing={missing} />
          </section>
        )}
      </div>
    </article>
  );
}
