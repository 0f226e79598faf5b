import { z } from 'zod';
import type { RouteShape } from '../../src/api/route.ts';

/**
 * Throws if an answer does not fit the schema of its route, with undocumented fields too. The test servers call it for
 * every answer, so each test that sends a request checks its answer.
 */
export function checkAnswer({ method, path, answers }: RouteShape, body: string): void {
  const checked = answers.safeParse(JSON.parse(body));
  if (!checked.success)
    throw new Error(`${method} ${path} does not fit its schema: ${z.prettifyError(checked.error)}`);
}
