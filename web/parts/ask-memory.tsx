import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Answer, ShownHit } from '../api.ts';
import { failureOf } from '../failure.ts';
import { go, linkTo, replace, route } from '../router.ts';
import { keeper, kept } from '../step.ts';
import { askedDays, asksForLastWork, type DayRange, daysIn, timesOf } from './asked-day.ts';
import { Paths } from './file-name.tsx';
import { type Filter, FilterChips } from './filter-chips.tsx';
import { distinctSignals } from './hit-signals.ts';
import { Icon } from './icon.tsx';
import { MemoryLine } from './memory-text.tsx';
import { counted, grouped } from './numbers.ts';
import { Reason } from './reason.tsx';
import { SessionEnd } from './session-line.tsx';
import { Standing } from './standing.tsx';
import { Empty, Failed, Key } from './states.tsx';
import { say } from './toast.tsx';
import { useAnswer } from './use-answer.ts';
import { useChoice } from './use-choice.ts';

/** Which part of the hits is wanted. */
export interface Wanted {
  limit: number;
  cursor?: string;
}

export interface AskProps<H extends ShownHit> {
  filters: Filter[];
  load(words: string, filter: Record<string, string>, wanted: Wanted): Promise<Answer<H>>;
  /** Values that, when they change, make the search run again. */
  dependencies: unknown[];
  /** Link to the page that shows the hit in full. */
  linkOf(hit: H): string;
  /** The line above a hit: its kind, source and age. */
  head(hit: H): ComponentChildren;
  /** Says what is searched, shown before the first query. */
  hint: string;
  /** What happened in a range of days, shown for a question that names only days; without days, the last work. */
  digest?(days: DayRange | undefined): ComponentChildren;
}

const firstHits = 20;
const moreHits = 50;

/** The hits after the first page. */
interface More<H> {
  /** The question and the filters that they belong to. */
  of: string;
  items: H[];
  cursor: string | undefined;
}

