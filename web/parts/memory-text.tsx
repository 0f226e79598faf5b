import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { linkTo } from '../router.ts';
import { escapeHidden } from './escape-hidden.ts';
import { piecesOf } from './markdown-line.ts';
import { bytes } from './numbers.ts';

/** Number of characters shown at first; `maxLength` is shown at most. A megabyte of text would block the browser. */
const firstLength = 12_000;
const maxLength = 400_000;

/** The Markdown parser. It is loaded when the first text is shown, because the first view needs none. */
const markdown = signal<((text: string) => VNode[]) | undefined>(undefined);
const loadMarkdown = (): void => {
  import('./markdown.ts').then(
    ({ renderMarkdown }) => {
      markdown.value = renderMarkdown;
    },
    // Without it the text is shown as it is written. The next text tries again.
    () => {},
  );
};

/** Text from memory, rendered as Markdown. The browser detects its writing direction. */
export function MemoryText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  useEffect(loadMarkdown, []);
  const shown = isWhole ? text.slice(0, maxLength) : text.slice(0, firstLength);
  const left = text.length - shown.length;
  return (
    <>
      <div class="memory-text" dir="auto">
        {markdown.value === undefined ? (
          <p class="as-written">{escapeHidden(shown)}</p>
        ) : (
          markdown.value(shown)
        )}
      </div>
      {left > 0 && !isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {bytes(left)} more
        </button>
      )}
      {left > 0 && isWhole && <p class="muted">The note’s file has {bytes(left)} more.</p>}
    </>
  );
}

/** One line of text from memory, with the words of the query highlighted. */
export function MemoryLine({ text, words = [] }: { text: string; words?: string[] }) {
  const pattern = patternOf(words);
  return (
    <span class="memory-line" dir="auto">
      {piecesOf(escapeHidden(text.slice(0, 2_000))).map((piece, at) =>
        at % 2 === 1 ? <code>{marked(piece, pattern)}</code> : marked(piece, pattern),
      )}
    </span>
  );
}

/** One line of text from memory that leads to its note. */
export const NoteLink = ({ id, text }: { id: string; text: string }) => (
  <a href={linkTo('note', id)}>
    <MemoryLine text={text} />
  </a>
);

/** Words of a query that are not highlighted because they are too common. */
const common = new Set(
  'a an and are as at be by did do does for from how in is it of on or that the this to was we what when where which who why with'.split(
    ' ',
  ),
);

/** Matches at the start of words: `queue` matches in `queues` but not in `dequeue`. */
function patternOf(words: string[]): RegExp | undefined {
  const wanted = words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '').toLowerCase());
  const distinctive = wanted.filter((word) => word.length > 1 && !common.has(word));
  return distinctive.length === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}])(${distinctive.join('|')})`, 'giu');
}

const marked = (text: string, pattern: RegExp | undefined) =>
  pattern === undefined
    ? text
    : text.split(pattern).map((piece, at) => (at % 2 === 1 ? <mark>{piece}</mark> : piece));
