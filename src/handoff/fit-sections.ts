import { Buffer } from 'node:buffer';
import { estimateTokens } from '../text/tokens.ts';

export interface BriefSection {
  title: string;
  /** Lines of the section, most important first. If the brief is too long, the last lines are dropped first. */
  lines: string[];
  /**
   * If the brief is too long, the section keeps this many lines as long as another section has more than its own
   * minimum.
   */
  minLines: number;
}

interface Fitting {
  head: string[];
  /** Sections, most important first. If the brief is too long, the last sections are dropped first. */
  sections: BriefSection[];
  foot: string[];
  maxTokens: number;
  maxBytes: number;
}

/**
 * Fits sections into a budget. It first drops the last lines of sections that have more than their minimum, from the
 * longest section on. Then it drops the remaining lines, from the last section on. Head and foot always stay,
 * truncated if necessary.
 */
export function fitSections({ head, sections, foot, maxTokens, maxBytes }: Fitting): string {
  const kept = sections.map(({ title, lines, minLines }) => ({
    title,
    minLines,
    lines: lines.map(measured),
  }));
  const frame = sizeOf([...head, ...foot]);
  const titles = new Map(kept.map(({ title }) => [title, sizeOf(['', `## ${title}`])]));
  const total = (): Size =>
    kept
      .filter(({ lines }) => lines.length > 0)
      .flatMap(({ title, lines }) => [titles.get(title) as Size, ...lines.map(({ size }) => size)])
      .reduce(plus, frame);
  const fits = ({ tokens, bytes }: Size): boolean => tokens <= maxTokens && bytes <= maxBytes;
  const dropOne = (): boolean => {
    const aboveMinimum = kept.filter(({ lines, minLines }) => lines.length > minLines);
    const longest = aboveMinimum.reduce<(typeof kept)[number] | undefined>(
      (most, section) => (most === undefined || lengthOf(section) > lengthOf(most) ? section : most),
      undefined,
    );
    const from = longest ?? kept.findLast(({ lines }) => lines.length > 0);
    from?.lines.pop();
    return from !== undefined;
  };
  while (!fits(total()) && dropOne());
  const body = kept
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, lines }) => ['', `## ${title}`, ...lines.map(({ text }) => text)]);
  return body.length > 0 ? [...head, ...body, ...foot].join('\n') : fitFrame(head, foot, maxTokens, maxBytes);
}

interface Size {
  tokens: number;
  bytes: number;
}

const measured = (line: string) => ({ text: `- ${line}`, size: sizeOf([`- ${line}`]) });

/** Counts line by line and rounds each up, so that the real total never exceeds the sum. */
const sizeOf = (lines: string[]): Size =>
  lines
    .map((line) => ({ tokens: estimateTokens(`${line}\n`), bytes: Buffer.byteLength(line) + 1 }))
    .reduce(plus, { tokens: 0, bytes: 0 });

function plus(a: Size, b: Size): Size {
  return { tokens: a.tokens + b.tokens, bytes: a.bytes + b.bytes };
}

const lengthOf = ({ lines }: { lines: { size: Size }[] }): number =>
  lines.reduce((sum, { size }) => sum + size.tokens, 0);

/** Truncates the lines of the head until head and foot fit. Used if no section fits. */
function fitFrame(head: string[], foot: string[], maxTokens: number, maxBytes: number): string {
  for (let length = 1_000; length > 0; length = Math.floor(length * 0.8)) {
    // The first line opens the fence and must stay whole.
    const text = [...head.map((line, at) => (at === 0 ? line : cut(line, length))), ...foot].join('\n');
    if (estimateTokens(text) <= maxTokens && Buffer.byteLength(text) <= maxBytes) return text;
  }
  return [head[0], ...foot].join('\n');
}

const cut = (line: string, length: number): string =>
  line.length <= length ? line : `${line.slice(0, length)}…`.toWellFormed();
