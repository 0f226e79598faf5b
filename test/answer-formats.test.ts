import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocuments } from '../scripts/client.ts';
import type { Schema } from '../scripts/shape-text.ts';
import { browserRoutes } from '../src/team/http/browser-sign-in.ts';
import { openSignInRoutes } from '../src/team/http/device-page.ts';
import { viewerRoutes } from '../src/team/http/viewer.ts';
import { webhookRoutes } from '../src/team/http/webhooks.ts';
import { encodingOf } from '../src/wire/answers/encoding.ts';
import { jsonShapes } from './json-shapes.ts';
import { timesInMilliseconds } from './support/check-answer.ts';

/** All schemas: parameters and answers of both servers, and the output of commands. */
const documents: Record<string, unknown> = {
  ...openApiDocuments,
  ...Object.fromEntries(
    Object.entries(jsonShapes).map(([name, shape]) => [name, z.toJSONSchema(shape, { io: 'input' })]),
  ),
};

/** Numbers whose names are like those of times. */
const notTimes: Record<string, string> = {
  matchAt: 'the place of a match in its line',
  from: 'a line',
  to: 'a line',
  depthBefore: 'a number of events',
  depthAfter: 'the same',
  depth_before: 'the same, in the form of claude-mem',
  depth_after: 'the same, in the form of claude-mem',
};
/** Times that are numbers because clients of another design read them. */
const inMilliseconds = /\/RecentSessions\//;
/** Values that are not names. */
const notNames: Record<string, string> = {
  '+': 'the sign of a line in a diff',
  '-': 'the sign of a line in a diff',
  '': 'no time is set',
};

const timeName =
  /(?:^at|At|Time|Date|^date|^day|[cC]reated|[uU]pdated|[sS]ince|[uU]ntil|[bB]efore|[aA]fter|[fF]rom|[tT]o|[eE]xpires|^last[A-Z]\w*)$/;
const kebabCase = /^[a-z0-9]+(?:[-:][a-z0-9]+)*$/;

interface Found {
  place: string;
  name: string;
  schema: Schema;
}

/** Every property and parameter in a document. */
function* propertiesIn(value: unknown, place: string): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  const { properties, name, in: where, schema } = value as Schema & Partial<Found> & { in?: string };
  for (const [key, one] of Object.entries(properties ?? {})) yield { place, name: key, schema: one };
  if (typeof name === 'string' && where !== undefined) yield { place, name, schema: schema as Schema };
  for (const [key, inner] of Object.entries(value)) yield* propertiesIn(inner, `${place}/${key}`);
}

function* valuesIn(value: unknown, place: string): Generator<{ place: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  const { enum: values, const: only } = value as Schema;
  for (const one of Array.isArray(values) ? values : [only]) yield { place, value: one };
  for (const [key, inner] of Object.entries(value)) yield* valuesIn(inner, `${place}/${key}`);
}

const isNumber = ({ type, anyOf, oneOf, additionalProperties }: Schema): boolean =>
  [type].flat().some((one) => one === 'number' || one === 'integer') ||
  [...(anyOf ?? []), ...(oneOf ?? [])].some(isNumber) ||
  (typeof additionalProperties === 'object' && isNumber(additionalProperties));

const numericTimes = (document: unknown, place: string): string[] =>
  [...propertiesIn(document, place)]
    .filter(({ name, schema }) => timeName.test(name) && notTimes[name] === undefined && isNumber(schema))
    .map((found) => `${found.place}/${found.name}`)
    .filter((name) => !inMilliseconds.test(name));

const otherCase = (document: unknown, place: string): string[] =>
  [...valuesIn(document, place)].flatMap((found) =>
    typeof found.value !== 'string' || kebabCase.test(found.value) || found.value in notNames
      ? []
      : [`${found.place}: ${found.value}`],
  );

describe('the schemas of the API and of --json', () => {
  it('[answer-formats] have every time as text in ISO 8601', () => {
    const all = Object.entries(documents).flatMap(([name, document]) => [...propertiesIn(document, name)]);
    expect(all.filter(({ name }) => timeName.test(name)).length).toBeGreaterThan(100);
    expect(Object.entries(documents).flatMap(([name, document]) => numericTimes(document, name))).toEqual([]);
    // The same is reported where it is not so.
    const wrong = z.toJSONSchema(
      z.object({ at: z.number(), updatedAt: z.int().optional(), lastRead: z.record(z.string(), z.number()) }),
    );
    expect(numericTimes(wrong, '')).toHaveLength(3);
  });

  it('[answer-formats] give every time the format date-time', () => {
    const times = Object.values(openApiDocuments)
      .flatMap(({ components }) => [...propertiesIn(components, '')])
      .filter(({ name, place }) => /^at$|[a-z]At$/.test(name) && !inMilliseconds.test(place));
    const formats = ({ schema }: Found): string => JSON.stringify(schema);
    expect(times.length).toBeGreaterThan(50);
    expect(
      times
        .filter((one) => !formats(one).includes('"format":"date-time"'))
        .map(({ place, name }) => `${place}/${name}`)
        .filter((name) => !/matchAt$|\/BrowserSession\/signInAt$/.test(name)),
    ).toEqual([]);
  });

  it('[answer-formats] have every enum value in kebab case', () => {
    const all = Object.entries(documents).flatMap(([name, document]) => [...valuesIn(document, name)]);
    expect(all.filter(({ value }) => typeof value === 'string').length).toBeGreaterThan(300);
    expect(Object.entries(documents).flatMap(([name, document]) => otherCase(document, name))).toEqual([]);
    expect(otherCase(z.toJSONSchema(z.enum(['a_b', 'aB', 'a b', 'a-b'])), '')).toHaveLength(3);
  });

  it('convert nothing in answers that routes serialise themselves', () => {
    const own = [...browserRoutes, ...openSignInRoutes, ...viewerRoutes, ...webhookRoutes];
    expect(own.filter(({ answers }) => encodingOf(answers) !== undefined)).toEqual([]);
  });
});

it('[answer-formats] a number that is a time in milliseconds is reported in any answer', () => {
  expect(timesInMilliseconds('{"items":[{"at":1763352306007,"bytes":5}]}')).toEqual(['1763352306007']);
  expect(timesInMilliseconds('{"at":"2026-11-17T04:05:06.007Z","text":"at 1763352306007 it"}')).toEqual([]);
});
