import { useEffect } from 'preact/hooks';
import type { Health } from '../../src/wire/answers/project.ts';
import { api } from '../api.ts';
import { agentName } from '../parts/agents.ts';
import { AgentMark } from '../parts/badges.tsx';
import { Counts } from '../parts/figures.tsx';
import { Icon } from '../parts/icon.tsx';
import { useNextSteps } from '../parts/next-steps.tsx';
import { bytes, counted } from '../parts/numbers.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Loaded } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { useMemoryResource } from '../resource.ts';
import { route } from '../router.ts';
import { keepInView } from '../step.ts';

/** Shows the results of `backstory status` and `backstory doctor`. */
export function HealthPage() {
  const health = useMemoryResource(api.health);
  return <Loaded of={health}>{(value) => <Body health={value} />}</Loaded>;
}

function Body({ health }: { health: Health }) {
  const { checks, status } = health;
  const next = useNextSteps();
  // What the user has not done yet is no problem.
  const isNext = ({ hint }: Health['checks'][number]) => next.some(({ command }) => command === hint);
  const failed = checks.filter((check) => !check.ok && !isNext(check)).length;
  return (
    <>
      <PageHead
        title="Health"
        lead={
          failed > 0
            ? `${counted(failed, 'problem')} found.`
            : checks.some(isNext)
              ? 'Ready. One step is left.'
              : 'Everything is working.'
        }
      />
      <ul class="checks">
        {checks.map((check) => (
          <Check key={check.name} of={check} isNext={isNext(check)} />
        ))}
      </ul>
      {status !== undefined && <Stored status={status} />}
      <Settings of={health.settings} />
    </>
  );
}

function Settings({ of }: { of: Health['settings'] }) {
  const wanted = route.value.query.get('setting') ?? '';
  useEffect(() => {
    if (wanted !== '') return keepInView(() => document.getElementById(`setting-${wanted}`));
  }, [wanted]);
  return (
    <section class="settings">
      <h2>Settings</h2>
      <p class="muted">
        To change one: <code>backstory config NAME VALUE</code>, with <code>--project</code> for this project
        only.
      </p>
      <ul class="checks">
        {of.map(({ key, value, from, meaning }) => (
          <li key={key} id={`setting-${key}`} data-ok aria-current={key === wanted || undefined}>
            <div>
              <h3>
                <code>
                  {key} = {JSON.stringify(value)}
                </code>{' '}
                <span class="muted">{from}</span>
              </h3>
              <p>{meaning}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Check({
  of: { name, ok, detail, hint },
  isNext,
}: {
  of: Health['checks'][number];
  isNext: boolean;
}) {
  const word = ok ? 'Passed:' : isNext ? 'To do:' : 'Failed:';
  return (
    <li data-ok={ok || (isNext ? undefined : false)}>
      <span class="check-mark">
        <Icon name={ok ? 'decision' : isNext ? 'today' : 'close'} />
        <span class="unseen">{word}</span>
      </span>
      <div>
        <h2>{name}</h2>
        <p>{detail}</p>
        {!ok && hint !== undefined && (
          <p>
            {isNext ? 'Next:' : 'Try'} <code>{hint}</code>
          </p>
        )}
      </div>
    </li>
  );
}

function Stored({ status }: { status: NonNullable<Health['status']> }) {
  const { events, bytes: sizes, lastCapture, prompts } = status;
  const typists: [string, number][] = [
    ['Yours', prompts.person],
    ['Not confirmed as yours', prompts.unconfirmed],
    ['Not typed by a person', prompts.agent],
  ];
  const total = Object.values(events).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <div class="columns">
        <section>
          <h2>Last capture</h2>
          {Object.keys(lastCapture).length === 0 && <p class="muted">No agent has been captured yet.</p>}
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
          <h2>Prompts</h2>
          <ul class="rows">
            {typists.map(([name, count]) => (
              <li key={name}>
                <span>{name}</span>
                <span class="number">{count}</span>
              </li>
            ))}
          </ul>
          {prompts.waiting > 0 && (
            <p class="muted">
              To say whether they are yours, in a terminal: <code>backstory import</code>
            </p>
          )}
        </section>
        <section>
          <h2>Disk usage</h2>
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
            Stored{' '}
            <span class="muted">
              {counted(total, 'event')}, {counted(status.notes, 'note')}
            </span>
          </h2>
          <Counts
            of={Object.entries(events).map(([kind, count]) => [kindWords[kind] ?? `${kind}s`, count])}
          />
        </section>
      </div>
      <p class="muted footnote">
        {status.name} · <code>{status.root}</code>
      </p>
    </>
  );
}

/** Labels of event kinds whose plural is irregular or whose name is unclear to a user. */
const kindWords: Record<string, string> = {
  note: 'note changes',
  session: 'session starts and ends',
  served: 'tool results for agents',
  answer: 'answers from agents',
  tool: 'other tool calls',
  work: 'work session steps',
  oversize: 'oversized records',
  probe: 'doctor checks',
};

const diskWords: Record<string, string> = {
  events: 'Events',
  notes: 'Notes',
  index: 'Index (rebuilt if lost)',
  all: 'All projects',
};
