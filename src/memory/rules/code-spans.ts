export interface Context {
  /** Texts in backquotes or quotation marks, by the character that stands for them. */
  spans: Map<string, string>;
  text: string;
}

const firstSpan = 0xe100;

export const spanMark = /[\uE100-\uE1FF]/;

/** Replaces code spans by single characters, so that their content is not read as prose. */
export function withSpans(text: string): { plain: string; spans: Map<string, string> } {
  const spans = new Map<string, string>();
  const plain = text
    .replace(/[\uE100-\uE1FF]/g, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(
      /`([^`\n]+)`|"([^"\n]{1,60})"|(?<=^|[\s(])'([^'\n]{1,40})'(?=[\s,.;:)]|$)/g,
      (_all, code, double, single) => {
        const mark = String.fromCharCode(firstSpan + spans.size);
        spans.set(mark, String(code ?? double ?? single).trim());
        return spans.size > 250 ? '' : mark;
      },
    )
    .replace(/[ \t]+/g, ' ');
  return { plain, spans };
}

export const expand = (words: string, spans: Map<string, string>): string =>
  words.replace(/[\uE100-\uE1FF]/g, (mark) => spans.get(mark) ?? '').trim();
