/** Removes Markdown syntax before text is embedded. Code and addresses stay, because people search for them. */
export function plainMarkdown(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/<!--[\s\S]{0,1000}?-->/g, ' ')
    .replace(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+/gm, '')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, '')
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, '')
    .replace(/^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$/gm, '')
    .replace(/!?\[([^\]\n]{0,300})\]\(([^()\s]{0,500})(?:[ \t]+"[^"\n]{0,300}")?\)/g, '$1 $2')
    .replace(/(\*{1,3}|~~)(?=\S)([^\n]{0,300}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_\n]{1,300})\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/`+/g, '')
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
