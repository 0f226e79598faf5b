import { Buffer } from 'node:buffer';
import { estimateTokens } from '../text/tokens.ts';

export interface BriefSection {
  title: string;
  /** Lines of the section, most important first. If the brief is too long, the last lines are dropped first. */
  lines: string[];
  /** How many lines the section keeps as long as another has more than its own minimum. */
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
    heading: ['', `## ${title}`].map(measured),
    minLines,
    lines: lines.map((line) => measured(`- ${line}`)),
  }));
  const [top, bottom] = [head.map(measured), foot.map(measured)];
  const whole = (): Line[] => [
    ...top,
    ...kept.flatMap(({ heading, lines }) => (lines.length === 0 ? [] : [...heading, ...lines])),
    ...bottom,
  ];
  const fits = (lines: Line[]): boolean =>
    sum(lines, 'tokens') <= maxTokens && sum(lines, 'bytes') <= maxBytes;
  const dropOne = (): boolean => {
    const [longest] = kept
      .filter(({ lines, minLines }) => lines.length > minLines)
      .sort((a, b) => sum(b.lines, 'tokens') - sum(a.lines, 'tokens'));
    const from = longest ?? kept.findLast(({ lines }) => lines.length > 0);
    return from?.lines.pop() !== undefined;
  };
  while (!fits(whole()) && dropOne());
  return kept.some(({ lines }) => lines.length > 0)
    ? whole()
        .map(({ text }) => text)
        .join('\n')
    : fitFrame(head, foot, maxTokens, maxBytes);
}

type Line = ReturnType<typeof measured>;

/** Counts a line by itself and rounds up, so that the real total never exceeds the sum. */
const measured = (text: string) => ({
  text,
  tokens: estimateTokens(`${text}\n`),
  bytes: Buffer.byteLength(text) + 1,
});

const sum = (lines: Line[], of: 'tokens' | 'bytes'): number =>
  lines.reduce((total, line) => total + line[of], 0);

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
