import type { Savings, Spend, Stats, UsageReport } from '../../src/wire/answers/project.ts';
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

/** Shows the tokens that agents used, what Backstory saved and cost them, and what it spent on models itself. */
export function SpendPage() {
  const usage = useMemoryResource(() => api.usage(days));
  const spend = useResource(() => api.spend(days), [chosenProject.value], [spendChanges.value]);
  const stats = useMemoryResource(() => api.stats(days));
  return (
    <>
      <PageHead title="Spend and savings" lead="What did it cost and save?" />
      <Loaded of={usage}>{(value) => <Used usage={value} />}</Loaded>
      <Loaded of={spend}>{(value) => <Money spend={value} />}</Loaded>
      <Loaded of={stats}>{(value) => <Tokens stats={value} />}</Loaded>
    </>
  );
}

const sum = (values: number[]): number => values.reduce((before, each) => before + each, 0);

const columns = ['Input', 'Cache reads', 'Output'];
type UsedTokens = UsageReport['total'];
/** What an agent reads for the first time; it writes most of it to the cache. */
const inputOf = ({ input, cacheWrite }: UsedTokens): number => input + cacheWrite;
const usedValues = (own: UsedTokens[]): string[] =>
  [inputOf, ({ cacheRead }: UsedTokens) => cacheRead, ({ output }: UsedTokens) => output].map((of) =>
    rough(sum(own.map(of))),
  );

/** The tokens that agents used in the last 30 days with work. */
function Used({ usage: { total, byDay, byModel, bySession, until, from } }: { usage: UsageReport }) {
  const known = new Map(byDay.map(({ day, ...own }) => [day, own]));
  const bars = daysOf((day) => {
    const own = known.get(day);
    return { up: own === undefined ? 0 : inputOf(own) + own.output, down: own?.cacheRead ?? 0 };
  }, until);
  const [input = '', cacheRead = '', output = ''] = usedValues([total]);
  const days = `${shortDay(dayOf(from + dayMs))} to ${shortDay(dayOf(until))}`;
  const cost = total.cost === undefined ? '' : `, ${dollars(total.cost)}`;
  return (
    <section aria-labelledby="used">
      <h2 id="used">
        Tokens your agents used <span class="muted">{bySession.length > 0 && days}</span>
      </h2>
      {bySession.length === 0 ? (
        <p class="callout">No transcript of this project says how many tokens its session used.</p>
      ) : (
        <>
          <div class="tiles">
            <Tile name="Input" value={input} note="without cache reads" />
            <Tile name="Cache reads" value={cacheRead} note="the same text again, cheaper" />
            <Tile name="Output" value={output} note={`${counted(bySession.length, 'session')}${cost}`} />
          </div>
          <Bars
            title="Tokens per day"
            bars={bars}
            upName="Input and output"
            downName="Cache reads"
            format={rough}
          />
          <Table
            columns={['Model', ...columns]}
            rows={byModel.map(({ model, ...own }) => ({
              key: model,
              name: model,
              values: usedValues([own]),
            }))}
          />
          <SessionTable columns={columns} sessions={bySession} valuesOf={usedValues} />
        </>
      )}
    </section>
  );
}

/** What Backstory itself spent on models. */
function Money({ spend: { entries, model, caps } }: { spend: Spend }) {
  const dollarsOf = (own: Spend['entries']) => dollars(sum(own.map(({ costUsd }) => costUsd)));
  const today = entries.filter(({ at }) => dayOf(at) === dayOf(Date.now()));
  return (
    <section aria-labelledby="money">
      <h2 id="money">Spent by Backstory itself</h2>
      {entries.length === 0 ? (
        <p class="callout">
          <strong>Nothing has been spent in {days} days.</strong> Backstory works without a model and calls
          none unless you choose one.
          {model === 'off' ? '' : ` You chose ${model}, with a cap of ${dollars(caps.dailyUsd)} per day.`}
        </p>
      ) : (
        <>
          <p>
            {dollarsOf(entries)} in {days} days, {dollarsOf(today)} of it today
            {model !== 'off' && `, with a cap of ${dollars(caps.dailyUsd)} per day`}.
          </p>
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
  const valuesOf = (own: Savings[]) =>
    [savedIn, costOf, ({ netTokens }: Savings) => netTokens].map((of) => grouped(sum(own.map(of))));
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">
        Saved by Backstory <span class="muted">estimated</span>
      </h2>
      {sessions.length === 0 ? (
        <p class="callout">
          No session has run with Backstory in the last {days} days. Sessions that were only imported cost and
          saved nothing.
        </p>
      ) : (
        <>
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
          <Bars title="Saved per day" bars={bars} upName="Saved" downName="Cost" format={rough} />
          <SessionTable columns={['Saved', 'Cost', 'Net']} sessions={sessions} valuesOf={valuesOf} />
        </>
      )}
    </section>
  );
}

type Session = UsageReport['bySession'][number] | Stats['sessions'][number];

/** The newest sessions, and the sum of the others. */
function SessionTable<Of extends Session>({
  columns: names,
  sessions,
  valuesOf,
}: {
  columns: string[];
  sessions: Of[];
  valuesOf(own: NoInfer<Of>[]): string[];
}) {
  const others = sessions.slice(shownSessions);
  const rows = sessions.slice(0, shownSessions).map((session) => ({
    key: session.agentSession,
    name: <SessionName of={session} />,
    values: valuesOf([session]),
  }));
  const rest = { key: 'others', name: <>{counted(others.length, 'other')}</>, values: valuesOf(others) };
  return <Table columns={['Agent session', ...names]} rows={others.length === 0 ? rows : [...rows, rest]} />;
}

/** An MCP connection whose session is not known has no page. */
const SessionName = ({ of: { agent, agentSession, title, lastAt } }: { of: Session }) => (
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
  if (Math.min(withBackstory.sessions, without.sessions) < minCompared) return null;
  const groups: [string, Stats['baseline']['without']][] = [
    ['with Backstory', withBackstory],
    ['without', without],
  ];
  const most = Math.max(withBackstory.readTokens, without.readTokens, 1);
  const share = Math.round((withBackstory.readTokens / Math.max(1, without.readTokens) - 1) * 100);
  return (
    <figure class="compared">
      <figcaption>
        Files read before the first edit, measured, median of the sessions with both
        <span class="muted">{`, ${share > 0 ? '+' : ''}${share} % with Backstory`}</span>
      </figcaption>
      {groups.map(([name, { sessions, readTokens }]) => (
        <p key={name}>
          <span>{name}</span>
          <Share of={readTokens / most} />
          <span class="number">
            {`${rough(readTokens)} tokens`}
            <span class="muted"> {counted(sessions, 'session')}</span>
          </span>
        </p>
      ))}
    </figure>
  );
}

/** One bar per day for the last `days` days, oldest first. */
const daysOf = (of: (day: string) => Pick<Bar, 'up' | 'down'>, until = Date.now()): Bar[] =>
  Array.from({ length: days }, (_, back) => {
    const at = until - (days - 1 - back) * dayMs;
    return { name: shortDay(dayOf(at)), ...of(dayOf(at)) };
  });
