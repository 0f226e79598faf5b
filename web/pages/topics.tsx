import type { Topic, TopicList, TopicPage as Topics } from '../../src/wire/answers/memory.ts';
import { api } from '../api.ts';
import { KindBadge } from '../parts/badges.tsx';
import { FileName } from '../parts/file-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { NewNote } from '../parts/new-note.tsx';
import { NextSteps } from '../parts/next-steps.tsx';
import { counted, grouped } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Select } from '../parts/select.tsx';
import { Standing } from '../parts/standing.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { useChoice } from '../parts/use-choice.ts';
import { useSeen } from '../parts/use-seen.ts';
import { chosenProject } from '../project.ts';
import { useMemoryResource } from '../resource.ts';
import { go, linkTo, replace, route } from '../router.ts';

const pageSize = 40;

const listNames: Record<TopicList, string> = {
  holds: 'Holds',
  told: 'Told to the next session',
  proposed: 'Not reviewed',
  closed: 'No longer holds',
  summaries: 'Summaries of sessions',
};
const lists = Object.keys(listNames) as TopicList[];

/** Lists what is settled, to find and correct it. */
export function TopicsPage() {
  const { query } = route.value;
  const words = query.get('q') ?? '';
  const list = lists.find((each) => each === query.get('list')) ?? 'holds';
  const of = `${chosenProject.value} ${list} ${words}`;
  const asked = { words: words.trim(), list, limit: pageSize };
  const first = useMemoryResource(async () => ({ of, ...(await api.topics(asked)) }), [of]);
  const show = (wanted: { q?: string; list?: string }) =>
    replace(linkTo('topics', '', { q: words, list, ...wanted }));
  return (
    <>
      <PageHead title="Topics" lead="What is settled?" />
      <NewNote create={api.create} />
      <search class="topic-filter">
        <label>
          <span class="unseen">Words in the statement, its topic or its files</span>
          <input
            type="search"
            placeholder="Words, a topic or a file"
            value={words}
            onInput={(event) => show({ q: event.currentTarget.value })}
          />
        </label>
        <Select
          label="State"
          value={list}
          options={lists.map((each) => [
            each,
            first.value === undefined
              ? listNames[each]
              : `${listNames[each]} (${grouped(first.value.counts[each] ?? 0)})`,
          ])}
          onChange={(wanted) => show({ list: wanted })}
        />
      </search>
      <Loaded of={first}>
        {(page) =>
          page.items.length === 0 ? (
            <Empty
              icon="topics"
              title={`Nothing ${words === '' ? '' : 'matches '}under “${listNames[list]}”`}
            >
              {words === '' && list === 'holds' && (
                <>
                  <p>What you settle in a session, write or accept appears here.</p>
                  <NextSteps />
                </>
              )}
            </Empty>
          ) : (
            <List key={page.of} first={page} of={page.of} asked={asked} />
          )
        }
      </Loaded>
    </>
  );
}

function List({ first, of, asked }: { first: Topics; of: string; asked: Parameters<typeof api.topics>[0] }) {
  const { items, hasMore, loadMore } = useSeen(
    of,
    first,
    ({ rev }) => rev,
    (cursor) => api.topics({ ...asked, cursor }),
  );
  const { chosen, list } = useChoice(
    items.map(({ id }) => id),
    (at) => go(linkTo('note', items[at]?.id)),
  );
  return (
    <div ref={list as never}>
      <p class="muted topic-count">{counted(first.total, 'note')}</p>
      <ul class="topics">
        {items.map((item) => (
          <Row key={item.id} topic={item} isChosen={items[chosen] === item} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" class="more" onClick={loadMore}>
          Older notes <span class="muted">{grouped(first.total - items.length)} more</span>
        </button>
      )}
    </div>
  );
}

const Row = ({ topic: one, isChosen }: { topic: Topic; isChosen: boolean }) => (
  <li class="topic" data-row data-chosen={isChosen || undefined}>
    <p class="hit-head">
      <KindBadge kind={one.kind} />
      {one.topic !== '' && (
        <a class="topic-name" href={linkTo('topics', '', { q: one.topic })}>
          <MemoryLine text={one.topic} />
        </a>
      )}
      {one.pinned && (
        <span class="state">
          <Icon name="pin" /> Pinned
        </span>
      )}
      {one.isTold && <span class="state state-told">Told at start</span>}
      {one.isMuted && <span class="state">Not told here</span>}
    </p>
    <a class="topic-text" href={linkTo('note', one.id)}>
      <MemoryLine text={`${one.code ?? ''} ${one.text}`.trimStart()} />
    </a>
    <Standing of={one} note={one} />
    <p class="meta">
      <Age at={one.updated} />
      {one.earlier > 0 && <span>{counted(one.earlier, 'earlier statement')}</span>}
      {one.files.slice(0, 2).map((path) => (
        <FileName key={path} path={path} />
      ))}
    </p>
  </li>
);
