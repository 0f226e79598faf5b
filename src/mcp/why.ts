import { z } from 'zod';
import { quickLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { whyChange } from '../why/change.ts';
import { renderWhyForAgent } from '../why/render.ts';
import { renderChangeForAgent } from '../why/render-change.ts';
import { resolveSubject } from '../why/target.ts';
import { whyShape } from '../wire/code.ts';
import { alwaysLoad } from './answer.ts';
import { textTool } from './tool.ts';

export const why = textTool({
  name: 'why',
  description: 'Who wrote code, for what, what failed. Call before changing it.',
  schema: z.object({
    target: whyShape.target.describe('FILE, FILE:LINE, FILE:FROM-TO, symbol, commit or A..B'),
  }),
  _meta: alwaysLoad,
  async answer({ root, code, clock, project, checkedCode }, { target }) {
    const query = await resolveSubject(target.trim(), { root, cwd: root, code, mayBeIgnored: false });
    const now = clock.now();
    const asked = { parts: project, root };
    if ('base' in query) {
      const change = await whyChange(asked, query, { now, limits: quickLimits });
      return { text: renderChangeForAgent(change, now), record: change };
    }
    const answer = await whyWithTeam(asked, query, { now, limits: quickLimits, code: checkedCode });
    return { text: renderWhyForAgent(answer, now), record: answer };
  },
});
