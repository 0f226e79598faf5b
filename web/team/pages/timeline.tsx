import { useEffect, useState } from 'preact/hooks';
import { failureOf } from '../../failure.ts';
import { memoryChanges } from '../../live.ts';
import { KindBadge } from '../../parts/badges.tsx';
import { MemoryLine } from '../../parts/memory-text.tsx';
import { Loaded } from '../../parts/states.tsx';
import { dayName, dayOf } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
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
  const of = `${chosenProject.value} ${source}`;
  const first = useResource(
    async () => ({ of, ...(await teamApi.before(new Date().toISOString(), source, pageSize)) }),
    [of, memoryChanges.value],
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
        {(page) =>
          page.chunks.length === 0 ? <NothingYet /> : <Days key={page.of} first={page} source={source} />
        }
      </Loaded>
    </>
  );
}

type Changed = TeamTimeline['chunks'][number];

/** As far down as somebody went, newest first and without a gap. */
interface Seen {
  changed: Changed[];
  /** Nothing is earlier. */
  isAll: boolean;
}

const beginning = ({ chunks }: TeamTimeline): Seen => ({
  changed: chunks.toReversed(),
  isAll: chunks.length < pageSize,
});

/** Where it stands highest. */
const onceEach = (changed: Changed[]): Changed[] =>
  [...Map.groupBy(changed, ({ id }) => id).values()].map(([highest]) => highest as Changed);

/** Where the newest page ends, what was loaded further down goes on; if so much is new that it does not, it goes. */
function withNews({ changed, isAll }: Seen, first: TeamTimeline): Seen {
  const [oldest] = first.chunks;
  const at = changed.findIndex(({ id, at }) => id === oldest?.id && at === oldest.at);
  const start = beginning(first);
  return at === -1 || start.isAll
    ? start
    : { changed: onceEach([...start.changed, ...changed.slice(at + 1)]), isAll };
}

/** The page begins with the memory that it was asked for. */
const withEarlier = ({ changed }: Seen, { chunks }: TeamTimeline): Seen => ({
  changed: onceEach([...changed, ...chunks.toReversed()]),
  isAll: chunks.length <= pageSize,
});

function Days({ first, source }: { first: TeamTimeline; source: string }) {
  const [{ changed, isAll }, set] = useState<Seen>(() => beginning(first));
  useEffect(() => set((seen) => withNews(seen, first)), [first]);
  const { chosen, list } = useChoice(changed.length, (at) => go(linkTo('note', changed[at]?.id)));
  const loadMore = async () => {
    const last = changed.at(-1);
    try {
      const page = await teamApi.before(last?.id ?? '', source, pageSize);
      set((seen) => (seen.changed.at(-1) === last ? withEarlier(seen, page) : seen));
    } catch (error) {
      say(`That failed: ${failureOf(error).message}`);
    }
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
