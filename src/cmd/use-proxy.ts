import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

type Variables = Record<string, string | undefined>;

const loopback = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Sends requests through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, but never those to this machine. Node does
 * so by itself only if NODE_USE_ENV_PROXY was set before it started.
 */
export function useProxy(env: Variables): void {
  const setting = (name: string): string => env[name] || env[name.toUpperCase()] || '';
  if (setting('http_proxy') === '' && setting('https_proxy') === '') return;
  const proxyEnv = {
    http_proxy: setting('http_proxy'),
    https_proxy: setting('https_proxy'),
    no_proxy: [setting('no_proxy'), ...loopback].filter((name) => name !== '').join(','),
  };
  // Node 22 can send only `http.request` through a proxy.
  if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv(proxyEnv);
  else globalThis.fetch = fetchThrough(proxyEnv);
}

const bodiless = [204, 205, 304];

/** A `fetch` for the requests that Backstory sends: to a text URL, with a text body or none. */
const fetchThrough =
  (proxyEnv: Variables): typeof fetch =>
  (input, { method = 'GET', headers, body, redirect, signal } = {}) => {
    const url = String(input);
    const { Agent, request } = url.startsWith('https:') ? https : http;
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) =>
        reject(signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause }));
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        agent: new Agent({ proxyEnv }),
        ...(signal ? { signal } : {}),
      };
      const sent = request(url, options, (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming;
        if (redirect === 'error' && received.location !== undefined && status >= 300 && status < 400) {
          incoming.destroy();
          fail(new Error('unexpected redirect'));
          return;
        }
        const answer = bodiless.includes(status) ? null : (Readable.toWeb(incoming) as unknown as BodyInit);
        const names = Object.entries(received).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve(new Response(answer, { status, headers: names }));
      });
      sent.on('error', fail);
      sent.end(body ?? undefined);
    });
  };
