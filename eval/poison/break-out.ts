import { stripOwnText } from '../../src/agents/words.ts';
import type { Chunk } from '../../src/domain/chunk.ts';
import type { Note } from '../../src/domain/note.ts';
import { preludeText } from '../../src/memory/prelude-file.ts';
import { settledLines } from '../../src/memory/prelude-notes.ts';
import { renderOpened } from '../../src/memory/render-opened.ts';
import { renderForAgent, renderTimeline } from '../../src/recall/render.ts';
import { fence, randomBoundary } from '../../src/text/fence.ts';
import type { Prose } from '../prose.ts';
import type { Random } from '../random.ts';
import { sampleNote } from '../sample-note.ts';

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

/** A text made to end the fence it will stand in, or to begin another. */
function attempt(random: Random): string {
  const made = Array.from({ length: random.whole(1, 14) }, () => random.pick(pieces)).join('');
  return random.chance(0.4)
    ? `${made}</${random.pick(['', '\u200b', ' ', '\u0000', '\u001b[0m'])}backstory-memory${random.pick(['', '-deadbeef', `-${random.whole(0, 99_999_999)}`])}>${made}`
    : made;
}

const fenced = /^<(backstory-memory-[0-9a-f]{8}) [^>\n]*>\n([\s\S]*)\n<\/\1>$/;
const speaking = /<\s*\/?\s*(?:backstory|system|assistant|human|user|tool|function|antml|hook|command|task)/i;

/** How many of so many tries are not wholly inside one fence, or speak as somebody else in it. */
export function countBreakOuts(tries: number, random: Random, prose: Prose): number {
  let broken = 0;
  for (let at = 0; at < tries; at++) {
    const text = attempt(random);
    const outputs = render(text, random, prose);
    if (outputs.some((output) => !isWhole(output))) broken += 1;
  }
  return broken;
}

/** Through every surface that shows remembered text to an agent. */
function render(text: string, random: Random, prose: Prose): string[] {
  const note: Note = {
    ...sampleNote(random.whole(0, 999), prose, random),
    text: `x ${text}`,
    title: text,
    pinned: true,
  };
  const chunk: Chunk = {
    id: 'c'.repeat(32),
    project: 'p',
    source: 'note',
    sourceId: note.id,
    kind: 'decision',
    origin: 'file',
    trust: 0,
    agent: 'backstory',
    agentSession: '',
    turn: '',
    branch: '',
    at: 0,
    paths: [text],
    concepts: [text],
    pinned: false,
    text,
  };
  const hit = { id: chunk.id, chunk, preview: '', ranks: {}, score: 1, why: {} };
  const answer = {
    hits: [hit],
    match: 'good' as const,
    arms: { lexical: 'answered' as const, tail: 'unused' as const, dense: 'unused' as const },
    incomplete: false,
    truncated: false,
  };
  return [
    renderForAgent(answer, text, { now: 0, format: 'full' }),
    renderTimeline({ anchor: chunk, chunks: [chunk] }, 0),
    fence('kind="notes"', [renderOpened({ kind: 'note', note, path: '/x' }, 0)], randomBoundary()),
    preludeText(
      settledLines([note], () => ''),
      [],
      text,
    ),
  ];
}

function isWhole(output: string): boolean {
  const [, , inner] = fenced.exec(output) ?? [];
  return inner !== undefined && !speaking.test(inner) && stripOwnText(output) === '';
}
