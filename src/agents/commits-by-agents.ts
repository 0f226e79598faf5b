/**
 * Marks that agents leave in the commits they make. A message with one of them is taken for the agent's, also if a
 * person of the same name wrote it: a mistake here keeps a sentence out of the prelude, the other way round an
 * agent's sentence would be told as the user's.
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

/** Aider and others put themselves into the author's name: `Ada (aider)`, `devin-ai[bot]`. */
const authorMark = new RegExp(`\\((?:${names})\\)|\\[bot\\]|^(?:${names})$`, 'i');

export const isMarkedByAgent = (message: string, author: string): boolean =>
  marks.some((mark) => mark.test(message)) || authorMark.test(author.trim());
