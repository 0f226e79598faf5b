import * as oauth from 'oauth4webapi';
import { AppError, messageOf } from '../../base/errors.ts';
import type { VerifiedAccount } from '../store/team-people.ts';

/**
 * Sign-in through an OpenID Connect provider: authorization code flow with PKCE, state and nonce. The oauth4webapi
 * library does all token validation, and accepts no symmetric signatures; this file only says what to require.
 */
export type SignInProvider = ReturnType<typeof createOidcProvider>;

/** Binds the provider's callback to the browser that started the sign-in. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OidcOptions {
  issuer: string;
  clientId: string;
  /** Secret of the OpenID client; undefined for a public client, which is protected by PKCE alone. */
  clientSecret: string | undefined;
  /** Replaces `fetch` in tests, which tamper with the responses of a real provider. */
  fetch?: (url: string, options: object) => Promise<Response>;
}

const timeoutMs = 10_000;
const isLoopback = (url: URL): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);

export function createOidcProvider(options: OidcOptions) {
  const issuer = issuerUrl(options.issuer);
  const client: oauth.Client = { client_id: options.clientId };
  const requestOptions = () => ({
    signal: AbortSignal.timeout(timeoutMs),
    ...(options.fetch === undefined ? {} : { [oauth.customFetch]: options.fetch }),
    // Only a provider on this machine may use HTTP without TLS.
    ...(isLoopback(issuer) ? { [oauth.allowInsecureRequests]: true } : {}),
  });
  const authentication = ({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer) => {
    if (options.clientSecret === undefined) return oauth.None();
    return methods === undefined || methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(options.clientSecret)
      : oauth.ClientSecretPost(options.clientSecret);
  };

  /** Fetched for each sign-in, and the keys with it, so that changes at the provider apply at once. */
  const discover = (): Promise<oauth.AuthorizationServer> =>
    oauth
      .discoveryRequest(issuer, { algorithm: 'oidc', ...requestOptions() })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        throw unreachable(error);
      });

  return {
    /** Returns the URL to redirect the browser to, and the values that `finish` checks the callback against. */
    async begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }> {
      const server = await discover();
      const pending = {
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
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, pending };
    },
    /** Throws unless the provider authenticated a user. */
    async finish(callback: URL, pending: PendingSignIn, redirectUri: string): Promise<VerifiedAccount> {
      const server = await discover();
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, pending.state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication(server),
          parameters,
          redirectUri,
          pending.verifier,
          requestOptions(),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: pending.nonce,
        });
        await oauth.validateApplicationLevelSignature(server, response, requestOptions());
        return await accountOf(server, tokens);
      } catch (error) {
        throw isUnreachable(error) ? unreachable(error) : refused(error);
      }
    },
  };

  async function accountOf(
    server: oauth.AuthorizationServer,
    tokens: oauth.TokenEndpointResponse,
  ): Promise<VerifiedAccount> {
    // There are claims: where it expects a nonce, the library refuses a response without an ID token.
    const claims = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken;
    const account = { issuer: claims.iss, subject: claims.sub };
    if (claims.email !== undefined || server.userinfo_endpoint === undefined)
      return { ...account, email: verifiedEmail(claims) };
    // Many providers return the email address only from their userinfo endpoint. The library checks that the response
    // is about the same subject.
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, requestOptions());
    const userInfo = await oauth.processUserInfoResponse(server, client, claims.sub, response);
    return { ...account, email: verifiedEmail(userInfo) };
  }
}

const verifiedEmail = (claims: Record<string, unknown>): string | undefined =>
  claims.email_verified === true && typeof claims.email === 'string' && claims.email.includes('@')
    ? claims.email.trim().toLowerCase()
    : undefined;

function issuerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url;
  throw new AppError('INVALID_ARGUMENT', `${text} is not a valid issuer URL`, {
    hint: 'Use https, for example: --oidc-issuer https://accounts.example.org',
  });
}

/** Recognizes what `fetch` throws if there is no response, or none in time. */
const isUnreachable = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof DOMException && error.name === 'TimeoutError');

const unreachable = (cause: unknown): AppError =>
  new AppError('BACKEND_FAILURE', `the sign-in provider cannot be reached: ${messageOf(cause)}`, {
    hint: 'Try again. If it keeps failing, ask an operator to check --oidc-issuer',
    retryable: true,
    cause,
  });

const refused = (cause: unknown): AppError =>
  new AppError('UNAUTHORIZED', `the sign-in provider's response is not valid: ${messageOf(cause)}`, {
    hint: 'Sign in again, in a single browser window',
    cause,
  });
