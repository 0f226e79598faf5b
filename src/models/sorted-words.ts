/** Words in the order of their UTF-16 units. Binary search needs no table, so they are usable as soon as they are read. */
export function createSortedWords(letters: string, lengths: Uint16Array) {
  const size = lengths.length;
  const starts = new Uint32Array(size + 1);
  for (let number = 0; number < size; number++)
    starts[number + 1] = (starts[number] as number) + (lengths[number] as number);
  const at = (number: number): string | undefined =>
    number < size ? letters.slice(starts[number], starts[number + 1]) : undefined;
  return {
    at,
    /** The number of the first word that is not before `word`. */
    firstFrom(word: string) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((at(middle) as string) < word) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
