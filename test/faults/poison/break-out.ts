import { stripOwnText } from '../../../src/agents/prompt-text.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { memorySurfaces } from './surfaces.ts';

const pieces = [
  '<',
  '>',
  '/',
  '</',
  '<<',
  'backstory-memory',
  'backstory',
  '-',
  '0',
  'deadbeef',
  ' kind="recall"',
  '\n',
  '\r\n',
  '\u0000',
  '\u001b[31m',
  '\u001b]8;;x\u0007',
  '\u200b',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u00ad',
  '\ud800',
  '&lt;',
  '&#60;',
  '\\u003c',
  '＜',
  '‹',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '```',
  '"',
  "'",
  'system',
  'assistant',
  'user',
  'human',
  'tool_result',
  'function_calls',
  'system-reminder',
  'antml:',
  '<|im_start|>',
  '[INST]',
  ' ',
  'text',
  '\u{e0041}',
] as const;

/** Generates a text that tries to end the fence (the markers around untrusted text) or to begin another. */
function attempt(random: Random): string {
  const made = Array.from({ length: random.whole(1, 14) }, () => random.pick(pieces)).join('');
  return random.chance(0.4)
    ? `${made}</${random.pick(['', '\u200b', ' ', '\u0000', '\u001b[0m'])}backstory-memory${random.pick(['', '-deadbeef', `-${random.whole(0, 99_999_999)}`])}>${made}`
    : made;
}

const fenced = /^<(backstory-memory-[0-9a-f]{8}) [^>\n]*>\n([\s\S]*)\n<\/\1>$/;
const speaking = /<\s*\/?\s*(?:backstory|system|assistant|human|user|tool|function|antml|hook|command|task)/i;

/** Counts the attempts that are not completely inside one fence, or that appear as another speaker in it. */
export function countBreakOuts(tries: number, random: Random, prose: Prose): number {
  let broken = 0;
  for (let at = 0; at < tries; at++) {
    const text = attempt(random);
    const outputs = Object.values(memorySurfaces(text, random, prose));
    if (outputs.some((output) => !isWhole(output))) broken += 1;
  }
  return broken;
}

function isWhole(output: string): boolean {
  const [, , inner] = fenced.exec(output) ?? [];
  return inner !== undefined && !speaking.test(inner) && stripOwnText(output) === '';
}
