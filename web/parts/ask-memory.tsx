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

/** Narrows what is asked. Without options it is written. */
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
  /** What else an answer depends on. */
  dependencies: unknown[];
  /** Where a hit is shown in full. */
  linkOf(hit: H): string;
  /** The line above a hit: what it is, whose and how old. */
  head(hit: H): ComponentChildren;
  /** What is searched, for who has not asked yet. */
  hint: string;
}

const limit = 20;

/** A field to ask in, and the answers of recall, each with the reason it stands where it stands. */
export function AskMemory<H extends Hit>({ filters, load, dependencies, linkOf, head, hint }: AskProps<H>) {
  const { query } = route.value;
  const text = query.get('q') ?? '';
  const filter = Object.fromEntries(filters.map(({ name }) => [name, query.get(name) ?? '']));
  const input = useRef<HTMLInputElement>(null);
  // Who comes back to their answers, or was sent to some, reads; on a telephone the keyboard would cover them.
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
  // The same until there is another answer: nothing is drawn anew for a letter before its question is on its way.
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
      // The words stay, and the keys of the page hold again.
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
            aria-label="Ask memory"
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
            <Narrow
              key={one.name}
              {...one}
              value={filter[one.name] ?? ''}
              onPick={(value) => ask({ [one.name]: value })}
            />
          ))}
        </div>
      </search>
      <div aria-live="polite" class="unseen">
        {answer.value !== undefined && counted(hits.length, 'answer')}
      </div>
      {answer.failure !== undefined && <Failed failure={answer.failure} />}
      {text.trim() === '' && <Hints hint={hint} onPick={(q) => ask({ q })} />}
      {text.trim() !== '' && answer.value !== undefined && <div ref={list as never}>{answers}</div>}
    </>
  );
}

interface NarrowProps extends Filter {
  value: string;
  onPick(value: string): void;
}

const Narrow = ({ options, ...rest }: NarrowProps) =>
  options === undefined ? <Written {...rest} /> : <Choice options={options} {...rest} />;

const Written = ({ label, value, onPick }: NarrowProps) => (
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

const Choice = ({ label, value, options = [], onPick }: NarrowProps) => (
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
      <Key of="↓" /> or <Key of="j" /> goes through the answers, <Key of="Enter" /> opens one.
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
      <Empty icon="search" title="Nothing here speaks of that">
        <p>Other words may find it, or fewer filters.</p>
      </Empty>
    );
  return (
    <>
      <p class="answer-note">
        {answer.match === 'good'
          ? counted(answer.hits.length, 'answer')
          : 'No good match. The nearest there is:'}
        {answer.incomplete && ' · The newest events are not all searched yet.'}
        <ArmsThatFailed arms={answer.arms} />
      </p>
      <ol class="hits" aria-label={`Answers to ${answer.asked}`}>
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

/** Only what is missing is worth a word: that the arms answered is what everybody expects. */
function ArmsThatFailed({ arms }: { arms: Record<string, string> }) {
  const failed = Object.entries(arms).filter(([, state]) => state === 'failed');
  return failed.length === 0 ? null : (
    <span class="bad"> · Without {failed.map(([name]) => name).join(', ')}</span>
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
