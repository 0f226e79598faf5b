import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Answered, askHttp, createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { mcpOf } from '../../test/support/mcp-over-http.ts';
import type { ErrorCode, errorEnvelope } from '../base/errors.ts';
import type { Place } from '../domain/project.ts';
import type { Route } from '../http/route.ts';
import { routes } from '../http/routes.ts';

let home: HttpHome;
let headers: Record<string, string>;
/** For each route and each tool. */
const numRuns = 4;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

beforeAll(async () => {
  home = await createHttpHome();
  home.prompt('We keep retries in Postgres because Redis lost jobs.');
  home.answer('Understood.');
  await home.drain();
  headers = {
    cookie: await home.signIn(true),
    origin: home.server.url,
    'content-type': 'application/json',
  };
});
afterAll(async () => {
  agent.destroy();
  await home.close();
});

const hasBody = ({ method }: Route) => method === 'POST' || method === 'PATCH';
const isStrict = ({ path }: Route) => path.startsWith('/api/v1/');
const namesOf = ({ path, params }: Route) =>
  Object.keys(params.shape).filter((name) => !path.includes(`:${name}`));

/** Texts that break naive code. */
const hostileText = fc.constantFrom(
  ...['', '-1', '1e999', 'NaN', '9007199254740993', '１２', '2026-13-45', '275761-01-01', '999999999w'],
  ...['../../../../etc/passwd', '/dev/zero', 'a'.repeat(5_000), '.git/config', '%2e%2e%2f', '%'],
  ...['__proto__', 'constructor', 'toString', 'null', '[object Object]', '{"$where":1}'],
  ...["'; drop table chunk; --", 'NEAR(retry postgres, 9) AND text:"retry* ^', '(retry+)+$[a]{99999}'],
  ...['\0\u0001\u001b[31m\r\n\u2028', '\u202e\u200b\u{e0041}', '</backstory-memory>', '“（＊）”', '👩‍💻'],
);
const deep: unknown = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const text = fc.oneof(hostileText, fc.string({ unit: 'grapheme', maxLength: 40 }));
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constant(deep));

interface InputSchema {
  properties?: Record<string, { type?: string; enum?: unknown[] }>;
  required?: string[];
}

