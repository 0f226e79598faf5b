import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FilePage } from '../../src/wire/answers/file-page.ts';
import { isHeld } from '../step.ts';

type Text = Pick<FilePage, 'lines' | 'tokens' | 'tokenClasses'>;

export interface LineSpan {
  from: number;
  to: number;
}

/** Lines that are drawn and coloured together. */
const segmentLines = 40;
/** Lines that are coloured at once, because they are on the screen when the page opens. */
const firstLines = 60;

interface CodeProps {
  text: Text;
  span: LineSpan;
  target?: LineSpan | undefined;
  /** Lines that are known to be near the screen. */
  near?: LineSpan | undefined;
}

/** Draws lines of a file. Segments far from the screen are plain text, so that a long file opens at once. */
export function CodeLines({ text, span, target, near }: CodeProps) {
  const segments: LineSpan[] = [];
  for (let from = span.from; from <= span.to; from += segmentLines)
    segments.push({ from, to: Math.min(span.to, from + segmentLines - 1) });
  return (
    <>
      {segments.map((segment) => (
        <Segment
          key={segment.from}
          text={text}
          span={segment}
          target={overlap(target, segment)}
          near={overlap(near, segment)}
        />
      ))}
    </>
  );
}

export const overlap = (target: LineSpan | undefined, { from, to }: LineSpan): LineSpan | undefined =>
  target !== undefined && target.from <= to && target.to >= from ? target : undefined;

function Segment({ text, span: { from, to }, target, near }: CodeProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(from <= firstLines || target !== undefined || near !== undefined);
  useEffect(
    () => (isNear || place.current === null ? undefined : whenNear(place.current, () => setNear(true))),
    [],
  );
  const style = { '--lines': to - from + 1 } as never;
  // Far from the screen one text is enough: it is not laid out, but the browser finds words in it.
  if (!isNear && target === undefined)
    return (
      <div class="segment far" ref={place} style={style}>
        {text.lines.slice(from - 1, to).join('\n')}
      </div>
    );
  const lines = [];
  for (let line = from; line <= to; line++)
    lines.push(
      <div
        key={line}
        class="line"
        data-line={line}
        data-target={(target !== undefined && line >= target.from && line <= target.to) || undefined}
      >
        {coloured(text, line - 1)}
        {'\n'}
      </div>,
    );
  return (
    <div class="segment" ref={place} style={style}>
      {lines}
    </div>
  );
}

/** The text of a line, with an element for each coloured token. */
function coloured({ lines, tokens, tokenClasses }: Text, at: number) {
  const line = lines[at] ?? '';
  const flat = tokens[at] ?? [];
  const parts: preact.ComponentChildren[] = [];
  let end = 0;
  for (let each = 0; each + 2 < flat.length; each += 3) {
    const column = flat[each] as number;
    const next = column + (flat[each + 1] as number);
    if (column > end) parts.push(line.slice(end, column));
    parts.push(
      <span key={column} class={`t-${tokenClasses[flat[each + 2] as number]}`}>
        {line.slice(column, next)}
      </span>,
    );
    end = next;
  }
  if (end < line.length) parts.push(line.slice(end));
  return parts;
}

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls back once when an element comes near the screen. One observer serves all segments. */
function whenNear(element: Element, callback: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        waiting.get(target)?.();
        forget(target);
      }
    },
    { rootMargin: '900px 0px' },
  );
  waiting.set(element, callback);
  observer.observe(element);
  return () => forget(element);
}

function forget(element: Element): void {
  waiting.delete(element);
  observer?.unobserve(element);
}

/** How many lines below the first one on the screen are drawn at once when the blocks change. */
const nearLines = 80;

/**
 * Keeps the code on the screen where it is when `blocks` change: each block has a border, and on a narrow screen a
 * margin above it. Returns the lines that must be drawn for that.
 */
export function useSteadyLines(list: RefObject<HTMLElement | null>, blocks: unknown): LineSpan | undefined {
  // Read while the old blocks are still shown.
  const first = useMemo(() => firstLine(list.current), [blocks]);
  useLayoutEffect(() => {
    if (first === undefined) return;
    const steady = (): void => {
      const line = list.current?.querySelector(`[data-line="${first.line}"]`);
      if (line) scrollBy(0, line.getBoundingClientRect().top - first.top);
    };
    steady();
    // Segments that come near the screen by this get their true height only with the next frame.
    requestAnimationFrame(() => requestAnimationFrame(steady));
  }, [blocks]);
  return first && { from: first.line, to: first.line + nearLines };
}

/** The first line on the screen and its place; none if the reader has not scrolled down to it. */
function firstLine(list: HTMLElement | null): { line: number; top: number } | undefined {
  if (isHeld() || list === null || list.getBoundingClientRect().top >= 0) return undefined;
  for (const line of list.querySelectorAll<HTMLElement>('.line')) {
    const { top, bottom } = line.getBoundingClientRect();
    if (bottom > 0) return { line: Number(line.dataset.line), top };
  }
  return undefined;
}
