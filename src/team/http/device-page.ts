import type { Context } from 'hono';
import { z } from 'zod';
import { inputOf } from '../../api/request-input.ts';
import type { RouteShape } from '../../api/route.ts';
import { AppError } from '../../base/errors.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { approveSignIn, beginSignIn, endSignIn } from '../people/sign-in.ts';
import { credentialIn } from './credential.ts';
import { asText, page } from './html-page.ts';
import { createRate } from './rate-limit.ts';
import { shortBody } from './request-body.ts';
import { addressOf, type OpenRouteParts, type TeamHono, type TeamRoute, teamRoute } from './route.ts';

/**
 * Device sign-in: routes for the device, and the page on which a user approves it. The device makes its own token and
 * sends only the hash. The page calls the same route, with the same checks, as other clients. A user who is signed in
 * with this browser only needs to type the code.
 */
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

const begin = {
  method: 'POST',
  path: '/api/v1/device',
  alias: '/api/device',
  name: 'beginDeviceSignIn',
  answers: teamAnswers.deviceCode,
  summary:
    'Starts the sign-in of a device: takes the hash of its token and returns a code to show to the user.',
  params: z.object({ hash, name: z.string().trim().min(1).max(100) }),
} satisfies RouteShape;

const poll = {
  method: 'POST',
  path: '/api/v1/device/state',
  alias: '/api/device/state',
  name: 'getDeviceState',
  answers: teamAnswers.deviceState,
  summary: 'Whether the device with this token hash has been approved.',
  params: z.object({ hash }),
} satisfies RouteShape;

const leave = {
  method: 'POST',
  path: '/api/v1/device/leave',
  alias: '/api/device/leave',
  name: 'endDeviceSignIn',
  answers: teamAnswers.leftDevice,
  summary: 'Revokes a token. The response is the same for an unknown token.',
  params: z.object({ token: z.string().max(100) }),
} satisfies RouteShape;

export const openSignInRoutes: RouteShape[] = [begin, poll, leave];

export const signInRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/device/approve',
    alias: '/api/device/approve',
    name: 'approveDevice',
    answers: teamAnswers.approvedDevice,
    summary: 'Approves the device that shows this code. It then acts on your behalf.',
    params: z.object({ code: z.string().min(8).max(20) }),
    // A person types one or two codes. More attempts are guesses.
    rate: { perSecond: 10 / 60, burst: 10 },
    answer: ({ store }, { code }, token) => approveSignIn(store, token, code),
  }),
];

/**
 * Limits how many device sign-ins one address may start: each waits up to 15 minutes for approval, and the number of
 * waiting sign-ins is limited for all addresses together.
 */
const newDeviceRate = { perSecond: 10 / 60, burst: 10 };

export function addDevicePage(open: OpenRouteParts): void {
  const { app, parts, limits, uploads, publicUrl, on } = open;
  const addRoute = <Params extends z.ZodType>(
    route: RouteShape & { params: Params },
    answer: (input: z.output<Params>, address: string) => Promise<unknown>,
  ) =>
    on(route, async (context) => {
      const address = addressOf(context);
      limits.spend(`address ${address}`);
      const value = await shortBody(uploads, context, address, async (body) => {
        const input = (await inputOf(route, context, body)) as z.output<Params>;
        return limits.inTurn(() => answer(input, address));
      });
      return Response.json(value, { headers: { 'cache-control': 'no-store' } });
    });
  const newDevices = createRate(newDeviceRate, parts.clock);
  addRoute(begin, (input, address) => {
    newDevices.spend(address);
    return beginSignIn(parts.store, input);
  });
  addRoute(poll, async (input) => ({ state: await parts.store.signIns.state(input.hash) }));
  addRoute(leave, async ({ token }) => {
    await endSignIn(parts.store, token);
    return { left: true };
  });
  const formPage = async (context: Context, message: string, status = 200): Promise<Response> =>
    page(heading, message, formFor(open.browser !== undefined, await signedInAs(context)), { status });
  /**
   * Returns the name of the signed-in user, or undefined. Opening the page is no sign-in attempt, so an invalid cookie
   * is no error.
   */
  const signedInAs = async (context: Context): Promise<string | undefined> => {
    try {
      const credential = credentialIn(context, publicUrl);
      if (credential?.isFromCookie !== true) return undefined;
      return await limits.inTurn(() => parts.store.browserSessions.nameOf(credential.hash));
    } catch (error) {
      if (error instanceof AppError && ['UNAUTHORIZED', 'FORBIDDEN'].includes(error.code)) return undefined;
      throw error;
    }
  };
  on({ method: 'GET', path: '/device' }, async (context) => {
    limits.spend(`address ${addressOf(context)}`);
    return formPage(context, '');
  });
  on({ method: 'POST', path: '/device' }, async (context) => {
    const status = await shortBody(uploads, context, addressOf(context), (body) =>
      approve(app, context, body),
    );
    if (status === 200) return page(heading, 'The device is signed in. You can close this page.', '');
    const message = errorMessages[status] ?? 'Internal server error. See the server’s log for the cause.';
    // Rendering the form queries the database. If the server is overloaded (429 and above), show only the message.
    return status >= 429 ? page(heading, message, retryLink, { status }) : formPage(context, message, status);
  });
}

/** Calls the API route with the token that the user typed, or with the browser's own cookie and origin headers. */
async function approve(app: TeamHono, context: Context, form: string): Promise<number> {
  const typed = new URLSearchParams(form);
  const body = JSON.stringify({ code: typed.get('code') ?? '' });
  const token = typed.get('token')?.trim();
  const browserHeaders = ['cookie', 'origin', 'sec-fetch-site', 'host', 'x-forwarded-host'].flatMap(
    (name) => {
      const value = context.req.header(name);
      return value === undefined ? [] : [[name, value] as const];
    },
  );
  const response = await app.request(
    '/api/v1/device/approve',
    {
      method: 'POST',
      body,
      headers: {
        ...(token === undefined
          ? Object.fromEntries(browserHeaders)
          : { authorization: `Bearer ${/^[\w-]*$/.test(token) ? token : ''}` }),
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    },
    { address: addressOf(context) },
  );
  return response.status;
}

const errorMessages: Record<number, string> = {
  400: 'This is not a valid code. A code has eight letters.',
  401: 'Invalid token.',
  403: "Use a person's token, not a device's, and open this page on this server.",
  404: 'No device is waiting with this code, or the code has expired.',
  429: 'Too many attempts. Try again in a minute.',
  503: 'The server is overloaded. Try again in a moment.',
};

const retryLink = '<p><a href="/device">Try again</a></p>';

const heading = 'Sign in a device';

const formFor = (maySignIn: boolean, signedInAs: string | undefined): string =>
  [
    ...(signedInAs === undefined ? [] : [`<p>Signed in as ${asText(signedInAs)}.</p>`]),
    ...(signedInAs === undefined && maySignIn
      ? ['<p><a href="/sign-in?to=/device">Sign in with your account</a>, or enter your token.</p>']
      : []),
    '<form method="post" action="/device" autocomplete="off">',
    '<label>Code shown on the device <input name="code" required maxlength="20" autofocus></label>',
    ...(signedInAs === undefined
      ? ['<label>Your token <input name="token" type="password" required maxlength="100"></label>']
      : []),
    '<button>Approve</button></form>',
    '<p>Approve only a device that is in front of you. It can then read and add notes as you, until its token is revoked.</p>',
  ].join('\n');
