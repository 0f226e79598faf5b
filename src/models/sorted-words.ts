/** In the order of their UTF-16 units. Binary search needs no table, so they are usable as soon as they are read. */
export function createSortedWords(letters: Uint16Array, lengths: Uint16Array) {
  const size = lengths.length;
  const starts = new Uint32Array(size + 1);
  for (let number = 0; number < size; number++)
    starts[number + 1] = (starts[number] as number) + (lengths[number] as number);
  const startOf = (number: number): number => starts[number] as number;

  /** Less than 0 if the listed word is before `word`, 0 if it is the same. */
  const compare = (number: number, word: string): number => {
    const start = startOf(number);
    const length = startOf(number + 1) - start;
    const common = Math.min(length, word.length);
    for (let at = 0; at < common; at++) {
      const difference = (letters[start + at] as number) - word.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length - word.length;
  };

  return {
    at: (number: number) =>
      number < size
        ? String.fromCharCode(...letters.subarray(startOf(number), startOf(number + 1)))
        : undefined,
    /** The number of the first word that is not before `word`. */
    firstFrom(word: string) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (compare(middle, word) < 0) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}
