import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { TokenHash } from '../../store/team-store.ts';
import type { TeamParts } from '../../team/parts.ts';
import { hashOfToken, tokenIn } from '../../team/token.ts';
import { askedOf } from '../read-asked.ts';
import type { RouteShape } from '../route.ts';
import type { StaticFiles } from '../static-files.ts';
import type { TeamBindings } from './app.ts';
import { type BrowserAccess, credentialIn, isOwnPage } from './credential.ts';
import type { Limits } from './limits.ts';
import { checkShortBody } from './short-body.ts';
import type { Strangers } from './strangers.ts';

/**
 * What a team's server is to a browser: the viewer, and the door to it. A person gives their token once; from then on
 * a cookie carries it that no script can read, that only our own pages make the browser send, and that is good for
 * nothing once the token is revoked.
 */
const look = {
  method: 'GET',
  path: '/api/session',
  summary: 'Whether this browser is signed in.',
  asks: z.object({}),
} satisfies RouteShape;

const enter = {
  method: 'POST',
  path: '/api/session',
  summary: 'Takes a token and keeps it in a cookie, for the viewer.',
  asks: z.object({ token: z.string().max(200) }),
} satisfies RouteShape;

const leave = {
  method: 'DELETE',
  path: '/api/session',
  summary: 'Takes the cookie away.',
  asks: z.object({}),
} satisfies RouteShape;

/** Told in the OpenAPI document beside those that take a token. */
export const viewerRoutes: RouteShape[] = [look, enter, leave];

interface Door {
  parts: Pick<TeamParts, 'store'>;
  limits: Limits;
  strangers: Strangers;
  files: StaticFiles;
  /** Undefined where people cannot sign in with their accounts. */
  browser: BrowserAccess | undefined;
}

export function addViewer(
  app: Hono<{ Bindings: TeamBindings }>,
  { parts, limits, strangers, files, browser }: Door,
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  /** Throws for what opens nothing, and counts that against whoever brings it. */
  const identify = async (context: Context, hash: TokenHash | undefined) => {
    const address = (context.env as TeamBindings | undefined)?.address ?? '';
    if (hash === undefined) throw strangers.refuse(address);
    const who = Buffer.from(hash).toString('base64');
    strangers.check(address, who);
    limits.spend(who);
    try {
      await limits.inTurn(() => parts.store.identify(hash));
    } catch (error) {
      throw isRefusal(error) ? strangers.refuse(address) : error;
    }
    strangers.know(who);
  };
  // No fault and nobody's guess: a page that has just been opened asks this before it shows anything.
  app.get(look.path, (context) =>
    measured(`GET ${look.path}`, async () => {
      const hash = credentialIn(context, browser?.publicUrl)?.hash;
      const signedIn =
        hash !== undefined &&
        (await identify(context, hash).then(
          () => true,
          (error) => {
            if (isRefusal(error)) return false;
            throw error;
          },
        ));
      const signInAt = browser === undefined ? undefined : '/sign-in?to=/';
      return Response.json({ signedIn, signInAt }, { headers: answerHeaders });
    }),
  );
  app.post(enter.path, (context) =>
    measured(`POST ${enter.path}`, async () => {
      checkOwnPage(context, browser);
      checkShortBody(context);
      const asked = (await askedOf(enter, context)) as z.output<typeof enter.asks>;
      const token = tokenIn(`Bearer ${asked.token.trim()}`);
      await identify(context, token === undefined ? undefined : hashOfToken(token));
      return withCookie(context, token ?? '', '');
    }),
  );
  app.delete(leave.path, (context) =>
    measured(`DELETE ${leave.path}`, async () => {
      checkOwnPage(context, browser);
      const hash = credentialIn(context, browser?.publicUrl)?.hash;
      // What is over already is as good as ended.
      if (hash !== undefined) await parts.store.browserSessions.close(hash).catch(ignoreRefusal);
      return withCookie(context, '', '; Max-Age=0');
    }),
  );
  const file = ({ req }: Context): Response | undefined => {
    const found = files.named(req.path === '/' ? '/team.html' : req.path);
    if (found === undefined) return undefined;
    const headers = { ...found.headers, ...pageHeaders };
    return req.header('if-none-match') === found.etag
      ? new Response(null, { status: 304, headers })
      : new Response(found.read(), { headers });
  };
  for (const path of ['/', '/icon.svg', '/assets/:name'])
    app.get(path, async (context, next) => file(context) ?? (await next()));
}

const ignoreRefusal = (error: unknown): void => {
  if (!isRefusal(error)) throw error;
};

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAUTHORIZED';

function checkOwnPage({ req }: Context, browser: BrowserAccess | undefined): void {
  if (!isOwnPage(req, browser?.publicUrl))
    throw new AppError('FORBIDDEN', 'pages of other origins are not answered', {
      hint: 'Authorization: Bearer with your token',
    });
}

/** With the prefix a browser takes it only over TLS, for the whole host and from nobody but this host. */
const cookieNames = ['__Host-backstory-session', 'backstory-session'] as const;

/** The proxy in front of us speaks TLS; that the page came by it is told by the page's own address. */
function withCookie({ req }: Context, value: string, more: string): Response {
  const isSecure = (req.header('origin') ?? '').startsWith('https:');
  const cookie = `${cookieNames[isSecure ? 0 : 1]}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${more}`;
  return Response.json({ signedIn: value !== '' }, { headers: { ...answerHeaders, 'set-cookie': cookie } });
}

const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};
