import { Buffer } from 'node:buffer';
import { type QuestionAnswer, questionHeads } from '../pack/code-question.ts';
import { showHidden } from '../text/hidden-characters.ts';
import type { CodeResult } from '../wire/answers/code.ts';
import type { ToolAnswer } from './answer.ts';
import { codeAnswer, freshnessFields, maxTextBytes } from './code-answer.ts';

export function answerQuestion(found: QuestionAnswer, root: string): ToolAnswer {
  const results = fitLines(found.results);
  const next = found.nextOffset === undefined ? undefined : String(found.nextOffset);
  const lines = results.flatMap(({ path, start_line, end_line, reasons, lines: shown }) => [
    `${path}:${start_line}-${end_line}  (${reasons.join(', ')})`,
    ...shown.map((line, at) => `  ${start_line + at}: ${line}`),
  ]);
  const more = next === undefined ? [] : [`More with cursor "${next}".`];
  return codeAnswer([questionHeads[found.match], ...lines, ...more].join('\n'), {
    repo_root: root,
    mode: 'ask',
    match: found.match,
    ...freshnessFields(found.state),
    results,
    truncated: next !== undefined,
    ...(next === undefined ? {} : { next_cursor: next }),
  });
}

/** Keeps every result, but drops the lines of the last ones if the answer would be too large. */
function fitLines(results: readonly CodeResult[]) {
  let bytes = 1_500;
  return results.map(({ path, from, to, symbol, reasons, lines }) => {
    const about = {
      path,
      start_line: from,
      end_line: to,
      ...(symbol === undefined ? {} : { symbol }),
      reasons,
    };
    const shown = lines.map(showHidden);
    const [aboutBytes, linesBytes] = [about, shown].map(
      (part) => Buffer.byteLength(JSON.stringify(part)) + 60,
    ) as [number, number];
    bytes += aboutBytes;
    if (bytes + linesBytes > maxTextBytes) return { ...about, lines: [] };
    bytes += linesBytes;
    return { ...about, lines: shown };
  });
}
