import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { inputOf } from '../../http/request-input.ts';
import type { RouteShape } from '../../http/route.ts';
import type { TeamParts } from '../parts.ts';
import { beginSignIn, endSignIn } from '../people/sign-in.ts';
import type { TeamBindings, TeamHono } from './app.ts';
import { credentialIn } from './credential.ts';
import { asText, page } from './html-page.ts';
import type { Limits } from './limits.ts';
import { createRate } from './rate-limit.ts';
import { shortBody, type Uploads } from './uploads.ts';

/**
 * Where a laptop asks to be let in, and the page on which a person lets it. The laptop makes its own token and names
 * only its hash; what the person types on the page goes through the same route, and the same guard, as a program's.
 * Who has signed in with this browser types the code alone.
 */
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

const begin = {
  method: 'POST',
  path: '/api/device',
  summary: 'A device that wants to be let in names the hash of its token, and gets a code to show.',
  asks: z.object({ hash, name: z.string().trim().min(1).max(100) }),
} satisfies RouteShape;

const poll = {
  method: 'POST',
  path: '/api/device/state',
  summary: 'Whether the device with this hash has been let in.',
  asks: z.object({ hash }),
} satisfies RouteShape;

const leave = {
  method: 'POST',
  path: '/api/device/leave',
  summary: 'This token opens nothing any more; the answer is the same if it never did.',
  asks: z.object({ token: z.string().max(100) }),
} satisfies RouteShape;

/** Told in the OpenAPI document beside those that take a token. */
export const openSignInRoutes: RouteShape[] = [begin, poll, leave];

/** Devices that one address may ask for: each waits for a quarter of an hour, and all addresses share the places. */
const newDeviceRate = { perSecond: 10 / 60, burst: 10 };

export function addDevicePage(
  app: TeamHono,
  {
    parts,
    limits,
    uploads,
    publicUrl,
    maySignIn,
  }: {
    parts: Pick<TeamParts, 'store' | 'clock'>;
    limits: Limits;
    uploads: Uploads;
    publicUrl: string | undefined;
    /** Whether people can sign in with their accounts. */
    maySignIn: boolean;
  },
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  const answered = async (
    context: Context,
    route: RouteShape,
    answer: (asked: never) => Promise<unknown>,
  ) => {
    limits.spend(`address ${addressOf(context)}`);
    const value = await shortBody(uploads, context, addressOf(context), async (body) => {
      const asked = await inputOf(route, context, body);
      return limits.inTurn(() => answer(asked as never));
    });
    return Response.json(value, { headers: { 'cache-control': 'no-store' } });
  };
  const newDevices = createRate(newDeviceRate, parts.clock);
  app.post(begin.path, (context) =>
    measured(`POST ${begin.path}`, () =>
      answered(context, begin, (asked: z.output<typeof begin.asks>) => {
        newDevices.spend(addressOf(context));
        return beginSignIn(parts.store, asked);
      }),
    ),
  );
  app.post(poll.path, (context) =>
    measured(`POST ${poll.path}`, () =>
      answered(context, poll, async (asked: z.output<typeof poll.asks>) => ({
        state: await parts.store.signIns.state(asked.hash),
      })),
    ),
  );
  app.post(leave.path, (context) =>
    measured(`POST ${leave.path}`, () =>
      answered(context, leave, async (asked: z.output<typeof leave.asks>) => {
        await endSignIn(parts.store, asked.token);
        return { left: true };
      }),
    ),
  );
  const shown = async (context: Context, message: string, status = 200): Promise<Response> =>
    page(heading, message, formFor(maySignIn, await signedInAs(context)), { status });
  /** Undefined for who is not; a look at a page is no try to get in, and is answered whatever the cookie holds. */
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
  app.get('/device', (context) =>
    measured('GET /device', async () => {
      limits.spend(`address ${addressOf(context)}`);
      return shown(context, '');
    }),
  );
  app.post('/device', (context) =>
    measured('POST /device', async () => {
      const status = await shortBody(uploads, context, addressOf(context), (body) =>
        approve(app, context, body),
      );
      if (status === 200) return page(heading, 'The device is in. You may close this page.', '');
      const message = said[status] ?? 'That failed here. The server’s log says why.';
      // Who is sent away because there is too much to do is not given more of it.
      return status >= 429 ? page(heading, message, again, { status }) : shown(context, message, status);
    }),
  );
}

/** Asked of the route that programs ask, with the token that was typed, or else with what the browser itself brings. */
async function approve(app: TeamHono, context: Context, form: string): Promise<number> {
  const typed = new URLSearchParams(form);
  const body = JSON.stringify({ code: typed.get('code') ?? '' });
  const token = typed.get('token')?.trim();
  const brought = ['cookie', 'origin', 'sec-fetch-site', 'host', 'x-forwarded-host'].flatMap((name) => {
    const value = context.req.header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const response = await app.request(
    '/api/device/approve',
    {
      method: 'POST',
      body,
      headers: {
        ...(token === undefined
          ? Object.fromEntries(brought)
          : { authorization: `Bearer ${/^[\w-]*$/.test(token) ? token : ''}` }),
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    },
    { address: addressOf(context) },
  );
  return response.status;
}

const said: Record<number, string> = {
  400: 'This is not a code. It has eight letters.',
  401: 'This token opens nothing.',
  403: "This takes a person's token, not a device's, and a page of this server.",
  404: 'No device waits under this code, or it waited too long.',
  429: 'Too many tries; wait a minute.',
  503: 'The server has too much to do. Try again in a moment.',
};

const again = '<p><a href="/device">Try again</a></p>';

const addressOf = (context: Context): string => (context.env as TeamBindings | undefined)?.address ?? '';

const heading = 'Let a device in';

const formFor = (mayOtherwiseSignIn: boolean, signedInAs: string | undefined): string =>
  [
    ...(signedInAs === undefined ? [] : [`<p>You are ${asText(signedInAs)}.</p>`]),
    ...(signedInAs === undefined && mayOtherwiseSignIn
      ? ['<p><a href="/sign-in?to=/device">Sign in with your account</a>, or give your own token.</p>']
      : []),
    '<form method="post" action="/device" autocomplete="off">',
    '<label>The code that the device shows <input name="code" required maxlength="20" autofocus></label>',
    ...(signedInAs === undefined
      ? ['<label>Your own token <input name="token" type="password" required maxlength="100"></label>']
      : []),
    '<button>Let it in</button></form>',
    '<p>Let in only a device that stands before you. It can then read and add notes as you, until its token is revoked.</p>',
  ].join('\n');
