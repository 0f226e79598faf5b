import { expect, it } from 'vitest';
import type { Embedder } from '../../src/models/embed.ts';
import { splitMemories } from '../../src/team/memories/prepare.ts';
import { startWorker } from '../../src/team/operate/run-jobs.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore } from './team-server.ts';

describePostgres('The worker of a team server', (fresh) => {
  it('stops after the current step and leaves the rest to the next worker', async () => {
    const team = await aTeam(fresh.database, 'ours');
    const project = await team.project('api');
    const ann = await team.person('ann', { [project]: 'owner' });
    const { store, database } = openTeamStore(fresh.url);
    const memories = Array.from({ length: 1_000 }, (_, at) => ({
      source: 'note' as const,
      sourceRef: `n${at}`,
      text: `Sentence ${at}.`,
      at: 1_790_000_000_000,
    }));
    await store.inProject(ann.hash, project, (work) =>
      work.save(splitMemories(project, memories), undefined),
    );
    let steps = 0;
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const slow: Embedder = {
      id: 'slow',
      dims: 2,
      async embed(texts) {
        steps += 1;
        begun.resolve();
        await mayEnd.promise;
        return texts.map(() => Float32Array.from([0.6, 0.8]));
      },
    };
    const worker = startWorker({ jobs: store.jobs, embedder: slow, onFailure: () => {} });
    await begun.promise;
    const closed = worker.close();
    mayEnd.resolve();
    await closed;
    await database.close();
    expect(steps).toBe(1);
    const [left] = await fresh.database.query<{ jobs: number; dead: number }>(
      'select count(*)::int as jobs, count(dead)::int as dead from backstory.job',
    );
    expect(left).toEqual({ jobs: 1, dead: 0 });
  });
});
