import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { runMaintenance } from '../../src/team/operate/maintenance.ts';
import { retentionCommand } from '../../src/team/operate/retention.ts';
import { memberCommand } from '../../src/team/people/member-command.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { describePostgres } from './postgres-server.ts';
import { type TestPerson, type TestTeam, useLaptops, useTeamServer } from './team-server.ts';

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));

describePostgres('Laptops of a team', (fresh) => {
  let server: RunningTeamServer;
  let team: TestTeam;
  const openLaptop = useLaptops();
  useTeamServer(fresh, (served) => {
    ({ server, team } = served);
  });
  const operator = () => ({
    operation: createTeamOperation(fresh.database, systemClock),
    now: systemClock.now(),
  });

  const laptop = async (project: string, person: TestPerson, actor: string) => {
    const opened = await openLaptop(server.url, team, project, person, actor);
    return {
      ...opened,
      texts: async () => (await opened.notes()).map(({ text, visibility }) => `${visibility}: ${text}`),
      async share(text: string) {
        await opened.sync((await opened.share(text)).id);
      },
    };
  };

  it('delete what an erased teammate wrote, and propose the text without their name for own notes', async () => {
    const project = await team.project('erasing');
    const quentin = await laptop(project, await team.person('quentin', { [project]: 'member' }), 'quentin');
    const eve = await laptop(project, await team.person('eve', { [project]: 'member' }), 'eve');
    await quentin.share('Walruses whistle under water.');
    await eve.share('Quentin counts the seals.');
    await eve.sync();
    expect((await eve.texts()).toSorted()).toEqual([
      'private: Walruses whistle under water.',
      'team: Quentin counts the seals.',
    ]);
    expect(filesWith(eve.home.home, 'Walruses')).not.toEqual([]);
    await memberCommand(operator(), ['remove', 'quentin'], { erase: true, yes: true });
    await eve.sync();
    await eve.home.drain();
    // What eve wrote on this laptop stays as it is here; the text without the name waits for her review.
    expect((await eve.texts()).toSorted()).toEqual([
      'private: [erased] counts the seals.',
      'team: Quentin counts the seals.',
    ]);
    expect(filesWith(eve.home.home, 'Walruses')).toEqual([]);
    // The erased person's own laptop no longer syncs and keeps its notes.
    await expect(quentin.sync()).rejects.toThrow();
    expect(await quentin.texts()).toEqual(['team: Walruses whistle under water.']);
  });

  it('follow a retention policy: copies are deleted, and the author keeps the note locally', async () => {
    const project = await team.project('ageing');
    const hal = await laptop(project, await team.person('hal', { [project]: 'member' }), 'hal');
    const ida = await laptop(project, await team.person('ida', { [project]: 'member' }), 'ida');
    await hal.share('Cranes dance.');
    await ida.sync();
    expect(await ida.texts()).toHaveLength(1);
    await retentionCommand(operator(), ['ageing'], { source: 'note', days: '90' });
    await fresh.database.query(`update backstory.memory set updated = now() - interval '91 days'`);
    expect(await runMaintenance(operator().operation)).toMatchObject({ removed: 1 });
    await ida.sync();
    await hal.sync();
    expect(await ida.texts()).toEqual([]);
    expect(await hal.texts()).toEqual(['private: Cranes dance.']);
  });
});
