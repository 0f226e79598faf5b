/** Cuts at the end of a word, if one ends in the last 30 %, so that half a word is not read as a word. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const end = line[limit - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(end > limit * 0.7 ? cut.slice(0, end) : cut).trimEnd()}…`.toWellFormed();
}
