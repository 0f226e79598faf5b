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
  const plain = plainly(text.slice(0, 2_000));
  return (
    <span class="memory-line" dir="auto">
      {marked(plain, words)}
    </span>
  );
}

function marked(text: string, words: string[]) {
  const wanted = words.filter((word) => word.length > 1).map((word) => word.replace(/[^\p{L}\p{N}_]/gu, ''));
  const found = wanted.filter((word) => word !== '');
  if (found.length === 0) return text;
  const pattern = new RegExp(`(${found.join('|')})`, 'giu');
  return text.split(pattern).map((piece, at) => (at % 2 === 1 ? <mark>{piece}</mark> : piece));
}
