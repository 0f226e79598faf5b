import type { ComponentChildren } from 'preact';
import type { TeamTimeline } from '../../../src/wire/answers/team.ts';
import { Disputes } from '../../parts/disputes.tsx';
import { NewNote } from '../../parts/new-note.tsx';
import { counted } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Loaded } from '../../parts/states.tsx';
import { chosenProject } from '../../project.ts';
import { useMemoryResource } from '../../resource.ts';
import { linkTo } from '../../router.ts';
import { teamApi } from '../api.ts';
import { MemoryRow, NothingYet } from '../parts.tsx';
import { mayChangeIn } from '../signed-in.ts';

const maxListed = 8;
const days = 30;
const decided = 'decision,rule,preference,fact';

/** The start page: what the team has decided, what its members call wrong, and who they are. */
export function TeamHomePage() {
  const found = useMemoryResource(async () => ({
    decisions: await teamApi.newest({ source: 'note', kind: decided }, maxListed),
    disputes: await teamApi.newest({ disputed: true }, maxListed),
    stats: await teamApi.stats(days),
  }));
  return (
    <>
      <PageHead title="Start" lead="What holds, what is disputed, and who is here?">
        {mayChangeIn(chosenProject.value) && <NewNote create={teamApi.create} />}
      </PageHead>
      <Loaded of={found}>
        {({ decisions, disputes, stats }) =>
          stats.total === 0 ? (
            <NothingYet />
          ) : (
            <>
              {disputes.items.length > 0 && (
                <Section title="Disputed">
                  <Memories of={disputes} />
                </Section>
              )}
              <Section title="What is settled">
                {decisions.items.length === 0 ? (
                  <p class="muted">No note says what was decided yet.</p>
                ) : (
                  <Memories of={decisions} />
                )}
              </Section>
              <Section title="People">
                <ul class="rows">
                  {stats.byAuthor.map(({ id, name, count }) => (
                    <li key={id ?? ''}>
                      {name === null ? (
                        'Issue trackers'
                      ) : (
                        <a href={linkTo('search', '', { author: name })}>
                          <bdi class="break">{name}</bdi>
                        </a>
                      )}
                      <span class="number">{counted(count, 'text')}</span>
                    </li>
                  ))}
                </ul>
              </Section>
            </>
          )
        }
      </Loaded>
    </>
  );
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="day">
    <h2>{title}</h2>
    {children}
  </section>
);

const Memories = ({ of: { items } }: { of: TeamTimeline }) => (
  <ul class="hits">
    {items.toReversed().map((item) => (
      <MemoryRow key={item.id} of={item}>
        <Disputes of={item.memory.disputes ?? []} />
      </MemoryRow>
    ))}
  </ul>
);
