import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { createOidcProvider } from './oidc.ts';

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

/** A provider that signs with one key and may publish another, and a person who signs in through it. */
function aProvider(first: Key) {
  const keys = { signing: first, published: first };
  let nonce = '';
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    '/jwks': () => {
      const { kid, publicKey } = keys.published;
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] };
    },
    '/token': () => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, sub: 'ola', aud: 'backstory', iat, exp: iat + 60, nonce };
      return { access_token: 'a', token_type: 'bearer', id_token: signedToken(claims, keys.signing) };
    },
  };
  const provider = createOidcProvider({
    issuer,
    clientId: 'backstory',
    clientSecret: undefined,
    fetch: async (url) => Response.json(answers[new URL(url).pathname]?.()),
  });
  const signIn = async () => {
    const { pending } = await provider.begin(redirectUri);
    nonce = pending.nonce;
    const callback = new URL(`${redirectUri}?code=c&state=${pending.state}`);
    return (await provider.finish(callback, pending, redirectUri)).subject;
  };
  return { keys, signIn };
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
