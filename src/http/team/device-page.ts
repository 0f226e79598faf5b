import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { TeamParts } from '../../team/parts.ts';
import { beginSignIn, endSignIn } from '../../team/sign-in.ts';
import { askedOf } from '../read-asked.ts';
import type { RouteShape } from '../route.ts';
import type { TeamBindings } from './app.ts';
import type { Limits } from './limits.ts';

/**
 * Where a laptop asks to be let in, and the page on which a person lets it. The laptop makes its own token and names
 * only its hash; what the person types on the page goes through the same route, and the same guard, as a program's.
 */
type TeamHono = Hono<{ Bindings: TeamBindings }>;

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

const longestForm = 4_096;

export function addDevicePage(
  app: TeamHono,
  { parts, limits }: { parts: Pick<TeamParts, 'store'>; limits: Limits },
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  const answered = async (
    context: Context,
    route: RouteShape,
    answer: (asked: never) => Promise<unknown>,
  ) => {
    limits.spend(`address ${addressOf(context)}`);
    const asked = await askedOf(route, context);
    return Response.json(await limits.inTurn(() => answer(asked as never)), {
      headers: { 'cache-control': 'no-store' },
    });
  };
  app.post(begin.path, (context) =>
    measured(`POST ${begin.path}`, () =>
      answered(context, begin, (asked: z.output<typeof begin.asks>) => beginSignIn(parts.store, asked)),
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
  app.get('/device', () => page('', form));
  app.post('/device', (context) => measured('POST /device', () => approved(app, context)));
}

async function approved(app: TeamHono, context: Context): Promise<Response> {
  if (!(Number(context.req.header('content-length') ?? longestForm + 1) <= longestForm))
    throw new AppError('INVALID_ARGUMENT', 'the form is too long', { hint: 'GET /device' });
  const typed = new URLSearchParams(await context.req.text());
  const body = JSON.stringify({ code: typed.get('code') ?? '' });
  const token = (typed.get('token') ?? '').trim();
  const response = await app.request(
    '/api/device/approve',
    {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${/^[\w-]*$/.test(token) ? token : ''}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    },
    { address: addressOf(context) },
  );
  if (response.ok) return page('The device is in. You may close this page.', '');
  const said: Record<number, string> = {
    401: 'This token opens nothing.',
    403: "This takes a person's token, not a device's.",
    429: 'Too many tries; wait a minute.',
  };
  return page(
    said[response.status] ?? 'No device waits under this code, or it waited too long.',
    form,
    response.status,
  );
}

const addressOf = (context: Context): string => (context.env as TeamBindings | undefined)?.address ?? '';

const form = `<form method="post" action="/device" autocomplete="off">
<label>The code that the device shows <input name="code" required maxlength="20" autofocus></label>
<label>Your own token <input name="token" type="password" required maxlength="100"></label>
<button>Let it in</button></form>
<p>Let in only a device that stands before you. It can then read and add notes as you, until its token is revoked.</p>`;

const page = (message: string, content: string, status = 200): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Backstory</title>
<style>body{font:16px system-ui;max-width:26rem;margin:3rem auto;padding:0 1rem}label{display:block;margin:1rem 0}input{display:block;font:inherit;width:100%;box-sizing:border-box;padding:.4rem}button{font:inherit;padding:.4rem 1rem}</style>
<h1>Let a device in</h1><p role="status">${message}</p>${content}</html>`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    },
  );
