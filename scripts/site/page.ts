import MarkdownIt, { type Token } from 'markdown-it';

export interface Page {
  title: string;
  /** The first sentences of the page, up to about 150 characters. */
  summary: string;
  html: string;
  /** Relative links and pictures, as they are written. */
  links: string[];
  /** One for each heading. The first contains also what is before it. */
  sections: { level: number; id: string; heading: string; text: string }[];
}

/** Where a page of the repository is on the site. Other files keep their paths. */
export const sitePath = (path: string): string =>
  path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

const parser = new MarkdownIt({ html: true });
export const { escapeHtml } = parser.utils;
// Code and tables may be wider than a phone. They scroll, so they must be reachable with the keyboard.
parser.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
parser.renderer.rules.table_close = () => '</table></div>';
parser.renderer.rules.fence = (tokens, at) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`;

export function readPage(source: string): Page {
  const tokens = parser.parse(source, {});
  const sections = sectionsOf(tokens);
  const links: string[] = [];
  const html = parser.renderer
    .render(tokens, parser.options, {})
    .replace(/(\s(?:href|src|srcset)=")(?![a-z]+:)([^"]+)/g, (_, start: string, link: string) => {
      links.push(link);
      const [file = '', ...anchor] = link.split('#');
      return start + [sitePath(file), ...anchor].join('#');
    });
  const first = tokens[tokens.findIndex(({ type }) => type === 'paragraph_open') + 1];
  const [summary = ''] = /^.{0,150}[.:](?= |$)/.exec(plainText(first)) ?? [];
  const title = sections[0]?.heading ?? '';
  return { title, summary: summary.replace(/:$/, '.'), html, links, sections };
}

/** Gives headings the ids that viewers of Markdown in a repository give them, and collects the text under each. */
function sectionsOf(tokens: Token[]): Page['sections'] {
  const sections: Page['sections'] = [];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const text = token.type === 'fence' ? token.content.replaceAll(/\s+/g, ' ') : plainText(token);
    const section = sections.at(-1);
    if (before?.type === 'heading_open') {
      const name = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}\-_ ]/gu, '');
      const slug = name.replaceAll(' ', '-');
      const repeats = sections.filter(({ id }) => id.replace(/-\d+$/, '') === slug).length;
      const id = repeats === 0 ? slug : `${slug}-${repeats}`;
      before.attrSet('id', id);
      sections.push({ level: Number(before.tag.slice(1)), id, heading: text, text: '' });
    } else if (section !== undefined && text !== '') section.text = `${section.text} ${text}`.trim();
  }
  return sections;
}

/** The text of an inline token without markup. */
const plainText = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('')
    .trim();
