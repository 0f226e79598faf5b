import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { go, linkTo, replace, route } from '../router.ts';
import type { Answer, Hit } from '../wire.ts';
import { Icon } from './icon.tsx';
import { MemoryLine } from './memory-text.tsx';
import { counted } from './numbers.ts';
import { Reason } from './reason.tsx';
import { Empty, Failed, Key } from './states.tsx';
import { useAnswer } from './use-answer.ts';
import { useChoice } from './use-choice.ts';

/** A search filter: a selection, or a text field if it has no options. */
export interface Filter {
  name: string;
  label: string;
  options?: [string, string][];
}

export const timeFilter: Filter = {
  name: 'since',
  label: 'Time',
  options: [
    ['1d', 'Last day'],
    ['7d', 'Last week'],
    ['30d', 'Last month'],
    ['365d', 'Last year'],
  ],
};
export const fileFilter: Filter = { name: 'file', label: 'File' };

export interface AskProps<H extends Hit> {
  filters: Filter[];
  load(words: string, filter: Record<string, string>, limit: number): Promise<Answer<H>>;
  /** Values that, when they change, make the search run again. */
  dependencies: unknown[];
  /** Link to the page that shows the hit in full. */
  linkOf(hit: H): string;
  /** The line above a hit: its kind, source and age. */
  head(hit: H): ComponentChildren;
  /** Says what is searched, shown before the first query. */
  hint: string;
}

const limit = 20;

/** A search field and the hits of recall, each with the reason for its rank. */
export function AskMemory<H extends Hit>({ filters, load, dependencies, linkOf, head, hint }: AskProps<H>) {
  const { query } = route.value;
  const text = query.get('q') ?? '';
  const filter = Object.fromEntries(filters.map(({ name }) => [name, query.get(name) ?? '']));
  const input = useRef<HTMLInputElement>(null);
  // Focus the field only if the address contains no query. With one, the user wants to read, and on a phone, focus
  // would open a keyboard over the hits.
  useEffect(() => {
    if (text === '') input.current?.focus();
  }, []);
  const answer = useAnswer(text, (words) => load(words, filter, limit), [
    ...Object.values(filter),
    ...dependencies,
  ]);
  const ask = (changes: Record<string, string>) =>
    replace(linkTo('search', '', { q: text, ...filter, ...changes }));
  const hits = answer.value?.hits ?? [];
  const { chosen, choose, list } = useChoice(
    hits.map(({ id }) => id),
    (at) => go(linkOf(hits[at] as H)),
  );
  // Memoized, so that typing does not render the hits again before a new answer arrives.
  const answers = useMemo(
    () =>
      answer.value !== undefined && (
        <Answers answer={answer.value} chosen={chosen} linkOf={linkOf} head={head} />
      ),
    [answer.value, chosen],
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
              replace(linkTo('search', '', { ...filter, q: event.currentTarget.value }));
            }}
            onKeyDown={onKeyDown}
          />
          <span class={answer.isLoading ? 'busy' : ''} />
        </div>
        <div class="filters">
          {filters.map((one) => (
            <FilterField
              key={one.name}
              {...one}
              value={filter[one.name] ?? ''}
              onPick={(value) => ask({ [one.name]: value })}
            />
          ))}
        </div>
      </search>
      <div aria-live="polite" class="unseen">
        {answer.value !== undefined && counted(hits.length, 'result')}
      </div>
      {answer.failure !== undefined && <Failed failure={answer.failure} />}
      {text.trim() === '' && <Hints hint={hint} onPick={(q) => ask({ q })} />}
      {text.trim() !== '' && answer.value !== undefined && <div ref={list as never}>{answers}</div>}
    </>
  );
}

interface FilterFieldProps extends Filter {
  value: string;
  onPick(value: string): void;
}

const FilterField = ({ options, ...rest }: FilterFieldProps) =>
  options === undefined ? <TextFilter {...rest} /> : <SelectFilter options={options} {...rest} />;

const TextFilter = ({ label, value, onPick }: FilterFieldProps) => (
  <label class="field" data-set={value !== '' || undefined}>
    <span class="unseen">{label}</span>
    <input
      type="text"
      placeholder={label}
      size={14}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value.trim())}
    />
  </label>
);

const SelectFilter = ({ label, value, options = [], onPick }: FilterFieldProps) => (
  <label class="field" data-set={value !== '' || undefined}>
    <span class="unseen">{label}</span>
    <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
      <option value="">Any {label.toLowerCase()}</option>
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

const examples = ['why did we choose', 'what failed with', 'always', 'how is it deployed'];

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

interface AnswersProps<H extends Hit> extends Pick<AskProps<H>, 'linkOf' | 'head'> {
  answer: Answer<H>;
  chosen: number;
}

function Answers<H extends Hit>({ answer, chosen, linkOf, head }: AnswersProps<H>) {
  const words = answer.asked.split(/\s+/);
  if (answer.hits.length === 0)
    return (
      <Empty icon="search" title="No results">
        <p>Try other words or fewer filters.</p>
      </Empty>
    );
  return (
    <>
      <p class="answer-note">
        {answer.match === 'good' ? counted(answer.hits.length, 'result') : 'No good match. Nearest results:'}
        {answer.incomplete && ' · Some of the newest events were not searched.'}
        <ArmsThatFailed arms={answer.arms} />
      </p>
      <ol class="hits" aria-label={`Results for ${answer.asked}`}>
        {answer.hits.map((hit, at) => (
          <li key={hit.id} class="hit" data-row data-chosen={at === chosen || undefined}>
            <p class="hit-head">{head(hit)}</p>
            <a class="hit-text" href={linkOf(hit)}>
              <MemoryLine text={hit.preview} words={words} />
            </a>
            <Paths paths={hit.paths} />
            <Reason hit={hit} best={answer.hits[0]?.score ?? 1} />
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

const shownPaths = 3;

const Paths = ({ paths }: { paths: string[] }) =>
  paths.length === 0 ? null : (
    <p class="paths">
      {paths.slice(0, shownPaths).map((path) => (
        <code key={path}>{path}</code>
      ))}
      {paths.length > shownPaths && <span class="muted">{paths.length - shownPaths} more</span>}
    </p>
  );
