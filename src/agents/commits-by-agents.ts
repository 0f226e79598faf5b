/**
 * Names of agents that mark the commits they make. If a person with such a name is taken for an agent, their commit
 * messages are only left out of the context for new sessions. If a mark is missed, an agent's sentence is presented
 * there as the user's.
 */
const names =
  'claude|anthropic|codex|openai|chatgpt|copilot|cursor|gemini|opencode|qwen|cline|droid|factory|kilo|grok|goose|amp|auggie|augment|aider|devin|jules|windsurf|openhands|crush|junie|kiro|roo|antigravity|pi-coding-agent|pi agent';

const marks: RegExp[] = [
  // Co-Authored-By: Claude <noreply@anthropic.com>, Assisted-by: Codex, Generated-with: opencode.
  new RegExp(
    `^[\\w-]*(?:authored|assisted|generated|created|written)-(?:by|with):.*(?:\\b(?:${names})\\b|\\[bot\\])`,
    'im',
  ),
  /^[\w-]*authored-by:\s*(?:pi|amp|agent|ai)\b/im,
  // Claude-Session: https://…, Amp-Thread-ID: T-…, Codex-Task: ….
  new RegExp(`^(?:${names})-[\\w-]*:`, 'im'),
  new RegExp(
    `(?:generated|created|written|made|authored|committed) (?:with|by|using|via) (?:\\[|the )?(?:${names})\\b`,
    'i',
  ),
  /🤖/u,
  /\bnoreply@anthropic\.com\b|\b(?:codex|noreply)@openai\.com\b|\bcursoragent@cursor\.com\b|\bcopilot@(?:users\.noreply\.)?github\.com\b|\baider@aider\.chat\b/i,
];

/** Some agents put their name into the author's: `Ada (aider)`, `devin-ai[bot]`. */
const authorMark = new RegExp(`\\((?:${names})\\)|\\[bot\\]|^(?:${names})$`, 'i');

export const isMarkedByAgent = (message: string, author: string): boolean =>
  marks.some((mark) => mark.test(message)) || authorMark.test(author.trim());
