import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { quickLimits } from '../recall/with-index.ts';
import { renderWhyForAgent } from '../why/render.ts';
import { resolveTarget } from '../why/target.ts';
import { why } from '../why/why.ts';
import { answering, listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';

const schema = z.object({
  target: z.string().min(1).max(4_000).describe('FILE, FILE:LINE, FILE:FROM-TO or a symbol'),
});

export function registerWhy(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'why',
    {
      title: 'Why',
      description:
        'Why code is as it is: who wrote it, for what, what was rejected or failed. Ask before changing it.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given) =>
      answering(schema, given, async ({ target }) => {
        const { root, code } = parts;
        const query = await resolveTarget(target.trim(), { root, cwd: root, code });
        const now = parts.clock.now();
        return renderWhyForAgent(
          await why({ ...parts.project, root }, query, {
            now,
            limits: quickLimits,
            code: parts.checkedCode,
          }),
          now,
        );
      }),
  );
}
