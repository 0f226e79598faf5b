import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A real OpenID Connect provider on this machine, with its development login, which accepts every login name. */
export interface SignInAccount {
  email?: string;
  email_verified?: boolean;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Accounts by login name; tests may change them at any time. */
  accounts: Record<string, SignInAccount>;
  /** Paths of the requests it received. */
  asked: string[];
  /** Signs any claims with the provider's key. */
  sign(claims: object, header?: object): string;
  /** Replaces the signing key. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export async function startSignInProvider(redirectUri: string): Promise<TestProvider> {
  const clientId = 'backstory';
  const clientSecret = 'a secret that only the two of them know';
  const accounts: Record<string, SignInAccount> = {};
  const asked: string[] = [];
  let number = 0;
  let key: KeyObject;
  let listener: ReturnType<Provider['callback']>;
  const server: Server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://provider').pathname);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begin = (): void => {
    number += 1;
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    key = pair.privateKey;
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: `key-${number}`, alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['for tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_context: unknown, login: string) => ({
        accountId: login,
        claims: async () => ({ sub: login, ...accounts[login] }),
      }),
      features: { devInteractions: { enabled: true } },
    });
    listener = provider.callback();
  };
  begin();
  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    asked,
    sign: (claims, header = {}) => jwt(claims, { alg: 'RS256', kid: `key-${number}`, ...header }, key),
    rotate: async () => begin(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Makes a token with any header. A string signs with a shared secret; undefined omits the signature. */
export function jwt(claims: object, header: object, key: KeyObject | string | undefined): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedPart = `${part(header)}.${part(claims)}`;
  if (key === undefined) return `${signedPart}.`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(signedPart).digest('base64url')
      : createSign('RSA-SHA256').update(signedPart).sign(key, 'base64url');
  return `${signedPart}.${signature}`;
}

export interface Looked {
  url: string;
  status: number;
  body: string;
}

/** A browser without a window: it keeps cookies by host and port, follows redirects and submits forms. */
export interface TestBrowser {
  cookies: Map<string, string>;
  /** Set-Cookie headers as the server sent them. */
  set: string[];
  ask(
    url: string,
    init?: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<Response>;
  open(url: string): Promise<Looked>;
  submit(url: string, fields: Record<string, string>): Promise<Looked>;
  /** Goes from the server's page to the provider, signs in there and returns. */
  signIn(url: string, login: string): Promise<Looked>;
}

export function createBrowser(): TestBrowser {
  const cookies = new Map<string, string>();
  const set: string[] = [];
  const ask: TestBrowser['ask'] = async (url, init = {}) => {
    const { origin } = new URL(url);
    const own = [...cookies].filter(([name]) => name.startsWith(`${origin} `));
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        ...(own.length === 0
          ? {}
          : { cookie: own.map(([name, value]) => `${name.slice(origin.length + 1)}=${value}`).join('; ') }),
        ...init.headers,
      },
    });
    for (const header of response.headers.getSetCookie()) {
      set.push(header);
      const [pair = '', ...attributes] = header.split(';');
      const at = pair.indexOf('=');
      const name = `${origin} ${pair.slice(0, at)}`;
      const isGone = attributes.some((one) => /^\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(one));
      if (isGone) cookies.delete(name);
      else cookies.set(name, pair.slice(at + 1));
    }
    return response;
  };
  const follow = async (url: string, response: Response): Promise<Looked> => {
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, body: await response.text() };
    const next = new URL(location, url).href;
    return follow(next, await ask(next));
  };
  const open = async (url: string) => follow(url, await ask(url));
  const submit = async (url: string, fields: Record<string, string>) =>
    follow(
      url,
      await ask(url, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin },
      }),
    );
  return {
    cookies,
    set,
    ask,
    open,
    submit,
    async signIn(url, login) {
      let looked = await open(url);
      while (looked.url.includes('/interaction/')) {
        const prompt = /name="prompt" value="(\w+)"/.exec(looked.body)?.[1] ?? '';
        looked = await submit(looked.url, {
          prompt,
          ...(prompt === 'login' ? { login, password: 'any' } : {}),
        });
      }
      return looked;
    },
  };
}
