import { describe, expect, it } from 'vitest';
import { lifecycleShape } from '../sources/lifecycle.ts';
import { teamRoutes } from './routes.ts';

/** Metadata whose JSON text has this many characters. */
const metadataOf = (length: number) => ({ padding: 'x'.repeat(length - '{"padding":""}'.length) });

const id = '0'.repeat(32);
const change = { event: 'issue:created', sourceRef: 'a', updatedAt: '2026-11-01T00:00:00Z', title: 'Much' };
const memory = { source: 'job', sourceRef: 'a', text: 'Much about little.' };
const paramsOf = (name: string) => teamRoutes.find((route) => route.name === name)?.params;

describe('[team-limits] Metadata', () => {
  it.each([
    ['a note', paramsOf('saveMemory'), (metadata: object) => ({ id, text: 'x', metadata })],
    [
      'a batch',
      paramsOf('saveMemories'),
      (metadata: object) => ({ id, memories: [memory, { ...memory, metadata }] }),
    ],
    ['a change', paramsOf('reportChange'), (metadata: object) => ({ id, ...change, metadata })],
    ['a delivery to a webhook', lifecycleShape, (metadata: object) => ({ ...change, metadata })],
  ])('of %s is limited to 64,000 characters of JSON and to names of 200', (_of, params, inputWith) => {
    const isAccepted = (metadata: object) => params?.safeParse(inputWith(metadata)).success;
    expect(isAccepted(metadataOf(64_000))).toBe(true);
    expect(isAccepted(metadataOf(64_001))).toBe(false);
    expect(isAccepted({ ['n'.repeat(200)]: 1 })).toBe(true);
    expect(isAccepted({ ['n'.repeat(201)]: 1 })).toBe(false);
  });
});
