import { useEffect, useRef } from 'preact/hooks';
import { api, type SearchFilter } from '../api.ts';
import {
  AgentMark,
  agentName,
  FreshnessBadge,
  KindBadge,
  knownAgents,
  trustWords,
} from '../parts/badges.tsx';
import { hitLink } from '../parts/hit-link.ts';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { counted } from '../parts/numbers.ts';
import { Reason } from '../parts/reason.tsx';
import { Empty, Failed, Key } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useChoice } from '../parts/use-choice.ts';
import { go, linkTo, replace, route } from '../router.ts';
import type { Answer, Hit } from '../wire.ts';

const kinds = [
  'decision',
  'convention',
  'fix',
  'gotcha',
  'failed-path',
  'knowledge',
  'summary',
  'prompt',
  'answer',
  'commit',
  'command',
];
const spans = { '1d': 'Last day', '7d': 'Last week', '30d': 'Last month', '365d': 'Last year' };
const limit = 20;

/** What do they know? The answers of recall, each with the reason it stands where it stands. */
export function SearchPage() {
  const { query } = route.value;
  const text = query.get('q') ?? '';
  const filter: Required<SearchFilter> = {
    kind: query.get('kind') ?? '',
    agent: query.get('agent') ?? '',
    since: query.get('since') ?? '',
    file: query.get('file') ?? '',
  };
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const answer = useAnswer(text, (words) => api.recall(words, { ...filter, limit }), Object.values(filter));
  const ask = (changes: Record<string, string>) =>
    replace(linkTo('search', '', { q: text, ...filter, ...changes }));
  const hits = answer.value?.hits ?? [];
  const { chosen, choose, list } = useChoice(hits.length, (at) => go(hitLink(hits[at] as Hit)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      choose(0);
      input.current?.blur();
    } else if (event.key === 'Enter' && hits[0] !== undefined) go(hitLink(hits[Math.max(0, chosen)] as Hit));
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
              choose(-1);
              replace(linkTo('search', '', { ...filter, q: event.currentTarget.value }));
            }}
            onKeyDown={onKeyDown}
          />
          <span class={answer.isLoading ? 'busy' : ''} />
        </div>
        <div class="filters">
          <Choice
            label="Kind"
            value={filter.kind}
            options={kinds.map((kind) => [kind, kind.replace('-', ' ')])}
            onPick={(kind) => ask({ kind })}
          />
          <Choice
            label="Agent"
            value={filter.agent}
            options={knownAgents.map((name) => [name, agentName(name)])}
            onPick={(agent) => ask({ agent })}
          />
          <Choice
            label="Time"
            value={filter.since}
            options={Object.entries(spans)}
            onPick={(since) => ask({ since })}
          />
          <label class="field">
            <span class="unseen">File</span>
            <input
              type="text"
              placeholder="File"
              size={14}
              value={filter.file}
              onChange={(event) => ask({ file: event.currentTarget.value.trim() })}
            />
          </label>
        </div>
      </search>
      <div aria-live="polite" class="unseen">
        {answer.value !== undefined && counted(hits.length, 'answer')}
      </div>
      {answer.failure !== undefined && <Failed failure={answer.failure} />}
      {text.trim() === '' && <Hints onPick={(q) => ask({ q })} />}
      {text.trim() !== '' && answer.value !== undefined && (
        <div ref={list as never}>
          <Answers answer={answer.value} words={text.split(/\s+/)} chosen={chosen} />
        </div>
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [string, string][];
  onPick(value: string): void;
}

const Choice = ({ label, value, options, onPick }: ChoiceProps) => (
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

const Hints = ({ onPick }: { onPick(text: string): void }) => (
  <Empty icon="search" title="Ask in your own words">
    <p>Prompts, answers, commands, commits and notes of every agent session in this project.</p>
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

function Answers({ answer, words, chosen }: { answer: Answer; words: string[]; chosen: number }) {
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
          <HitLine
            key={hit.id}
            hit={hit}
            words={words}
            isChosen={at === chosen}
            best={answer.hits[0]?.score ?? 1}
          />
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

function HitLine({
  hit,
  words,
  isChosen,
  best,
}: {
  hit: Hit;
  words: string[];
  isChosen: boolean;
  best: number;
}) {
  const { source, kind, agent, preview, at, trust, paths, drift } = hit;
  return (
    <li class="hit" data-chosen={isChosen || undefined}>
      <p class="hit-head">
        {source === 'event' && <AgentMark agent={agent} />}
        <KindBadge kind={kind} />
        {drift !== undefined && drift.state !== 'unanchored' && <FreshnessBadge label={drift.state} />}
        <span class="meta">
          <Age at={at} />
          <span>{trustWords(trust)}</span>
        </span>
      </p>
      <a class="hit-text" href={hitLink(hit)}>
        <MemoryLine text={preview} words={words} />
      </a>
      {paths.length > 0 && (
        <p class="paths">
          {paths.slice(0, 3).map((path) => (
            <code key={path}>{path}</code>
          ))}
          {paths.length > 3 && <span class="muted">{paths.length - 3} more</span>}
        </p>
      )}
      <Reason hit={hit} best={best} />
    </li>
  );
}
