/** A section of a Markdown document. Only headings, paragraphs and list items are parsed. */
export interface Section {
  title: string;
  level: number;
  /** Paragraphs of the section, each joined into one line. */
  paragraphs: string[];
  items: string[];
}

const heading = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const underline = /^(=+|-{3,})\s*$/;
const item = /^\s{0,6}(?:[-*+]|\d{1,2}[.)])\s+(.+)$/;
const fence = /^\s*(?:```|~~~)/;
/** Matches lines that are not prose: badges, images, HTML, tables and link definitions. */
const notProse = /^(?:<|!\[|\[!\[|\||>?\s*\[!)|^\[[^\]]+\]:\s/;

export function sectionsOf(source: string): Section[] {
  const sections: Section[] = [{ title: '', level: 0, paragraphs: [], items: [] }];
  let paragraph: string[] = [];
  let inList = false;
  let inFence = false;
  let inComment = false;
  const current = (): Section => sections.at(-1) as Section;
  const end = () => {
    const text = plain(paragraph.join(' '));
    if (text !== '') (inList ? current().items : current().paragraphs).push(text);
    paragraph = [];
    inList = false;
  };
  const begin = (title: string, level: number) => {
    end();
    sections.push({ title: plain(title), level, paragraphs: [], items: [] });
  };
  for (const line of source.split('\n')) {
    if (fence.test(line)) {
      inFence = !inFence;
      end();
      continue;
    }
    if (inFence) continue;
    if (inComment || /^\s*<!--/.test(line)) {
      inComment = !line.includes('-->');
      continue;
    }
    const [, marks, title] = heading.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) begin(title, marks.length);
    else if (underline.test(line) && paragraph.length === 1 && !inList) {
      const [own = ''] = paragraph;
      paragraph = [];
      begin(own, line.startsWith('=') ? 1 : 2);
    } else if (item.test(line)) {
      end();
      inList = true;
      paragraph = [item.exec(line)?.[1] ?? ''];
    } else if (line.trim() === '' || notProse.test(line.trim())) end();
    else paragraph.push(line.trim());
  }
  end();
  return sections;
}

/** Removes Markdown formatting. A link becomes its text; code stays in backticks. */
export const plain = (text: string): string =>
  text
    // Code stays unchanged, because `<name>` in it is not HTML.
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : withoutMarks(part)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

const withoutMarks = (text: string): string =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/\[([^\]]+)\](?!\()/g, '$1')
    .replace(/<[^>]{1,200}>/g, '')
    .replace(/(?<!\w)(?:\*\*|__)(?=\S)|(?<=\S)(?:\*\*|__)(?!\w)/g, '');

/** Shortens a text to whole sentences that fit. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
  return end > limit / 3 ? cut.slice(0, end + 1) : `${cut.slice(0, limit - 1).trimEnd()}…`.toWellFormed();
}
