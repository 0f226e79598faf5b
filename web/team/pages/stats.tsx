import type { TeamStats } from '../../../src/wire/answers/team.ts';
import { failureOf } from '../../failure.ts';
import { Bars } from '../../parts/bars.tsx';
import { Counts, Tile } from '../../parts/figures.tsx';
import { grouped, rough } from '../../parts/numbers.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Age, dayMs } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { chosenProject } from '../../project.ts';
import { useMemoryResource } from '../../resource.ts';
import { teamApi } from '../api.ts';
import { NothingYet, sourceName } from '../parts.tsx';
import { mayChangeIn } from '../signed-in.ts';

/** Counts of a team's memories. */
export function StatsPage() {
  const stats = useMemoryResource(() => teamApi.stats(days));
  return (
    <>
      <PageHead title="Memory" lead="How much do we know, and who wrote it?">
        {mayChangeIn(chosenProject.value) && <Reindexing />}
      </PageHead>
      <Loaded of={stats}>{(value) => <Body stats={value} />}</Loaded>
    </>
  );
}

function Reindexing() {
  const ask = () =>
    teamApi.reindex().then(
      () => say('Computing vectors.'),
      (error) => say(`Failed: ${failureOf(error).message}`),
    );
  return (
    <div class="actions">
      <button type="button" title="Computes vectors that are missing or from another model" onClick={ask}>
        Reindex vectors
      </button>
    </div>
  );
}

const days = 30;
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

function Body({ stats }: { stats: TeamStats }) {
  const counts = new Map(stats.byDay.map(({ day, count }) => [day, count]));
  const bars = Array.from({ length: days }, (_, back) => {
    const day = utcDay(Date.now() - (days - 1 - back) * dayMs);
    return { name: day, up: counts.get(day) ?? 0, down: 0 };
  });
  if (stats.total === 0) return <NothingYet />;
  return (
    <>
      {stats.truncated && (
        <p class="muted">These numbers cover only the newest {grouped(stats.total)} memories.</p>
      )}
      <div class="tiles">
        <Tile
          name={stats.truncated ? 'Newest memories' : 'Memories'}
          value={grouped(stats.total)}
          note={stats.lastAt === null ? 'none yet' : <Age at={stats.lastAt} />}
        />
        <Tile name="Private" value={grouped(stats.private)} note="only you can see them" />
        <Tile
          name="Without a vector"
          value={grouped(stats.waiting)}
          note={stats.model === null ? 'no model' : stats.model.name}
        />
      </div>
      <Bars title="Changes per day" bars={bars} upName="Memories" format={rough} />
      <div class="columns">
        <Shares title="Author" rows={stats.byAuthor.map(({ name, count }) => [name ?? 'Unknown', count])} />
        <Shares
          title="Source"
          rows={stats.bySource.map(({ source, count }) => [sourceName(source), count])}
        />
        <Shares title="Kind" rows={stats.byKind.map(({ kind, count }) => [kind, count])} />
      </div>
    </>
  );
}

const shownRows = 12;

const Shares = ({ title, rows }: { title: string; rows: [string, number][] }) => (
  <section>
    <h2>{title}</h2>
    <Counts of={rows.slice(0, shownRows)} />
  </section>
);
