import { Buffer } from 'node:buffer';
import { estimateTokens } from '../text/tokens.ts';

export interface BriefSection {
  title: string;
  /** Best first; the last ones go first. */
  lines: string[];
  /** So many are kept while another section has more than its share. */
  keeps: number;
}

interface Fitting {
  head: string[];
  /** Most important first; the last one goes first. */
  sections: BriefSection[];
  foot: string[];
  maxTokens: number;
  maxBytes: number;
}

/**
 * As much of it as fits. First the sections that have more than their share give up their last lines, the
 * longest first; then whole sections go, from the end. Head and foot always stay, if need be cut short.
 */
export function fitSections({ head, sections, foot, maxTokens, maxBytes }: Fitting): string {
  const kept = sections.map(({ title, lines, keeps }) => ({ title, keeps, lines: lines.map(measured) }));
  const frame = sizeOf([...head, ...foot]);
  const titles = new Map(kept.map(({ title }) => [title, sizeOf(['', `## ${title}`])]));
  const total = (): Size =>
    kept
      .filter(({ lines }) => lines.length > 0)
      .flatMap(({ title, lines }) => [titles.get(title) as Size, ...lines.map(({ size }) => size)])
      .reduce(plus, frame);
  const fits = ({ tokens, bytes }: Size): boolean => tokens <= maxTokens && bytes <= maxBytes;
  const dropOne = (): boolean => {
    const rich = kept.filter(({ lines, keeps }) => lines.length > keeps);
    const longest = rich.reduce<(typeof kept)[number] | undefined>(
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
  return body.length > 0 ? [...head, ...body, ...foot].join('\n') : framed(head, foot, maxTokens, maxBytes);
}

interface Size {
  tokens: number;
  bytes: number;
}

const measured = (line: string) => ({ text: `- ${line}`, size: sizeOf([`- ${line}`]) });

/** Counted by line, and each rounded up, so that the whole is never more than the sum. */
const sizeOf = (lines: string[]): Size =>
  lines
    .map((line) => ({ tokens: estimateTokens(`${line}\n`), bytes: Buffer.byteLength(line) + 1 }))
    .reduce(plus, { tokens: 0, bytes: 0 });

function plus(a: Size, b: Size): Size {
  return { tokens: a.tokens + b.tokens, bytes: a.bytes + b.bytes };
}

const lengthOf = ({ lines }: { lines: { size: Size }[] }): number =>
  lines.reduce((sum, { size }) => sum + size.tokens, 0);

/** Nothing but the frame is left, and even that may be too long: the goal gives way. */
function framed(head: string[], foot: string[], maxTokens: number, maxBytes: number): string {
  for (let length = 1_000; length > 0; length = Math.floor(length * 0.8)) {
    // The first line opens a fence, which must stay whole.
    const text = [...head.map((line, at) => (at === 0 ? line : cut(line, length))), ...foot].join('\n');
    if (estimateTokens(text) <= maxTokens && Buffer.byteLength(text) <= maxBytes) return text;
  }
  return [head[0], ...foot].join('\n');
}

const cut = (line: string, length: number): string =>
  line.length <= length ? line : `${line.slice(0, length)}…`.toWellFormed();
