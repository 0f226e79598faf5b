import type { lineReason } from '../why/render.ts';

type Rows = ReturnType<typeof lineReason>;

/**
 * Makes remembered text inert in Markdown: every character that can begin markup, a link or an HTML tag is escaped, so
 * that it is shown as it was written.
 */
export const escapeMarkdown = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}\s,;'"?%]/gu, escaped);

/** Markdown allows a backslash only before ASCII punctuation. */
const escaped = (character: string): string =>
  (character.codePointAt(0) as number) < 128 ? `\\${character}` : character;

/** Two spaces at the end of a line are a line break. */
export const markdownOf = (rows: Rows): string =>
  rows.map(({ label, words }) => `**${label}** ${escapeMarkdown(words)}`).join('  \n');

export const plainTextOf = (rows: Rows): string =>
  rows.map(({ label, words }) => `${label.padEnd(9)} ${words}`).join('\n');
