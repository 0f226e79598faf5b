import { z } from 'zod';
import { quickLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { whyChange } from '../why/change.ts';
import { renderWhyForAgent } from '../why/render.ts';
import { renderChangeForAgent } from '../why/render-change.ts';
import { resolveSubject } from '../why/target.ts';
import { whyShape } from '../wire/code.ts';
import { addTextTool, alwaysLoad, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';

const schema = z.object({
  target: whyShape.target.describe('FILE, FILE:LINE, FILE:FROM-TO, symbol, commit or A..B'),
});

const tool = {
  name: 'why',
  description: 'Who wrote code, for what, what failed. Call before changing it.',
  schema,
  _meta: alwaysLoad,
};

export function registerWhy(server: ToolServer, parts: McpParts): void {
  addTextTool(server, tool, async ({ target }) => {
    const { root, code } = parts;
    const query = await resolveSubject(target.trim(), { root, cwd: root, code, mayBeIgnored: false });
    const now = parts.clock.now();
    if ('base' in query) {
      const change = await whyChange({ parts: parts.project, root }, query, { now, limits: quickLimits });
      return { text: renderChangeForAgent(change, now), record: change };
    }
    const answer = await whyWithTeam({ parts: parts.project, root }, query, {
      now,
      limits: quickLimits,
      code: parts.checkedCode,
    });
    return { text: renderWhyForAgent(answer, now), record: answer };
  });
}
