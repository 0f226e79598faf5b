import { useState } from 'preact/hooks';
import { renderMarkdown } from './markdown.ts';
import { bytes } from './numbers.ts';
import { plainly } from './plainly.ts';

/** What is shown before somebody asks for more: a megabyte of text would stop the browser and help nobody. */
const firstLength = 12_000;
const mostLength = 400_000;

/** A note's text. It says for itself in which direction it reads. */
export function MemoryText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text.slice(0, mostLength) : text.slice(0, firstLength);
  const left = text.length - shown.length;
  return (
    <>
      <div class="memory-text" dir="auto">
        {renderMarkdown(shown)}
      </div>
      {left > 0 && !isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {bytes(left)} more
        </button>
      )}
      {left > 0 && isWhole && <p class="muted">{bytes(left)} more stand in the note’s file.</p>}
    </>
  );
}

/** One line of what somebody said, with the asked words marked. */
export function MemoryLine({ text, words = [] }: { text: string; words?: string[] }) {
  const plain = plainly(text.slice(0, 2_000)).replace(/^#+\s+/, '');
  const pattern = patternOf(words);
  return (
    <span class="memory-line" dir="auto">
      {plain
        .split(/`([^`]+)`/)
        .map((piece, at) => (at % 2 === 1 ? <code>{marked(piece, pattern)}</code> : marked(piece, pattern)))}
    </span>
  );
}

/** Marking these would only make a line restless. */
const common = new Set(
  'a an and are as at be by did do does for from how in is it of on or that the this to was we what when where which who why with'.split(
    ' ',
  ),
);

/** Words as they begin: `queue` is marked in `queues`, and not in `dequeue`. */
function patternOf(words: string[]): RegExp | undefined {
  const wanted = words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '').toLowerCase());
  const telling = wanted.filter((word) => word.length > 1 && !common.has(word));
  return telling.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(${telling.join('|')})`, 'giu');
}

const marked = (text: string, pattern: RegExp | undefined) =>
  pattern === undefined
    ? text
    : text.split(pattern).map((piece, at) => (at % 2 === 1 ? <mark>{piece}</mark> : piece));
