import { z } from 'zod';
import { serialise } from '../../../src/api/respond.ts';
import type { Chunk } from '../../../src/domain/chunk.ts';
import type { Note } from '../../../src/domain/note.ts';
import { runTool } from '../../../src/mcp/answer.ts';
import { codeAnswer, renderResults, toResults } from '../../../src/mcp/code-answer.ts';
import { preludeText } from '../../../src/memory/prelude/prelude-file.ts';
import { settledLines } from '../../../src/memory/prelude/prelude-notes.ts';
import { renderOpened } from '../../../src/memory/sessions/render-opened.ts';
import { hitRecord, renderForAgent, renderTimeline, shownChunk } from '../../../src/recall/render.ts';
import { fence, randomBoundary } from '../../../src/text/fence.ts';
import { jsonWithoutHidden } from '../../../src/text/hidden-characters.ts';
import { createTerminalText } from '../../../src/text/terminal-text.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';
import { sampleNote } from '../../harness/sample-note.ts';

const untrusted = (text: string, sourceId: string): Chunk => ({
  id: 'c'.repeat(32),
  project: 'p',
  source: 'note',
  sourceId,
  kind: 'decision',
  origin: 'file',
  trust: 0,
  agent: 'backstory',
  agentSession: '',
  turn: '',
  branch: text,
  at: 0,
  paths: [text],
  concepts: [text],
  pinned: false,
  text,
});

/**
 * Shows a remembered text on every surface that passes it to an agent. Each must enclose it in one fence (markers
 * around untrusted text).
 */
export function memorySurfaces(text: string, random: Random, prose: Prose): Record<string, string> {
  const note: Note = {
    ...sampleNote(random.whole(0, 999), prose, random),
    text: `x ${text}`,
    title: text,
    pinned: true,
    disputes: [{ by: text, at: '2026-01-01T00:00:00.000Z', correction: 'x' }],
  };
  const chunk = untrusted(text, note.id);
  const hit = { id: chunk.id, chunk, preview: '', ranks: {}, score: 1, why: {} };
  const answer = {
    hits: [hit],
    match: 'good' as const,
    arms: { lexical: 'answered' as const, tail: 'unused' as const, dense: 'unused' as const },
    incomplete: false,
    truncated: false,
  };
  return {
    recall: renderForAgent(answer, text, { now: 0, format: 'full' }),
    timeline: renderTimeline({ anchor: chunk, chunks: [chunk] }, 0),
    get_notes: fence(
      'kind="notes"',
      [
        renderOpened(
          {
            kind: 'note',
            note,
            path: '/x',
            earlier: [note],
            wouldReplace: [note],
            replacedBy: note,
            corrections: [{ ...note, id: 'x' }],
          },
          0,
        ),
      ],
      randomBoundary(),
    ),
    prelude: preludeText(settledLines([note], [note], { before: () => '' }), [], text),
  };
}

const memoryText = (value: unknown): string => serialise({}, value);

/** Shows the same text in the JSON that programs get. */
export function memoryJson(text: string): Record<string, string> {
  const chunk = untrusted(text, 'n'.repeat(32));
  const hit = { id: chunk.id, chunk, preview: '', ranks: {}, score: 1, why: {} };
  return {
    'HTTP recall': memoryText(hitRecord(hit)),
    'HTTP timeline': memoryText(shownChunk(chunk)),
    '--json recall': jsonWithoutHidden(hitRecord(hit), 2),
  };
}

const terminal = createTerminalText(true, 123_456_789);

/** A text as a line of code and as a file name. Surfaces show it with its hidden characters escaped. */
export async function codeSurfaces(text: string): Promise<Record<string, string>> {
  const found = {
    files: [{ path: text, hits: [{ line: 1, column: 1, text, matchAt: 0, isDefinition: false }] }],
  } as unknown as Parameters<typeof toResults>[0];
  const results = toResults(found);
  const { content, structuredContent } = await runTool(z.object({}), {}, async () =>
    codeAnswer(renderResults(results, 'found', undefined), { results, path: text }),
  );
  const { style } = terminal;
  const ourCodes = /\u001b\[\d+m/g;
  return {
    'MCP search, text': content.map((part) => part.text).join(''),
    'MCP search, structure': JSON.stringify(structuredContent),
    'HTTP code': serialise({ text: 'code' }, { path: text, text }),
    'search in a terminal': terminal
      .render(`${style.bold(text)}\n${style.good('     1')}  ${text}`)
      .replaceAll(ourCodes, ''),
    'files in a terminal': terminal.render(`${text}\n${style.dim('1 file')}`).replaceAll(ourCodes, ''),
    'search --json': jsonWithoutHidden({ path: text, text }, 2),
  };
}
