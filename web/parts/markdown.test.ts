import fc from 'fast-check';
import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { renderMarkdown } from './markdown.ts';

interface Seen {
  tags: string[];
  attributes: string[];
  links: string[];
  text: string;
}

/** Collects everything that would be on the page. */
function look(
  nodes: ComponentChildren,
  seen: Seen = { tags: [], attributes: [], links: [], text: '' },
): Seen {
  for (const node of [nodes].flat(9)) {
    if (isValidElement(node)) {
      const { type, props } = node as VNode<{ children?: ComponentChildren; href?: string }>;
      seen.tags.push(String(type));
      seen.attributes.push(...Object.keys(props).filter((name) => name !== 'children'));
      if (props.href !== undefined) seen.links.push(props.href);
      look(props.children, seen);
    } else if (typeof node === 'string') seen.text += node;
  }
  return seen;
}

const render = (text: string): Seen => look(renderMarkdown(text));
const allowed = /^(?:p|br|h2|hr|ul|ol|li|pre|code|blockquote|strong|em|s|a|div|table|thead|tbody|tr|th|td)$/;

describe('Markdown of a note', () => {
  it('shows headings, lists, code, quotes, emphasis and links', () => {
    const { tags, links, text } = render(
      '# Title\n\nWe use `pnpm` **always**, *really*.\n\n- one\n- two\n\n1. first\n\n> said\n\n```ts\nconst a = 1;\n```\n\n[docs](https://example.org/a)',
    );
    expect(new Set(tags)).toEqual(
      new Set(['h2', 'p', 'code', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote', 'pre', 'a']),
    );
    expect(links).toEqual(['https://example.org/a']);
    expect(text).toContain('const a = 1;');
  });

  it('shows tables, bare addresses as links, and file names as text', () => {
    const { tags, links, text } = render(
      '| a | b |\n|---|---|\n| 1 | `2` |\n\nSee https://example.org/x, not config.js or a@b.org.',
    );
    expect(tags).toEqual(expect.arrayContaining(['table', 'thead', 'tbody', 'tr', 'th', 'td', 'code']));
    expect(links).toEqual(['https://example.org/x']);
    expect(text).toContain('config.js or a@b.org.');
  });

  it('[viewer-text] loads no image', () => {
    expect(render('![x](https://example.org/x.png)').tags).not.toContain('img');
  });

  it('[viewer-text] shows HTML markup as text', () => {
    const { tags, text } = render('<script>alert(1)</script> <img src=x onerror=alert(1)>');
    expect(tags).toEqual(['p']);
    expect(text).toBe('<script>alert(1)</script> <img src=x onerror=alert(1)>');
  });

  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.org',
    'java\tscript:x',
  ])
    it(`makes no link to ${JSON.stringify(address)}`, () => {
      expect(render(`[here](${address})`).links).toEqual([]);
    });

  it('shows control and bidirectional characters by their code point', () => {
    expect(render('a\u202eb\u2066c\u0007').text).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+0007⟩');
    expect(render('קובץ\u200f הגדרות').text).toBe('קובץ\u200f הגדרות');
  });

  it('[viewer-text] produces only allowed elements and attributes from any input', () => {
    const piece = fc.constantFrom(
      '<script>',
      '</a>',
      '[',
      '](',
      ')',
      'javascript:',
      'https://a.b/',
      '`',
      '```\n',
      '*',
      '**',
      '\n',
      '- ',
      '> ',
      '# ',
      '|',
      '|---|---|\n',
      '![',
      '<https://a.b>',
      '&#106;',
      '"',
      "'",
      ' onload=x ',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 60 }),
        (pieces) => {
          const { tags, attributes, links } = render(pieces.join(''));
          expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
          expect(
            attributes.filter((name) => !['href', 'target', 'rel', 'tabIndex', 'class'].includes(name)),
          ).toEqual([]);
          expect(links.filter((link) => !/^https?:\/\//.test(link))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes time in proportion to the length of the text', () => {
    const cost = (length: number): number => {
      const started = process.cpuUsage();
      for (const mark of ['[', '*', '`', '**a', '> ', '- ', '[a](', '# ', '_', '~~~'])
        render(mark.repeat(length / mark.length));
      return process.cpuUsage(started).user;
    };
    // The better of two, because the first one also compiles.
    const best = (length: number): number => Math.min(cost(length), cost(length));
    expect(best(12_000) / best(3_000)).toBeLessThan(10);
  });
});
