import { z } from 'zod';
import type { RouteShape } from '../../src/http/route.ts';

/**
 * Throws if an answer does not fit the schema of its route, with undocumented fields too. The test servers call it for
 * every answer, so each test that sends a request checks its answer.
 */
export function checkAnswer({ method, path, answers }: RouteShape, body: string): void {
  const checked = answers.safeParse(JSON.parse(body));
  if (!checked.success)
    throw new Error(`${method} ${path} does not fit its schema: ${z.prettifyError(checked.error)}`);
  const times = path.startsWith('/api/v1/') ? timesInMilliseconds(body) : [];
  if (times.length > 0) throw new Error(`${method} ${path} has times in milliseconds: ${times.join(', ')}`);
}

/** Numbers in JSON that can only be times in milliseconds: from 2001 to 2128. */
export function timesInMilliseconds(json: string): string[] {
  const withoutStrings = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...withoutStrings.matchAll(/(?<![\d.])[1-4]\d{12}(?:\.\d+)?(?!\d)/g)].map(([number]) => number);
}
