/** At the end of a word where there is one near, so that no half of one is read as a word. */
export function truncateLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1);
  const end = line[limit - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(end > limit * 0.7 ? cut.slice(0, end) : cut).trimEnd()}…`.toWellFormed();
}
