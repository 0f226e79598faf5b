/** The agents with their names and marks, in the order of `backstory install`. */
const agents: Record<string, { name: string; letters: string }> = {
  'claude-code': { name: 'Claude Code', letters: 'CC' },
  codex: { name: 'Codex', letters: 'Cx' },
  opencode: { name: 'OpenCode', letters: 'Oc' },
  pi: { name: 'Pi', letters: 'Pi' },
  cursor: { name: 'Cursor', letters: 'Cu' },
  gemini: { name: 'Gemini CLI', letters: 'Ge' },
  qwen: { name: 'Qwen Code', letters: 'Qw' },
  kilo: { name: 'Kilo', letters: 'Ki' },
  droid: { name: 'Factory Droid', letters: 'Dr' },
  copilot: { name: 'GitHub Copilot CLI', letters: 'Co' },
  grok: { name: 'Grok Build', letters: 'Gr' },
  cline: { name: 'Cline', letters: 'Cl' },
  backstory: { name: 'Backstory', letters: 'B' },
};

export const agentName = (agent: string): string => agents[agent]?.name ?? agent;
export const agentLetters = (agent: string): string => agents[agent]?.letters ?? agent.slice(0, 2);
export const knownAgents = Object.keys(agents).filter((agent) => agent !== 'backstory');
