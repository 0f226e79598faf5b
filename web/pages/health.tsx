import { api } from '../api.ts';
import { memoryChanges } from '../live.ts';
import { AgentMark, agentName } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { bytes, counted, grouped } from '../parts/numbers.ts';
import { Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { chosenProject } from '../project.ts';
import { useResource } from '../resource.ts';
import type { Health } from '../wire.ts';

/** Does it work here? What `backstory status` and `backstory doctor` say, without a terminal. */
export function HealthPage() {
  const health = useResource(api.health, [chosenProject.value], [memoryChanges.value]);
  return <Loaded of={health}>{(value) => <Body health={value} />}</Loaded>;
}

function Body({ health }: { health: Health }) {
  const { checks, status } = health;
  const { events, bytes: sizes, lastCapture } = status;
  const failed = checks.filter(({ ok }) => !ok).length;
  const total = Object.values(events).reduce((sum, count) => sum + count, 0);
  const largest = Math.max(1, ...Object.values(events));
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Health</h1>
          <p class="lead">
            {failed === 0 ? 'Everything works here.' : `${counted(failed, 'thing')} to look at.`}
          </p>
        </div>
      </header>
      <ul class="checks">
        {checks.map(({ name, ok, detail, hint }) => (
          <li key={name} data-ok={ok}>
            <span class="check-mark">
              <Icon name={ok ? 'decision' : 'close'} />
              <span class="unseen">{ok ? 'Works:' : 'Does not work:'}</span>
            </span>
            <div>
              <h2>{name}</h2>
              <p>{detail}</p>
              {!ok && hint !== undefined && (
                <p>
                  Try <code>{hint}</code>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div class="columns">
        <section>
          <h2>Last heard of</h2>
          {Object.keys(lastCapture).length === 0 && <p class="muted">No agent yet.</p>}
          <ul class="rows">
            {Object.entries(lastCapture).map(([agent, at]) => (
              <li key={agent}>
                <span class="with-mark">
                  <AgentMark agent={agent} />
                  {agentName(agent)}
                </span>
                <span class="muted">
                  <Age at={at} />
                </span>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>On disk</h2>
          <ul class="rows">
            {Object.entries(sizes).map(([name, size]) => (
              <li key={name}>
                <span>{diskWords[name] ?? name}</span>
                <span class="number">{bytes(size)}</span>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>
            What is kept{' '}
            <span class="muted">
              {counted(total, 'event')}, {counted(status.notes, 'note')}
            </span>
          </h2>
          <ul class="rows rows-shares">
            {Object.entries(events).map(([kind, count]) => (
              <li key={kind}>
                <span>{kindWords[kind] ?? `${kind}s`}</span>
                <span class="share" aria-hidden="true">
                  <span style={{ width: `${(count / largest) * 100}%` }} />
                </span>
                <span class="number">{grouped(count)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <p class="muted footnote">
        {status.name} · <code>{status.root}</code>
      </p>
    </>
  );
}

/** Kinds of events whose plural is not one letter more, or which mean something else to who reads them. */
const kindWords: Record<string, string> = {
  note: 'changes of notes',
  session: 'starts and ends of sessions',
  served: 'answers to agents',
  answer: 'answers of agents',
  tool: 'other tool calls',
  work: 'steps of work sessions',
  oversize: 'texts cut to size',
  probe: 'checks by doctor',
};

const diskWords: Record<string, string> = {
  events: 'Events',
  notes: 'Notes',
  index: 'Index, made anew when lost',
  all: 'All projects',
};
