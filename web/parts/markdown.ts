import MarkdownIt, { type Token } from 'markdown-it';
import { type ComponentChildren, h, type VNode } from 'preact';
import { escapeHidden } from './escape-hidden.ts';

/**
 * Renders Markdown of notes, which are untrusted. markdown-it parses it to tokens, with HTML switched off; this file
 * turns a fixed list of tokens into elements and text nodes, so no markup of the text reaches the page. The only
 * attribute that the text controls is the address of a link, which must be HTTP or HTTPS.
 */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Only what is written as an address becomes a link: `config.js` is a file name, not a site.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// An image would be a request to another machine. The page decides what a link may lead to, not the parser.
parser.disable('image');
parser.validateLink = () => true;

export const renderMarkdown = (text: string): VNode[] =>
  build(parser.parse(escapeHidden(text), {})).filter((node) => typeof node === 'object') as VNode[];

/** Of one level, because a text may begin with any, and a page may not skip one. Level 1 is the page's own. */
const heading = /^h[1-6]$/;
const elements = /^(?:p|ul|ol|li|blockquote|strong|em|s|table|thead|tbody|tr|th|td)$/;
/** It can scroll, so it must be reachable with the keyboard. */
const scrolls = { tabIndex: 0 } as object;

interface Open {
  token: Token | undefined;
  children: ComponentChildren[];
}

/** Makes elements of tokens, which open and close them in pairs. */
function build(tokens: Token[]): ComponentChildren[] {
  const open: Open[] = [{ token: undefined, children: [] }];
  const top = (): Open => open.at(-1) as Open;
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const closed = open.pop() as Open;
      top().children.push(...elementOf(closed));
    } else top().children.push(...leafOf(token));
  }
  return (open[0] as Open).children;
}

function elementOf({ token, children }: Open): ComponentChildren[] {
  if (token === undefined || token.hidden) return children;
  const { tag } = token;
  if (tag === 'a') return [link(String(token.attrGet('href') ?? ''), children)].flat();
  if (tag === 'table') return [h('div', { class: 'table-scroll', ...scrolls }, h('table', null, children))];
  if (heading.test(tag)) return [h('h2', null, children)];
  return elements.test(tag) ? [h(tag, null, children)] : children;
}

function leafOf({ type, content, children }: Token): ComponentChildren[] {
  switch (type) {
    case 'inline':
      return build(children ?? []);
    case 'code_inline':
      return [h('code', null, content)];
    case 'fence':
    case 'code_block':
      return [h('pre', scrolls, h('code', null, content.replace(/\n$/, '')))];
    case 'hardbreak':
    case 'softbreak':
      return [h('br', null)];
    case 'hr':
      return [h('hr', null)];
    default:
      return content === '' ? [] : [content];
  }
}

/** Makes a link of an HTTP or HTTPS address, as parsed by the browser. Any other link stays text. */
function link(address: string, children: ComponentChildren[]): ComponentChildren[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return children;
  return [h('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }, children)];
}
