import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createOidcProvider, type OidcOptions } from './oidc.ts';

const issuer = 'https://accounts.example.org';
const redirectUri = 'https://team.example.org/sign-in/callback';

interface Key {
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}
const newKey = (kid: string): Key => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });

function signedToken(claims: object, { kid, privateKey }: Key): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedPart = `${part({ alg: 'ES256', kid })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signedPart), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signedPart}.${signature.toString('base64url')}`;
}

interface Responses {
  configuration?: object;
  claims?: object;
  /** Replaces the response of the token endpoint. */
  token?: () => object;
  userInfo?: object;
}

/** A provider that signs with one key and may publish another, and a person who signs in through it. */
function aProvider(first: Key, responses: Responses = {}, options: Partial<OidcOptions> = {}) {
  const keys = { signing: first, published: first };
  const requests: { path: string; authorization: string | null; body: string }[] = [];
  let nonce = '';
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
      ...responses.configuration,
    }),
    '/jwks': () => {
      const { kid, publicKey } = keys.published;
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] };
    },
    '/token': () => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        sub: 'ola',
        aud: 'backstory',
        iat,
        exp: iat + 60,
        nonce,
        ...responses.claims,
      };
      const granted = { access_token: 'a', token_type: 'bearer' };
      return responses.token?.() ?? { ...granted, id_token: signedToken(claims, keys.signing) };
    },
    '/userinfo': () => ({ sub: 'ola', ...responses.userInfo }),
  };
  const provider = createOidcProvider({
    issuer,
    clientId: 'backstory',
    clientSecret: undefined,
    fetch: async (url, { headers, body }: RequestInit) => {
      const path = new URL(url).pathname;
      requests.push({ path, authorization: new Headers(headers).get('authorization'), body: String(body) });
      return Response.json(answers[path]?.());
    },
    ...options,
  });
  const signInAs = async (change: (callback: URL) => void = () => {}) => {
    const { pending } = await provider.begin(redirectUri);
    nonce = pending.nonce;
    const callback = new URL(`${redirectUri}?code=c&state=${pending.state}`);
    change(callback);
    return provider.finish(callback, pending, redirectUri);
  };
  const signIn = async () => (await signInAs()).subject;
  return { provider, keys, requests, signIn, signInAs };
}

it('[team-oidc] accepts a token signed with a new key as soon as the provider publishes the key', async () => {
  const { keys, signIn } = aProvider(newKey('first'));
  expect([await signIn(), await signIn()]).toEqual(['ola', 'ola']);
  keys.signing = keys.published = newKey('second');
  expect([await signIn(), await signIn()]).toEqual(['ola', 'ola']);
});