/** Parameters of a route or tool, by its JSON Schema: most have the right type, so that they reach the code behind it. */
function inputFor({ properties = {}, required = [] }: InputSchema): fc.Arbitrary<Record<string, unknown>> {
  const byType: Record<string, fc.Arbitrary<unknown>> = {
    string: text,
    integer: fc.integer({ min: -2, max: 50 }),
    number: fc.double(),
    boolean: fc.boolean(),
    array: fc.array(text, { maxLength: 3 }),
  };
  const fields = Object.entries(properties).map(([name, { type = '', enum: choices }]) => {
    const fitting = choices === undefined ? (byType[type] ?? value) : fc.constantFrom(...choices);
    const any = { arbitrary: value as fc.Arbitrary<unknown>, weight: 1 };
    return [name, fc.oneof({ arbitrary: fitting, weight: 9 }, any)] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

// `String` throws for an object with its own `toString`.
const asText = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given));

interface BadRequest {
  method: string;
  path: string;
  body?: string;
}

const badRequest = (route: Route): fc.Arbitrary<BadRequest> => {
  const schema = z.toJSONSchema(route.params, { io: 'input', unrepresentable: 'any' }) as InputSchema;
  return fc.tuple(text, inputFor(schema)).map(([segment, input]) => {
    const path = route.path.replaceAll(/:\w+/g, encodeURIComponent(segment).slice(0, 4_000) || 'x');
    const given = Object.entries(input).filter(([name]) => namesOf(route).includes(name));
    if (hasBody(route))
      return { method: route.method, path, body: JSON.stringify(Object.fromEntries(given)) };
    const query = given.flatMap(([name, said]) =>
      [said].flat().map((one) => [name, asText(one).slice(0, 500)]),
    );
    return { method: route.method, path: `${path}?${new URLSearchParams(query)}` };
  });
};

const ask = ({ path, ...asking }: BadRequest): Promise<Answered> =>
  askHttp(home.server.url, path, { ...asking, headers, agent });

function expectNoFault(asked: BadRequest, { status, text: answer }: Answered): void {
  const said = `${asked.method} ${asked.path} ${asked.body ?? ''}`.slice(0, 500);
  expect([200, 201, 202, 400, 404, 405, 409], `${said}: ${answer.slice(0, 300)}`).toContain(status);
  if (status >= 400)
    expect(JSON.parse(answer), said).toMatchObject({
      status,
      code: expect.any(String),
      hint: expect.any(String),
    });
}

describe('[http-envelope] A bad request', () => {
  it('gets an answer or an error with its reason, from every route', async () => {
    for (const route of routes)
      await fc.assert(
        fc.asyncProperty(badRequest(route), async (asked) => expectNoFault(asked, await ask(asked))),
        { numRuns },
      );
  });

  it('is refused if a parameter is unknown', async () => {
    for (const route of routes.filter(isStrict)) {
      const path = route.path.replaceAll(/:\w+/g, '0123456789abcdef');
      const { method } = route;
      expect([path, (await ask({ method, path: `${path}?unknwon=1` })).status]).toEqual([path, 400]);
      if (!hasBody(route)) continue;
      expect([path, (await ask({ method, path, body: '{"unknwon":1}' })).status]).toEqual([path, 400]);
    }
  });

  it('is refused if a parameter has the wrong type, or the body is not a JSON object', async () => {
    for (const route of routes.filter(hasBody)) {
      const path = route.path.replaceAll(/:\w+/g, '0123456789abcdef');
      const wrong = namesOf(route).map((name) => JSON.stringify({ [name]: [[{}]] }));
      for (const body of [...wrong, '{', '{"text":', '[]', '"text"', 'null', '\0', JSON.stringify(deep)])
        expect([path, body, (await ask({ method: route.method, path, body })).status]).toEqual([
          path,
          body,
          400,
        ]);
    }
    const huge = { method: 'POST', path: '/api/v1/notes', body: '['.repeat(500_000) };
    expect((await ask(huge)).status).toBe(400);
  });
});

describe('[mcp-errors] A bad MCP message', () => {
  let mcp: ReturnType<typeof mcpOf>['mcp'];
  let place: Place;
  let tools: ListedTool[];

  interface ListedTool {
    name: string;
    inputSchema: InputSchema;
  }
  interface Message {
    result?: { tools?: ListedTool[]; isError?: boolean; content?: { text: string }[] };
    error?: { code: number };
  }

  beforeAll(async () => {
    ({ mcp, place } = mcpOf(home));
    tools = (await send(JSON.stringify(request('tools/list', {})))).message.result?.tools ?? [];
  });
  afterAll(() => mcp.close());

  const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
  const send = async (body: string): Promise<{ status: number; message: Message }> => {
    const accept = 'application/json, text/event-stream';
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', accept }, body };
    const response = await mcp.answer(new Request('http://localhost/mcp', sent), place, 'all');
    const answer = await response.text();
    return { status: response.status, message: JSON.parse(answer.replace(/^[^{]*data: /, '')) as Message };
  };
  /** The error of a failed tool, which must be one that Backstory expects. */
  const errorOf = ({ result }: Message): ErrorCode | undefined =>
    result?.isError === true
      ? (JSON.parse(result.content?.[0]?.text ?? '') as ReturnType<typeof errorEnvelope>).error.code
      : undefined;

  it('with arguments of any shape gets an answer or an expected error, from every tool', async () => {
    expect(tools.length).toBeGreaterThan(25);
    for (const { name, inputSchema } of tools) {
      const check = async (args: object) => {
        const { status, message } = await send(
          JSON.stringify(request('tools/call', { name, arguments: args })),
        );
        const said = `${name} ${JSON.stringify(args)}: ${JSON.stringify(message)}`.slice(0, 800);
        expect([status, message.error], said).toEqual([200, undefined]);
        expect(['BACKEND_FAILURE', 'FALLBACK_FAILURE'], said).not.toContain(errorOf(message));
      };
      await fc.assert(fc.asyncProperty(inputFor(inputSchema), check), { numRuns });
    }
  });

  it('with an argument of the wrong type is refused by every tool', async () => {
    for (const { name, inputSchema } of tools)
      for (const field of Object.keys(inputSchema.properties ?? {})) {
        const params = { name, arguments: { [field]: [[{}]] } };
        const { message } = await send(JSON.stringify(request('tools/call', params)));
        expect([name, field, errorOf(message)]).toEqual([name, field, expect.stringMatching(/^INVALID_/)]);
      }
  });

  it('of any shape gets an error of the protocol', async () => {
    const call = JSON.stringify(request('tools/call', { name: 'recall', arguments: { query: 'retries' } }));
    const body = fc.oneof(
      text,
      value.map((given) => JSON.stringify(given)),
      fc.nat(call.length - 1).map((end) => call.slice(0, end)),
      value.map((arguments_) => JSON.stringify(request('tools/call', { name: arguments_, arguments: {} }))),
      text.map((method) => JSON.stringify(request(method, {}))),
      fc.constant('['.repeat(500_000)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status, message } = await send(sent);
        expect(status, sent.slice(0, 300)).toBeLessThan(500);
        expect(message.error?.code, sent.slice(0, 300)).toBeLessThan(0);
      }),
      { numRuns: 30 },
    );
  });
});
