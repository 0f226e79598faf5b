import { useEffect, useState } from 'preact/hooks';
import { memoryChanges } from '../../live.ts';
import { KindBadge } from '../../parts/badges.tsx';
import { MemoryLine } from '../../parts/memory-text.tsx';
import { Loaded } from '../../parts/states.tsx';
import { dayName, dayOf } from '../../parts/time.tsx';
import { useChoice } from '../../parts/use-choice.ts';
import { chosenProject } from '../../project.ts';
import { useResource } from '../../resource.ts';
import { go, linkTo, replace, route } from '../../router.ts';
import { teamApi } from '../api.ts';
import { NothingYet, sources, WhoAndWhen } from '../parts.tsx';
import type { TeamTimeline } from '../wire.ts';

const pageSize = 40;

/** What was said lately? All memories, the one changed last first, by day. */
export function TeamTimelinePage() {
  const source = route.value.query.get('source') ?? '';
  const first = useResource(
    () => teamApi.before(new Date().toISOString(), source, pageSize),
    [source, memoryChanges.value, chosenProject.value],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Timeline</h1>
          <p class="lead">What was said lately?</p>
        </div>
        <label class="field">
          <span class="unseen">Source</span>
          <select
            value={source}
            onChange={(event) => replace(linkTo('timeline', '', { source: event.currentTarget.value }))}
          >
            <option value="">Any source</option>
            {Object.entries(sources).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Loaded of={first}>
        {(page) => (page.chunks.length === 0 ? <NothingYet /> : <Days first={page} source={source} />)}
      </Loaded>
    </>
  );
}

type Changed = TeamTimeline['chunks'][number];

function Days({ first, source }: { first: TeamTimeline; source: string }) {
  const [more, setMore] = useState<Changed[]>([]);
  const [isAll, setAll] = useState(false);
  useEffect(() => {
    setMore([]);
    setAll(first.chunks.length < pageSize);
  }, [first]);
  const newestFirst = [...first.chunks.toReversed(), ...more];
  const changed = [...new Map(newestFirst.map((one) => [one.id, one])).values()];
  const { chosen, list } = useChoice(changed.length, (at) => go(linkTo('note', changed[at]?.id)));
  const loadMore = async () => {
    const { chunks } = await teamApi.before(changed.at(-1)?.id ?? '', source, pageSize);
    setMore([...more, ...chunks.toReversed()]);
    setAll(chunks.length <= pageSize);
  };
  const days = Map.groupBy(changed, ({ at }) => dayOf(at));
  return (
    <div ref={list as never}>
      {[...days].map(([day, own]) => (
        <section key={day} class="day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            {dayName((own[0] as Changed).at)}{' '}
            <span class="muted">{own.length === 1 ? '1 memory' : `${own.length} memories`}</span>
          </h2>
          <ul class="hits">
            {own.map((one) => (
              <li key={one.id} class="hit" data-chosen={changed[chosen] === one || undefined}>
                <p class="hit-head">
                  <KindBadge kind={one.memory.kind} />
                  <WhoAndWhen memory={one.memory} />
                </p>
                <a class="hit-text" href={linkTo('note', one.id)}>
                  <MemoryLine text={one.text.slice(0, 600)} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {!isAll && (
        <button type="button" class="more" onClick={loadMore}>
          Earlier
        </button>
      )}
    </div>
  );
}
