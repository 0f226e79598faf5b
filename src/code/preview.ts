const maxPreview = 200;
const beforeMatch = 60;

/** The line, or of a long one what stands around the match; without control characters. */
export function previewOf(text: string, matchAt: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .trimEnd();
  const indent = plain.length - plain.trimStart().length;
  if (plain.length - indent <= maxPreview) return plain.slice(indent);
  const from = Math.max(indent, Math.min(matchAt - beforeMatch, plain.length - maxPreview));
  const cut = plain.slice(from, from + maxPreview - 2);
  return `${from > indent ? '…' : ''}${cut}…`.toWellFormed().slice(0, maxPreview);
}