/** A search field and the hits of recall, each with the reason for its rank. */
export function AskMemory<H extends ShownHit>(props: AskProps<H>) {
  const { filters, load, dependencies, linkOf, head, hint, digest } = props;
  const { query } = route.value;
  const text = query.get('q') ?? '';
  const set = Object.fromEntries(
    [...filters.map(({ name }) => name), 'from', 'to'].map((name) => [name, query.get(name) ?? '']),
  );
  const range = daysIn(query);
  const filter: Record<string, string> = {
    ...Object.fromEntries(filters.map(({ name }) => [name, set[name] ?? ''])),
    ...(range === undefined ? {} : timesOf(range)),
  };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const isByDay = filters.every(({ name }) => set[name] === '');
  const days = isByDay ? (text.trim() === '' ? range : askedDays(text, Date.now())) : undefined;
  const isDigest = digest !== undefined && (days !== undefined || (isByDay && asksForLastWork(text)));
  const isAsked = !isDigest && (text.trim() !== '' || isFiltered);
  const input = useRef<HTMLInputElement>(null);
  // Focus the field only if the address contains no query. With one, the user wants to read, and on a phone, focus
  // would open a keyboard over the hits.
  useEffect(() => {
    if (text === '' && !isFiltered) input.current?.focus();
  }, []);
  const answer = useAnswer(
    text,
    (words) => load(words, filter, { limit: firstHits }),
    [...Object.values(filter), ...dependencies],
    isAsked,
  );
  const of = JSON.stringify([text.trim(), filter, ...dependencies]);
  const { more, loadMore } = useMore(of, answer.value, (cursor) =>
    load(text.trim(), filter, { limit: moreHits, cursor }),
  );
  const hits = useMemo(() => [...(answer.value?.items ?? []), ...(more?.items ?? [])], [answer.value, more]);
  const cursor = more === undefined ? answer.value?.nextCursor : more.cursor;
  const { chosen, choose, list } = useChoice(
    hits.map(({ id }) => id),
    (at) => go(linkOf(hits[at] as H)),
  );
  // Memoized, so that typing does not render the hits again before a new answer arrives.
  const answers = useMemo(
    () =>
      answer.value !== undefined && (
        <Answers
          answer={answer.value}
          hits={hits}
          hasMore={cursor !== undefined}
          chosen={chosen}
          linkOf={linkOf}
          head={head}
        />
      ),
    [answer.value, hits, cursor, chosen],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      choose(hits[0]?.id ?? '');
      input.current?.blur();
    } else if (event.key === 'Escape') {
      // Leave the field, so that the page's shortcuts work again. The query stays.
      input.current?.blur();
    } else if (event.key === 'Enter' && hits[0] !== undefined && answer.value?.asked === text.trim())
      go(linkOf(hits[Math.max(0, chosen)] as H));
    else return;
    event.preventDefault();
  };
  const ask = (changes: Record<string, string>) =>
    replace(linkTo('search', '', { q: text, ...set, ...changes }));
  return (
    <>
      <h1 class="unseen">Search</h1>
      <search class="search-box">
        <div class="search-input">
          <Icon name="search" />
          <input
            ref={input}
            type="search"
            aria-label="Search memory"
            placeholder="Why did we…"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => {
              choose('');
              ask({ q: event.currentTarget.value });
            }}
            onKeyDown={onKeyDown}
          />
          <span class={answer.isLoading ? 'busy' : ''} />
        </div>
        <FilterChips filters={filters} set={set} onChange={ask} />
      </search>
      <div aria-live="polite" class="unseen">
        {answer.value !== undefined && numberOf(hits.length, cursor !== undefined)}
      </div>
      {answer.failure !== undefined && <Failed failure={answer.failure} />}
      {isDigest && digest?.(days)}
      {!isDigest && !isAsked && <Hints hint={hint} onPick={(q) => ask({ q })} />}
      {isAsked && answer.value !== undefined && (
        <div ref={list as never}>
          {answers}
          {cursor !== undefined && (
            <button type="button" class="more" onClick={loadMore}>
              More results
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Loads the hits after the first page, and restores them when the user comes back. */
function useMore<H extends ShownHit>(
  of: string,
  first: Answer<H> | undefined,
  load: (cursor: string) => Promise<Answer<H>>,
) {
  const [keep] = useState(() => keeper('more hits'));
  const [all, set] = useState<More<H> | undefined>(() => kept<More<H>>('more hits'));
  useLayoutEffect(() => keep(all), [all]);
  const more = all?.of === of ? all : undefined;
  const loadMore = async () => {
    const cursor = more === undefined ? first?.nextCursor : more.cursor;
    if (cursor === undefined) return;
    try {
      const page = await load(cursor);
      set({ of, items: [...(more?.items ?? []), ...page.items], cursor: page.nextCursor });
    } catch (error) {
      say(`Loading failed: ${failureOf(error).message}`);
    }
  };
  return { more, loadMore };
}

const numberOf = (count: number, hasMore: boolean): string =>
  hasMore ? `The first ${grouped(count)} results` : counted(count, 'result');

const examples = ['why did we choose', 'what failed with', 'yesterday', 'how is it deployed'];

const Hints = ({ hint, onPick }: { hint: string; onPick(text: string): void }) => (
  <Empty icon="search" title="Ask in your own words">
    <p>{hint}</p>
    <p class="chips">
      {examples.map((example) => (
        <button key={example} type="button" class="chip" onClick={() => onPick(example)}>
          {example}…
        </button>
      ))}
    </p>
    <p class="muted keys-hint">
      Press <Key of="↓" /> or <Key of="j" /> to go through the results and <Key of="Enter" /> to open one.
    </p>
  </Empty>
);

interface AnswersProps<H extends ShownHit> extends Pick<AskProps<H>, 'linkOf' | 'head'> {
  answer: Answer<H>;
  hits: H[];
  hasMore: boolean;
  chosen: number;
}

function Answers<H extends ShownHit>({ answer, hits, hasMore, chosen, linkOf, head }: AnswersProps<H>) {
  const words = answer.asked.split(/\s+/);
  const distinct = distinctSignals(hits);
  if (hits.length === 0)
    return (
      <Empty icon="search" title="No results">
        <p>Try other words, fewer filters or another project.</p>
      </Empty>
    );
  return (
    <>
      <p class="answer-note">
        {answer.match !== 'good' && 'No good match. Nearest: '}
        {numberOf(hits.length, hasMore)}
        {answer.asked === '' && ', newest first'}
        {answer.incomplete && ' · Some of the newest events were not searched.'}
        <ArmsThatFailed arms={answer.arms} />
      </p>
      <ol class="hits" aria-label={`Results for ${answer.asked}`}>
        {hits.map((hit, at) => (
          <li key={hit.id} class="hit" data-row data-chosen={at === chosen || undefined}>
            <p class="hit-head">{head(hit)}</p>
            <a class="hit-text" href={linkOf(hit)}>
              <MemoryLine text={hit.preview} words={words} />
            </a>
            {hit.session !== undefined && (
              <p class="meta">
                <a href={linkTo('session', hit.session.id)}>
                  Session: <MemoryLine text={hit.session.title} />
                </a>
                <SessionEnd end={hit.session.end} />
              </p>
            )}
            <Standing of={hit} note={{ id: hit.sourceId }} />
            <Paths paths={hit.paths} missing={hit.missing} shown={3} />
            {answer.asked !== '' && (
              <Reason
                hit={hit}
                best={answer.match === 'good' ? hits[0]?.score : undefined}
                distinct={distinct[at] ?? []}
              />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Names the search arms that failed. Arms that answered are not mentioned. */
function ArmsThatFailed({ arms }: { arms: Record<string, string> }) {
  const failed = Object.entries(arms).filter(([, state]) => state === 'failed');
  return failed.length === 0 ? null : (
    <span class="bad"> · Not available: {failed.map(([name]) => name).join(', ')}</span>
  );
}
