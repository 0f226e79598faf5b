import type { Savings, Spend, Stats } from '../../src/wire/answers/project.ts';
import { api } from '../api.ts';
import { spendChanges } from '../live.ts';
import { agentName } from '../parts/agents.ts';
import { AgentMark } from '../parts/badges.tsx';
import { type Bar, Bars } from '../parts/bars.tsx';
import { dayOf } from '../parts/days.ts';
import { Share, Table, Tile } from '../parts/figures.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { counted, dollars, grouped, rough } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age, dayMs, shortDay } from '../parts/time.tsx';
import { chosenProject } from '../project.ts';
import { useMemoryResource, useResource } from '../resource.ts';
import { linkTo } from '../router.ts';

const days = 30;
const shownSessions = 8;

/** Shows what models cost and how many tokens agents saved. */
export function SpendPage() {
  const spend = useResource(() => api.spend(days), [chosenProject.value], [spendChanges.value]);
  const stats = useMemoryResource(() => api.stats(days));
  return (
    <>
      <PageHead title="Spend and savings" lead="What did it cost and save?" />
      <Loaded of={spend}>{(value) => <Money spend={value} />}</Loaded>
      <Loaded of={stats}>{(value) => <Tokens stats={value} />}</Loaded>
    </>
  );
}

const sum = (values: number[]): number => values.reduce((before, each) => before + each, 0);

function Money({ spend: { entries, model, caps } }: { spend: Spend }) {
  const today = entries.filter(({ at }) => dayOf(at) === dayOf(Date.now()));
  const dollarsOf = (own: Spend['entries']) => sum(own.map(({ costUsd }) => costUsd));
  const byDay = daysOf((day) => ({
    up: dollarsOf(entries.filter(({ at }) => dayOf(at) === day)),
    down: 0,
  }));
  return (
    <section aria-labelledby="money">
      <h2 id="money">Spent on models</h2>
      <div class="tiles">
        <Tile
          name="Today"
          value={dollars(dollarsOf(today))}
          note={model === 'off' ? counted(today.length, 'call') : `of ${dollars(caps.dailyUsd)} per day`}
        />
        <Tile
          name={`Last ${days} days`}
          value={dollars(dollarsOf(entries))}
          note={counted(entries.length, 'call')}
        />
        <Tile
          name="Tokens"
          value={rough(sum(entries.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut)))}
          note="in and out"
        />
      </div>
      {entries.length === 0 ? (
        <p class="callout">
          <strong>Nothing has been spent.</strong> Backstory works without a model and calls none unless you
          choose one.
          {model === 'off' ? '' : ` You chose ${model}, with a cap of ${dollars(caps.dailyUsd)} per day.`}
        </p>
      ) : (
        <>
          <Bars title="Dollars per day" bars={byDay} upName="Spent" format={dollars} />
          <Models entries={entries} />
        </>
      )}
    </section>
  );
}

function Models({ entries }: Pick<Spend, 'entries'>) {
  const groups = [...Map.groupBy(entries, ({ provider, model }) => `${provider} ${model}`)];
  return (
    <Table
      columns={['Model', 'Calls', 'Failed', 'Tokens', 'Cost']}
      rows={groups.map(([name, own]) => ({
        key: name,
        name,
        values: [
          grouped(own.length),
          grouped(own.filter(({ outcome }) => outcome !== 'written').length),
          grouped(sum(own.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut))),
          dollars(sum(own.map(({ costUsd }) => costUsd))),
        ],
      }))}
    />
  );
}

const savedIn = ({ rereadTokens, searchTokens }: Savings): number => rereadTokens + searchTokens;
const costOf = ({ preludeTokens, answerTokens, definitionTokens }: Savings): number =>
  preludeTokens + answerTokens + definitionTokens;

