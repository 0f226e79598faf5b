import * as oauth from 'oauth4webapi';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { VouchedAccount } from '../store/team-people.ts';

/**
 * Sign-in with an account of an OpenID Connect provider: authorization code with PKCE, state and nonce. Everything
 * that is checked about a token is checked by oauth4webapi, whose authors certify it; this file says what is wanted.
 */
export interface SignInProvider {
  /** Where to send the browser, and what it has to bring back. */
  begin(redirectUri: string): Promise<{ url: string; kept: KeptSignIn }>;
  /** Throws unless the provider vouches for somebody. */
  finish(callback: URL, kept: KeptSignIn, redirectUri: string): Promise<VouchedAccount>;
}

/** What ties the answer of the provider to the browser that asked. */
export interface KeptSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcOptions {
  issuer: string;
  clientId: string;
  /** Undefined for a client without one: PKCE alone stands for it then. */
  clientSecret: string | undefined;
  clock: Clock;
  /** The only seam: tests hand over a `fetch` that tampers with what a real provider says. */
  fetch?: (url: string, options: object) => Promise<Response>;
}

/** Only those where the key that checks cannot sign. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
];
const discoveryLastsMs = 60 * 60_000;
const timeoutMs = 10_000;
const isLoopback = (url: URL): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);

export function createOidcProvider(options: OidcOptions): SignInProvider {
  const issuer = issuerUrl(options.issuer);
  const client: oauth.Client = { client_id: options.clientId };
  const asking = () => ({
    signal: AbortSignal.timeout(timeoutMs),
    ...(options.fetch === undefined ? {} : { [oauth.customFetch]: options.fetch }),
    // A provider on this very machine may do without TLS; no other may.
    ...(isLoopback(issuer) ? { [oauth.allowInsecureRequests]: true } : {}),
  });
  let known: { at: number; server: Promise<oauth.AuthorizationServer> } | undefined;
  /** The library keeps the keys beside the document, looks again after minutes, and sooner for a key it never saw. */
  const discovered = (): Promise<oauth.AuthorizationServer> => {
    const now = options.clock.now();
    if (known !== undefined && now - known.at < discoveryLastsMs) return known.server;
    const before = known;
    const server = discover(issuer, asking).catch((error: unknown) => {
      // What was true an hour ago is better than nothing, and is tried to be renewed with the next sign-in.
      known = undefined;
      if (before === undefined) throw error;
      return before.server;
    });
    known = { at: now, server };
    return server;
  };
  const authentication = ({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer) => {
    if (options.clientSecret === undefined) return oauth.None();
    return methods === undefined || methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(options.clientSecret)
      : oauth.ClientSecretPost(options.clientSecret);
  };

  return {
    async begin(redirectUri) {
      const server = await reached(discovered);
      const kept = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      const url = new URL(server.authorization_endpoint as string);
      const parameters = {
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email',
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, kept };
    },
    async finish(callback, kept, redirectUri) {
      let server = await reached(discovered);
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, kept.state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication(server),
          parameters,
          redirectUri,
          kept.verifier,
          asking(),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: kept.nonce,
          requireIdToken: true,
        });
        try {
          await oauth.validateApplicationLevelSignature(server, response, asking());
        } catch (error) {
          if (!isUnknownKey(error)) throw error;
          // Signed with a key that is younger than the keys we have; they are looked up once more, and only once.
          known = undefined;
          server = await discovered();
          await oauth.validateApplicationLevelSignature(server, response, asking());
        }
        return await accountOf(server, tokens);
      } catch (error) {
        throw isAway(error) ? unreachable(error) : refused(error);
      }
    },
  };

  async function accountOf(
    server: oauth.AuthorizationServer,
    tokens: oauth.TokenEndpointResponse,
  ): Promise<VouchedAccount> {
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error('there is no id token');
    const account = { issuer: claims.iss, subject: claims.sub };
    if (claims.email !== undefined || server.userinfo_endpoint === undefined)
      return { ...account, email: verifiedEmail(claims) };
    // Many providers tell the address only here; it has to be of the same subject.
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, asking());
    const told = await oauth.processUserInfoResponse(server, client, claims.sub, response);
    return { ...account, email: verifiedEmail(told) };
  }
}

const verifiedEmail = (claims: Record<string, unknown>): string | undefined =>
  claims.email_verified === true && typeof claims.email === 'string' && claims.email.includes('@')
    ? claims.email.trim().toLowerCase()
    : undefined;

async function discover(issuer: URL, asking: () => object): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...asking() });
  const server = await oauth.processDiscoveryResponse(issuer, response);
  const supported = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const accepted = supported.filter((algorithm) => algorithms.includes(algorithm));
  if (accepted.length === 0) throw new Error(`signs tokens only with ${supported.join(', ')}`);
  if (server.authorization_endpoint === undefined) throw new Error('has no authorization endpoint');
  return { ...server, id_token_signing_alg_values_supported: accepted };
}

function issuerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url;
  throw new AppError('INVALID_ARGUMENT', `${text} is no issuer`, {
    hint: '--oidc-issuer https://accounts.example.org',
  });
}

const isUnknownKey = (error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;

/** What `fetch` throws when nobody answers, or not in time. */
const isAway = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof DOMException && error.name === 'TimeoutError');

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreachable(error);
  }
}

const unreachable = (cause: unknown): AppError =>
  new AppError('BACKEND_FAILURE', `the sign-in provider cannot be asked: ${messageOf(cause)}`, {
    hint: 'Try again; an operator can check --oidc-issuer',
    retryable: true,
    cause,
  });

const refused = (cause: unknown): AppError =>
  new AppError('UNAUTHORIZED', `the provider's answer cannot be trusted: ${messageOf(cause)}`, {
    hint: 'Sign in once more, in one go and in one window',
    cause,
  });