it('[team-oidc] refuses a token whose key the provider does not publish', async () => {
  const { keys, signIn } = aProvider(newKey('first'));
  await signIn();
  keys.signing = newKey('other');
  await expect(signIn()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  // The same id as the published key, but another key.
  keys.signing = newKey('first');
  await expect(signIn()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

describe('a sign-in through an OpenID Connect provider', () => {
  const key = newKey('key');

  it('sends the browser to the provider with state, nonce and a PKCE challenge', async () => {
    const { url, pending } = await aProvider(key).provider.begin(redirectUri);
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`${issuer}/auth`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'backstory',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: hash('sha256', pending.verifier, 'base64url'),
      code_challenge_method: 'S256',
    });
  });

  it('authenticates the server with its secret as the provider asks', async () => {
    const asked = async (clientSecret: string | undefined, methods: string[] | undefined) => {
      const configuration = { token_endpoint_auth_methods_supported: methods };
      const { signIn, requests } = aProvider(key, { configuration }, { clientSecret });
      await signIn();
      const { authorization, body } = requests.find(({ path }) => path === '/token') ?? {};
      return [authorization, /client_secret=(\w+)/.exec(body ?? '')?.[1]];
    };
    const basic = `Basic ${Buffer.from('backstory:s3cret').toString('base64')}`;
    expect(await asked(undefined, ['client_secret_basic'])).toEqual([null, undefined]);
    expect(await asked('s3cret', undefined)).toEqual([basic, undefined]);
    expect(await asked('s3cret', ['client_secret_post', 'client_secret_basic'])).toEqual([basic, undefined]);
    expect(await asked('s3cret', ['client_secret_post'])).toEqual([null, 's3cret']);
  });

  it('gives an address only if the provider has verified it', async () => {
    const email = async (claims: object) => (await aProvider(key, { claims }).signInAs()).email;
    expect(await email({ email: ' Ola@Example.org ', email_verified: true })).toBe('ola@example.org');
    for (const claims of [
      { email: 'ola@example.org' },
      { email: 'ola@example.org', email_verified: false },
      { email: 'ola@example.org', email_verified: 'true' },
      { email: 'ola', email_verified: true },
      { email: ['ola@example.org'], email_verified: true },
      { email_verified: true },
    ])
      expect(await email(claims)).toBeUndefined();
  });

  it('asks for the address where the provider gives it, once', async () => {
    const userInfo = { email: 'ola@example.org', email_verified: true };
    const configuration = { userinfo_endpoint: `${issuer}/userinfo` };
    const apart = aProvider(key, { configuration, userInfo });
    expect(await apart.signInAs()).toEqual({ issuer, subject: 'ola', email: 'ola@example.org' });
    const inToken = aProvider(key, {
      configuration,
      userInfo,
      claims: { email: 'x@y.org', email_verified: true },
    });
    expect((await inToken.signInAs()).email).toBe('x@y.org');
    expect(inToken.requests.map(({ path }) => path)).not.toContain('/userinfo');
    const other = aProvider(key, { configuration, userInfo: { ...userInfo, sub: 'eve' } });
    await expect(other.signInAs()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('refuses a response without an ID token, and one of another sign-in', async () => {
    const token = () => ({ access_token: 'a', token_type: 'bearer' });
    await expect(aProvider(key, { token }).signIn()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(aProvider(key, { claims: { nonce: 'x' } }).signIn()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    const otherState = (callback: URL) => callback.searchParams.set('state', 'x');
    await expect(aProvider(key).signInAs(otherState)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('can be repeated if the provider is not reached, and not if its response is wrong', async () => {
    const codeAfter = async (error: Error) =>
      aProvider(key, {
        token: () => {
          throw error;
        },
      })
        .signIn()
        .catch(({ code, retryable }) => [code, retryable]);
    expect(await codeAfter(new TypeError('fetch failed'))).toEqual(['BACKEND_FAILURE', true]);
    expect(await codeAfter(new DOMException('', 'TimeoutError'))).toEqual(['BACKEND_FAILURE', true]);
    for (const error of [new TypeError('x'), new Error('fetch failed'), new DOMException('', 'DataError')])
      expect(await codeAfter(error)).toEqual(['UNAUTHORIZED', false]);
    const timeout = Object.assign(new Error(), { name: 'TimeoutError' });
    expect(await codeAfter(timeout)).toEqual(['UNAUTHORIZED', false]);
    const down = aProvider(key, {}, { fetch: async () => Promise.reject(new Error('refused')) });
    await expect(down.signIn()).rejects.toMatchObject({ code: 'BACKEND_FAILURE' });
  });

  it('uses HTTP without TLS only with a provider on this machine', async () => {
    for (const plain of [
      'http://accounts.example.org',
      'http://localhost.example.org',
      'ftp://localhost',
      'x',
    ])
      expect(() => aProvider(key, {}, { issuer: plain })).toThrow('not a valid issuer URL');
    for (const local of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      const configuration = { issuer: local, authorization_endpoint: `${local}/auth` };
      const { provider } = aProvider(key, { configuration }, { issuer: local });
      expect((await provider.begin(redirectUri)).url).toContain(`${local}/auth`);
    }
  });
});
