import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import type { Health, Overview } from '../wire/answers/project.ts';

let home: HttpHome;
let projects: string;
beforeEach(async () => {
  home = await createHttpHome();
  projects = join(home.paths.home, 'projects');
  renameSync(projects, `${projects}-later`);
});
afterEach(() => home.close());

const ask = async <T>(path: string): Promise<T> => JSON.parse((await home.ask(path)).text) as T;

it('[first-run] Before the first capture, the viewer has a next step and no failure', async () => {
  expect((await ask<Overview>('/api/v1/viewer/overview')).project).toBeNull();
  expect(await ask('/api/v1/viewer/next-steps')).toMatchObject({
    items: [{ command: 'backstory install all' }],
  });
  const { checks, status } = await ask<Health>('/api/v1/health');
  expect(status).toBeUndefined();
  // The one check that fails is the next step.
  expect(checks.filter(({ ok }) => !ok).map(({ hint }) => hint)).toEqual(['backstory install all']);
  expect(await ask('/api/v1/viewer/today')).toMatchObject({ status: 404, code: 'NOTHING_CAPTURED' });
});

it('[first-run] The event stream opens before the first capture, and announces it', async () => {
  const { url } = home.server;
  const headers = { authorization: `Bearer ${home.token}`, accept: 'text/event-stream' };
  const response = await fetch(`${url}/api/v1/live`, { headers });
  expect(response.status).toBe(200);
  renameSync(`${projects}-later`, projects);
  expect(await response.text()).toContain('event: reset');
  expect((await ask<Overview>('/api/v1/viewer/overview')).project).not.toBeNull();
});

it('names each setting with the file that sets it, that of the project first', async () => {
  renameSync(`${projects}-later`, projects);
  const [project] = (await ask<{ items: { id: string }[] }>('/api/v1/projects')).items;
  writeFileSync(home.paths.config, '{ "dailyUsd": 3, "actor": "ann" }');
  writeFileSync(home.paths.project(project?.id ?? '').config, '{ "actor": "ben" }');
  const { settings } = await ask<Health>('/api/v1/health');
  const of = (wanted: string) => settings.find(({ key }) => key === wanted);
  expect(of('actor')).toMatchObject({ value: 'ben', from: 'this project' });
  expect(of('dailyUsd')).toMatchObject({ value: 3, from: 'your config.json' });
  expect(of('monthlyUsd')).toMatchObject({ value: 20, from: 'default' });
});

it('shows the last 90 days of work, also after a year without any', async () => {
  const home = await createHttpHome();
  try {
    const yearMs = 365 * 24 * 60 * 60 * 1_000;
    const days = async () => JSON.parse((await home.ask('/api/v1/viewer/activity')).text).items.length;
    home.prompt('an old question');
    home.clock.set(home.clock.now() + yearMs);
    home.prompt('a newer question', { session_id: 'newer' });
    home.clock.set(home.clock.now() + yearMs / 6);
    home.prompt('the newest question', { session_id: 'newest' });
    await home.drain();
    expect(await days()).toBe(2);
    home.clock.set(home.clock.now() + yearMs);
    expect(await days()).toBe(2);
  } finally {
    await home.close();
  }
});
