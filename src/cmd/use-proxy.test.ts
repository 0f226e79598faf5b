import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const listen = (server: http.Server): Promise<number> =>
  new Promise((done) => server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)));

/** A company's network: no name of the outside resolves, a proxy leads there, and an own authority signs. */
describe('A request from behind a proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-proxy-'));
  const ca = join(folder, 'ca.pem');
  const asked: string[] = [];
  let server: https.Server;
  let proxy: http.Server;
  let plain: http.Server;
  const ports = { server: 0, proxy: 0, plain: 0 };

  beforeAll(async () => {
    const openssl = (command: string) =>
      execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'ignore' });
    openssl('req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=Company');
    openssl('req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=team.example.test');
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:team.example.test');
    openssl('x509 -req -in request.pem -CA ca.pem -CAkey ca.key -days 2 -extfile names -out cert.pem');
    const pem = (name: string) => readFileSync(join(folder, name));
    server = https.createServer({ key: pem('key.pem'), cert: pem('cert.pem') }, (_, response) =>
      response.end('{"from":"the server"}'),
    );
    plain = http.createServer((_, response) => response.end('{"from":"this machine"}'));
    proxy = http.createServer((_, response) => response.end('{"from":"the proxy"}'));
    ports.server = await listen(server);
    ports.plain = await listen(plain);
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      const tunnel = connect(ports.server, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        tunnel.pipe(socket).pipe(tunnel);
      });
      for (const end of [tunnel, socket]) end.on('error', () => {});
    });
    ports.proxy = await listen(proxy);
  });
  afterAll(() => {
    for (const each of [server, proxy, plain]) each.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sends a request as the team client does, in a process of its own, and returns the answer or the error. */
  const ask = (url: string, env: Record<string, string>): Promise<string> =>
    new Promise((done) => {
      const program = `
        import { useProxy } from '${resolve('src/cmd/use-proxy.ts')}';
        import { requestServer } from '${resolve('src/remote/request-server.ts')}';
        useProxy(process.env);
        const request = { method: 'POST', path: '/api', body: {}, timeoutMs: 600_000 };
        await requestServer({ url: '${url}' }, request).then(
          ({ from }) => console.log(from), ({ message, hint }) => console.log(message, hint));`;
      const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
      execFile(
        process.execPath,
        ['--input-type=module', '-e', program],
        { env: { ...own, ...env } },
        (_e, out, err) => done((out + err).trim()),
      );
    });
  const team = 'https://team.example.test';
  const proxied = () => ({
    HTTPS_PROXY: `http://127.0.0.1:${ports.proxy}`,
    HTTP_PROXY: `http://127.0.0.1:${ports.proxy}`,
  });

  it('[proxy] goes through it, and a custom authority is trusted from a setting or the system', async () => {
    for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])
      expect(await ask(team, { ...proxied(), [name]: ca })).toBe('the server');
    expect(asked).toEqual(Array.from(asked, () => 'team.example.test:443'));
    expect(await ask(team, proxied())).toContain('Set NODE_EXTRA_CA_CERTS');
  }, 60_000);

  it('[proxy] goes around it to this machine and to the names of NO_PROXY', async () => {
    asked.length = 0;
    expect(await ask(`http://127.0.0.1:${ports.plain}`, proxied())).toBe('this machine');
    expect(await ask(`http://localhost:${ports.plain}`, proxied())).toBe('this machine');
    expect(await ask(team, { ...proxied(), NO_PROXY: 'team.example.test' })).toContain('is unreachable');
    expect(asked).toEqual([]);
  }, 60_000);
});
