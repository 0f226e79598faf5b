import { useMemo } from 'preact/hooks';
import type { TeamTimeline } from '../../../src/wire/answers/team.ts';
import { dayOf } from '../../parts/days.ts';
import { PageHead } from '../../parts/page-head.tsx';
import type { Seen } from '../../parts/seen.ts';
import { Select } from '../../parts/select.tsx';
import { Loaded } from '../../parts/states.tsx';
import { dayName } from '../../parts/time.tsx';
import { useChoice } from '../../parts/use-choice.ts';
import { useSeen } from '../../parts/use-seen.ts';
import { chosenProject } from '../../project.ts';
import { useMemoryResource } from '../../resource.ts';
import { go, linkTo, replace, route } from '../../router.ts';
import { teamApi } from '../api.ts';
import { MemoryRow, NothingYet, sources } from '../parts.tsx';

const pageSize = 40;

/** Lists the memories of a team by day, the last changed first. */
export function TeamTimelinePage() {
  const source = route.value.query.get('source') ?? '';
  const of = `${chosenProject.value} ${source}`;
  const first = useMemoryResource(
    async () => ({ of, ...(await teamApi.newest({ source }, pageSize)) }),
    [of],
  );
  return (
    <>
      <PageHead title="Timeline" lead="What has changed?">
        <span class="field">
          <Select
            label="Source"
            value={source}
            options={[['', 'Any source'], ...Object.entries(sources)]}
            onChange={(wanted) => replace(linkTo('timeline', '', { source: wanted }))}
          />
        </span>
      </PageHead>
      <Loaded of={first}>
        {(page) =>
          page.items.length === 0 ? (
            <NothingYet />
          ) : (
            <Days key={page.of} first={page} of={page.of} source={source} />
          )
        }
      </Loaded>
    </>
  );
}

type Changed = TeamTimeline['items'][number];

/** The server returns the oldest first; an earlier page includes the memory it was requested for. */
const seenIn = ({ items }: TeamTimeline, size: number): Seen<Changed> => ({
  items: items.toReversed(),
  nextCursor: items.length < size ? undefined : items[0]?.id,
});

function Days({ first, of, source }: { first: TeamTimeline; of: string; source: string }) {
  const newest = useMemo(() => seenIn(first, pageSize), [first]);
  const {
    items: changed,
    hasMore,
    loadMore,
  } = useSeen(
    of,
    newest,
    ({ at }) => at,
    // Continue from the last shown memory, because the cursor of the loaded page may have moved up since.
    async (_, last) => seenIn(await teamApi.newest({ source }, pageSize, last.id), pageSize + 1),
  );
  const { chosen, list } = useChoice(
    changed.map(({ id }) => id),
    (at) => go(linkTo('note', changed[at]?.id)),
  );
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
              <MemoryRow key={one.id} of={one} isChosen={changed[chosen] === one} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <button type="button" class="more" onClick={loadMore}>
          Earlier
        </button>
      )}
    </div>
  );
}
