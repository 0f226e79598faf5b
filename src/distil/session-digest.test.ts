import { expect, it } from 'vitest';
import { digestsOf } from './session-digest.ts';

it("names an accepted plan as the agent's, not as what the person says", () => {
  const prompt = (event: string, text: string) => ({ event, text });
  const [digest] = digestsOf(
    {
      agentSession: 's',
      agent: 'claude-code',
      branch: 'main',
      turns: [
        { id: 't1', at: 1, prompt: prompt('e1', 'plan the cache'), acts: [] },
        { id: 't2', at: 2, prompt: { ...prompt('e2', '# Cache'), isPlan: true }, acts: [] },
      ],
    },
    (event) => event,
  );
  expect(digest).toBe(
    'e1 the person says\n| plan the cache\ne2 the person accepts this plan of the agent\n| # Cache',
  );
});
