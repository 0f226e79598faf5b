import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { installableAgents } from '../../src/agents/settings.ts';
import { setups } from '../../src/agents/setups.ts';
import { agentLetters, agentName, knownAgents } from './agents.ts';

it('Every agent that can be installed has its name, a mark of its own and a colour in the viewer', () => {
  expect(knownAgents).toEqual(installableAgents);
  expect(knownAgents.map(agentName)).toEqual(installableAgents.map((agent) => setups[agent].title));
  expect(new Set(knownAgents.map(agentLetters)).size).toBe(knownAgents.length);
  const style = readFileSync('web/style/parts.css', 'utf8');
  expect(knownAgents.filter((agent) => !style.includes(`[data-agent="${agent}"]`))).toEqual([]);
});
