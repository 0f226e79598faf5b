import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const installedPackage = inject('installedPackage');

interface Process {
  url: string;
  child: ChildProcess;
  ended: Promise<number | null>;
}

describePostgres('Team servers behind a proxy', (fresh) => {
  const sandbox = createSandbox(installedPackage);
  const children: ChildProcess[] = [];
  const closing: (() => void)[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    for (const close of closing) close();
    sandbox.remove();
  });

  const serve = (): Promise<Process> => {
    const words = ['team', 'serve', '--port', '0', '--rate', '10000', '--connections', '4', '--drain', '2'];
    const child = spawn(process.execPath, [join(installedPackage, 'dist/main.js'), ...words], {
      env: { ...sandbox.env, BACKSTORY_DATABASE_URL: fresh.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    return new Promise((resolve, reject) => {
      let said = '';
      child.stdout?.on('data', (data: Buffer) => {
        said += data;
        const url = /Answering at (\S+)/.exec(said)?.[1];
        if (url !== undefined) resolve({ url, child, ended });
      });
      void ended.then(() => reject(new Error(said)));
    });
  };

  /** A round-robin proxy over keep-alive connections to the servers that are ready. Retries nothing. */
  const startProxy = async (urls: string[]): Promise<Server> => {
    const agent = new Agent({ keepAlive: true });
    const ready = new Set(urls);
    const looking = setInterval(async () => {
      for (const url of urls) {
        const isReady = await fetch(`${url}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(url);
        else ready.delete(url);
      }
    }, 200);
    let turn = 0;
    const proxy = createServer((asked, answer) => {
      const able = [...ready];
      const to = new URL(asked.url ?? '/', able[turn++ % able.length]);
      const onward = httpRequest(
        to,
        { method: asked.method, headers: asked.headers, agent },
        (got: IncomingMessage) => {
          answer.writeHead(got.statusCode ?? 500, { 'x-from': to.origin });
          got.pipe(answer);
        },
      );
      onward.on('error', (error) => answer.writeHead(599).end(error.message));
      asked.pipe(onward);
    });
    closing.push(() => {
      clearInterval(looking);
      proxy.close();
      proxy.closeAllConnections();
      agent.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return proxy;
  };

  it('[team-shutdown] fail no request when one of them is stopped', async () => {
    const owner = { BACKSTORY_OWNER_DATABASE_URL: fresh.url };
    const begun = sandbox.cliWith(owner, 'team', 'init', 'acme', 'ann', 'api', '--json');
    const { token, project } = JSON.parse(begun.stdout) as { token: string; project: string };
    const [going, staying] = await Promise.all([serve(), serve()]);
    const proxy = await startProxy([going.url, staying.url]);
    const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/projects/${project}/memory`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

    let isAsking = true;
    const answers: { status: number; from: string | null }[] = [];
    const saved: string[] = [];
    const client = async (who: number) => {
      for (let n = 0; isAsking; n++) {
        const text = `Client ${who} saved its sentence number ${n}.`;
        const response =
          n % 4 === 0
            ? await fetch(base, { method: 'POST', headers, body: JSON.stringify({ text }) })
            : await fetch(`${base}/search?q=sentence+${n}`, { headers });
        const { documentId } = (await response.json().catch(() => ({}))) as { documentId?: string };
        if (documentId !== undefined) saved.push(documentId);
        answers.push({ status: response.status, from: response.headers.get('x-from') });
      }
    };
    const clients = Array.from({ length: 8 }, (_, who) => client(who));
    const answeredBy = ({ url }: Process) => answers.filter(({ from }) => from === url).length;
    await until(() => answeredBy(going) > 20 && answeredBy(staying) > 20);
    going.child.kill('SIGTERM');
    expect(await going.ended).toBe(0);
    const after = answeredBy(staying);
    await until(() => answeredBy(staying) > after + 50);
    isAsking = false;
    await Promise.all(clients);

    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const [kept] = await fresh.database.query<{ n: number }>(
      'select count(*)::int as n from backstory.memory where id = any($1)',
      [saved],
    );
    expect(kept?.n).toBe(saved.length);
    staying.child.kill('SIGTERM');
    expect(await staying.ended).toBe(0);
  });
});