function Tokens({ stats: { sessions, total, baseline } }: { stats: Stats }) {
  const bars = daysOf((day) => {
    const own = sessions.filter(({ lastAt }) => dayOf(lastAt) === day);
    return {
      up: sum(own.map(savedIn)),
      down: sum(own.map(costOf)),
    };
  });
  const known = sessions.filter(({ title }) => title !== undefined).length;
  const others = sessions.slice(shownSessions);
  const valuesOf = (own: Savings[]) =>
    [savedIn, costOf, ({ netTokens }: Savings) => netTokens].map((of) => grouped(sum(own.map(of))));
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">
        Your agents’ tokens <span class="muted">estimated</span>
      </h2>
      <div class="tiles">
        <Tile
          name="Saved"
          value={rough(savedIn(total))}
          note={`${counted(total.rereadsAvoided, 're-read')}, ${counted(total.searchesAvoided, 'search').replace(/searchs$/, 'searches')}`}
        />
        <Tile
          name="Cost"
          value={rough(costOf(total))}
          note={`${counted(total.answers, 'answer')}, preludes, tools`}
        />
        <Tile
          name="Net"
          value={`${total.netTokens > 0 ? '+' : ''}${rough(total.netTokens)}`}
          note={`${counted(known, 'session')} and ${counted(sessions.length - known, 'MCP connection')} without a known session in ${days} days`}
        />
      </div>
      <Compared of={baseline} />
      {sessions.length === 0 ? (
        <p class="callout">
          No session has run with Backstory in the last {days} days. Sessions that were only imported cost and
          saved nothing.
        </p>
      ) : (
        <>
          <Bars title="Tokens per day" bars={bars} upName="Saved" downName="Cost" format={rough} />
          <Table
            columns={['Agent session', 'Saved', 'Cost', 'Net']}
            rows={[
              ...sessions.slice(0, shownSessions).map((session) => ({
                key: session.agentSession,
                name: <SessionName of={session} />,
                values: valuesOf([session]),
              })),
              ...(others.length === 0
                ? []
                : [{ key: 'others', name: counted(others.length, 'other'), values: valuesOf(others) }]),
            ]}
          />
        </>
      )}
    </section>
  );
}

/** An MCP connection whose session is not known has no page. */
const SessionName = ({ of: { agent, agentSession, title, lastAt } }: { of: Stats['sessions'][number] }) => (
  <span class="with-mark">
    <AgentMark agent={agent} />
    {title === undefined ? (
      `${agentName(agent)}, session not known`
    ) : (
      <a href={linkTo('session', agentSession)}>
        <MemoryLine text={title || 'No prompt'} />
      </a>
    )}
    <span class="muted">
      <Age at={lastAt} />
    </span>
  </span>
);

/** Fewer sessions say nothing. */
const minCompared = 5;

/** What agents read before their first edit, with Backstory and without it. */
function Compared({ of: { withBackstory, without } }: { of: Stats['baseline'] }) {
  const groups: [string, Stats['baseline']['without']][] = [
    ['with Backstory', withBackstory],
    ['without', without],
  ];
  const most = Math.max(withBackstory.readTokens, without.readTokens, 1);
  const isKnown = Math.min(withBackstory.sessions, without.sessions) >= minCompared;
  const share = Math.round((withBackstory.readTokens / Math.max(1, without.readTokens) - 1) * 100);
  return (
    <figure class="compared">
      <figcaption>
        Files read before the first edit, measured, median of the sessions with both
        <span class="muted">
          {isKnown
            ? `, ${share > 0 ? '+' : ''}${share} % with Backstory`
            : `; compared from ${minCompared} sessions of each kind on`}
        </span>
      </figcaption>
      {groups.map(([name, { sessions, readTokens }]) => (
        <p key={name}>
          <span>{name}</span>
          <Share of={readTokens / most} />
          <span class="number">
            {sessions === 0 ? '–' : `${rough(readTokens)} tokens`}
            <span class="muted"> {counted(sessions, 'session')}</span>
          </span>
        </p>
      ))}
    </figure>
  );
}

/** One bar per day for the last `days` days, oldest first. */
const daysOf = (of: (day: string) => Pick<Bar, 'up' | 'down'>): Bar[] =>
  Array.from({ length: days }, (_, back) => {
    const at = Date.now() - (days - 1 - back) * dayMs;
    return { name: shortDay(dayOf(at)), ...of(dayOf(at)) };
  });
