import { type ComponentChildren, h, type VNode } from 'preact';
import { escapeHidden } from './escape-hidden.ts';

/**
 * Renders Markdown of notes, which are untrusted. It creates only a few kinds of elements and text nodes, never HTML
 * from the text. The only attribute that the text controls is the address of a link, which must be HTTP or HTTPS.
 * Every pattern matches within one line, in linear time.
 */
export function renderMarkdown(text: string): VNode[] {
  const lines = escapeHidden(text).split('\n');
  const blocks: VNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = readBlock(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

const fence = /^ {0,3}(```+|~~~+)/;
const heading = /^(#{1,6})\s+(.*)$/;
const item = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/;
const ordered = /^\s*\d/;
const quote = /^\s*>\s?/;
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;

function readBlock(lines: string[], at: number): [VNode | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  const opening = fence.exec(line)?.[1];
  if (opening !== undefined) return readFence(lines, at + 1, opening);
  const title = heading.exec(line);
  if (title !== null) {
    // Levels 1 and 2 are used by the page itself.
    const level = Math.min(6, (title[1] as string).length + 2);
    return [h(`h${level}`, null, inline(title[2] as string)), at + 1];
  }
  if (rule.test(line)) return [h('hr', null), at + 1];
  if (quote.test(line)) {
    const end = endOf(lines, at, (one) => quote.test(one));
    return [h('blockquote', null, breaks(lines.slice(at, end).map((one) => one.replace(quote, '')))), end];
  }
  if (item.test(line)) {
    const end = endOf(lines, at, (one) => item.test(one) || (/^\s{2,}\S/.test(one) && !fence.test(one)));
    return [list(lines.slice(at, end)), end];
  }
  const end = endOf(
    lines,
    at,
    (one) => one.trim() !== '' && ![fence, heading, item, quote].some((mark) => mark.test(one)),
  );
  const last = Math.max(end, at + 1);
  return [h('p', null, breaks(lines.slice(at, last))), last];
}

function endOf(lines: string[], at: number, belongs: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end] as string)) end += 1;
  return end;
}

function readFence(lines: string[], at: number, opening: string): [VNode, number] {
  const end = endOf(lines, at, (one) => !one.trimStart().startsWith(opening));
  const code = h('code', null, lines.slice(at, end).join('\n'));
  // It can scroll, so it must be reachable with the keyboard.
  return [h('pre', { tabIndex: 0 } as object, code), end + 1];
}

function list(lines: string[]): VNode {
  const items: string[][] = [];
  for (const line of lines) {
    if (item.test(line)) items.push([line.replace(item, '')]);
    else items.at(-1)?.push(line.trim());
  }
  return h(
    ordered.test(lines[0] ?? '') ? 'ol' : 'ul',
    null,
    items.map((own) => h('li', null, breaks(own))),
  );
}

const breaks = (lines: string[]): ComponentChildren[] =>
  lines.flatMap((line, at) => (at === 0 ? inline(line) : [h('br', null), ...inline(line)]));

/** Code comes first, because other marks inside it have no meaning. */
const pieces =
  /(`{1,3})([^`]+)\1|\*\*([^*]+)\*\*|\[([^\]]{1,500})\]\(([^()\s]{1,2000})\)|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;
/** Longer lines are shown without inline formatting. */
const maxLineLength = 20_000;

function inline(text: string): ComponentChildren[] {
  if (text.length > maxLineLength) return [text];
  const out: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(pieces)) {
    const [whole, , code, bold, label, address, italic] = match;
    out.push(text.slice(from, match.index));
    from = match.index + whole.length;
    if (code !== undefined) out.push(h('code', null, code));
    else if (bold !== undefined) out.push(h('strong', null, bold));
    else if (italic !== undefined) out.push(h('em', null, italic));
    else out.push(link(label ?? '', address ?? '', whole));
  }
  return [...out, text.slice(from)].filter((piece) => piece !== '');
}

/** Makes a link of an HTTP or HTTPS address, as parsed by the browser. Any other address stays text. */
function link(label: string, address: string, whole: string): ComponentChildren {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return whole;
  return h('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }, label);
}
