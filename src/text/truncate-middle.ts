/** Keeps the beginning and the end of a text that is too long; they are usually more informative than the middle. */
export function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.ceil((maxLength - 3) * 0.6);
  const tail = maxLength - 3 - head;
  return `${text.slice(0, head)}\n…\n${text.slice(-tail)}`.toWellFormed();
}
