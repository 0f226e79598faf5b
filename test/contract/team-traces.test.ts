import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { startTraces, type Traces } from '../../src/cmd/team-trace.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { createLimits } from '../../src/team/http/limits.ts';
import { createMetrics } from '../../src/team/http/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/team/http/server.ts';
import { runDueJobs } from '../../src/team/operate/run-jobs.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamStore } from '../../src/team/postgres/team-store.ts';
import { appRole } from '../../src/team/postgres/tenant.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { describePostgres, migrationFolder } from './postgres-server.ts';
import { aTeam, roomy, type TestPerson, teamPartsOf } from './team-server.ts';

describePostgres('Traces of a team server', (fresh) => {
  let collector: Collector;
  let traces: Traces;
  let database: Database;
  let server: RunningTeamServer;
  let ann: TestPerson;
  let project: string;
  let work: () => Promise<number>;

  beforeAll(async () => {
    collector = await startCollector();
    for (const [name, value] of Object.entries({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key,x-tenant=us',
      OTEL_SERVICE_NAME: 'memory-of-us',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    }))
      vi.stubEnv(name, value);
    traces = startTraces('1.2.3', () => {});
    database = connect(fresh.url, () => {}, 4, appRole);
    const newest = readMigrations(migrationFolder).length;
    const store = traces.store(createTeamStore(traces.database(database), newest));
    const model = await loadStaticModel('assets/static-en.bin');
    const embedder = traces.embedder(model);
    server = await startTeamServer({
      parts: teamPartsOf(store, embedder),
      limits: createLimits(roomy, systemClock),
      metrics: traces.metrics(createMetrics()),
      around: traces.around,
      onFailure: () => {},
      host: '127.0.0.1',
      port: 0,
    });
    work = () => runDueJobs({ jobs: store.jobs, embedder, onFailure: () => {} });
    const team = await aTeam(fresh.database, 'ours');
    project = await team.project('api');
    ann = await team.person('ann', { [project]: 'member' });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
    await database.close();
    await collector.close();
  });

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it('[team-traces] show each request with its queries and embeddings, and no text of a memory or a question', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const path = `/api/projects/${project}/memory`;
    await ask('POST', path, { text: 'Walruses sleep on ice.', metadata: { mood: 'drowsy' } });
    await ask('GET', `${path}/search?q=drowsing+mammals`, undefined, {
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      tracestate: 'vendor=opaque',
      baggage: 'who=ann',
    });
    await ask('GET', `/api/v1/nothing/blubber?q=whiskers`);
    await ask('POST', `${path}/reindex`);
    await work();
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    await traces.close();

    const { spans } = collector;
    const request = spans.find(({ name }) => name === 'GET /api/projects/:id/memory/search');
    expect(request).toMatchObject({
      traceId: trace,
      parentSpanId: '00f067aa0ba902b7',
      kind: 2,
      attributes: { 'http.route': '/api/projects/:id/memory/search', 'http.response.status_code': '200' },
    });
    const partsOf = (span: { spanId: string } | undefined) =>
      spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId);
    const namesOf = (parts: { name: string }[]) => parts.map(({ name }) => name).sort();
    const searching = partsOf(request);
    expect(namesOf(searching)).toEqual([expect.stringMatching(/^embeddings /), 'select search']);
    const saving = partsOf(spans.find(({ name }) => name === 'POST /api/projects/:id/memory'));
    const writing = partsOf(saving.find(({ name }) => name === 'transaction'));
    expect(namesOf(writing)).toContain('select enter');
    expect(writing.length).toBeGreaterThan(2);
    expect(spans.filter(({ name }) => name === 'job reindex').length).toBeGreaterThan(0);
    expect(spans.filter(({ name }) => name.includes('ready'))).toEqual([]);
    expect(spans.find(({ name }) => name === 'GET')).toMatchObject({
      attributes: { 'http.response.status_code': '404' },
    });
    for (const { resource } of spans)
      expect(resource).toMatchObject({
        'service.name': 'memory-of-us',
        'service.version': '1.2.3',
        'deployment.environment.name': 'test',
      });
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector-key', 'x-tenant': 'us' });
    const sent = collector.bodies.join();
    for (const word of [
      'Walrus',
      'drows',
      'mammals',
      'whiskers',
      'blubber',
      'opaque',
      'who=',
      ann.token,
      project,
    ])
      expect(sent, word).not.toContain(word);
  });
});

describePostgres('OpenTelemetry', (fresh) => {
  const dist = join(inject('installedPackage'), 'dist');
  const folder = mkdtempSync(join(tmpdir(), 'backstory-loaded-'));
  const preload = join(folder, 'preload.mjs');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts and stops a server, and returns the files of the package that it loaded. */
  const loadedBy = async (env: Record<string, string>): Promise<string[]> => {
    const log = join(folder, `loaded-${Object.keys(env).length}`);
    const words = ['--import', preload, join(dist, 'main.js'), 'team', 'serve', '--port', '0'];
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env.PATH, HOME: folder, LOADED: log, BACKSTORY_DATABASE_URL: fresh.url, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const data of child.stdout) if (String(data).includes('Answering at')) child.kill('SIGTERM');
    const urls = readFileSync(log, 'utf8').split('\n');
    return urls.filter((url) => url.startsWith('file:')).map((url) => relative(dist, fileURLToPath(url)));
  };

  it('is loaded only by a team server that is configured to send traces', async () => {
    writeFileSync(
      preload,
      `import { appendFileSync } from 'node:fs';
       import { registerHooks } from 'node:module';
       registerHooks({
         load(url, context, next) {
           appendFileSync(process.env.LOADED, url + '\\n');
           return next(url, context);
         },
       });`,
    );
    const ofOpenTelemetry = globSync('**/*.{js,cjs}', { cwd: dist }).filter((path) =>
      /opentelemetry/i.test(readFileSync(join(dist, path), 'utf8')),
    );
    const isOfOpenTelemetry = (path: string) => ofOpenTelemetry.includes(path);
    const without = await loadedBy({});
    expect(without).toContain('team.js');
    expect(without.filter(isOfOpenTelemetry)).toEqual([]);
    const collector = await startCollector();
    const configured = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await collector.close();
    expect(configured.filter(isOfOpenTelemetry).sort()).toEqual(ofOpenTelemetry.sort());
  });
});
