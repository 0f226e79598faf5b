const newline = 0x0a;
const mark = 0x23;
const marks = 2;
const hashStart = 0x811c9dc5;

const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
const markedStart = mix(mix(hashStart, mark), mark);
/** Mixes in high bits; the low bits alone would give many short words the same slot. */
const slotOf = (hash: number, slots: number): number => (hash ^ (hash >>> 15)) & (slots - 1);

/** Where each entry starts, and in each slot the number of an entry plus one; 0 is an empty slot. */
export interface WordTable {
  starts: Uint32Array;
  table: Uint16Array;
}

export function slotsFor(size: number): number {
  let slots = 16;
  while (slots < size * 2) slots *= 2;
  return slots;
}

export function hashWords(lines: Uint8Array, size: number): WordTable {
  const starts = new Uint32Array(size + 1);
  const slots = slotsFor(size);
  const table = new Uint16Array(slots);
  let at = 0;
  for (let entry = 0; entry < size; entry++) {
    starts[entry] = at;
    let hash = hashStart;
    for (; lines[at] !== newline; at++) hash = mix(hash, lines[at] as number);
    at++;
    let slot = slotOf(hash, slots);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = entry + 1;
  }
  starts[size] = at;
  return { starts, table };
}

/**
 * A hash table from words to entries of the model, of which there are less than 65,536. A Map of strings would do the
 * same, but filling it takes longer than reading the whole model, and a process that answers one query would pay for
 * that every time. `lines` contains one ASCII entry per line, each terminated by a newline.
 */
export function createVocabulary(
  lines: Uint8Array,
  size: number,
  { starts, table }: WordTable = hashWords(lines, size),
) {
  const slots = table.length;
  const isEntry = (entry: number, word: string, start: number, end: number): boolean => {
    const skipped = start === 0 ? 0 : marks;
    const from = starts[entry] as number;
    if ((starts[entry + 1] as number) - 1 - from - skipped !== end - start) return false;
    if (skipped > 0 && !(lines[from] === mark && lines[from + 1] === mark)) return false;
    for (let place = start; place < end; place++)
      if (lines[from + skipped + place - start] !== word.charCodeAt(place)) return false;
    return true;
  };

  return {
    size,
    /** The number of the entry for the characters from `start` to `end`. If `start` is not 0, only `##` entries match. */
    find(word: string, start: number, end: number) {
      let hash = start === 0 ? hashStart : markedStart;
      for (let place = start; place < end; place++) hash = mix(hash, word.charCodeAt(place));
      for (let slot = slotOf(hash, slots); ; slot = (slot + 1) & (slots - 1)) {
        const entry = (table[slot] as number) - 1;
        if (entry === -1) return undefined;
        if (isEntry(entry, word, start, end)) return entry;
      }
    },
  };
}

export type Vocabulary = ReturnType<typeof createVocabulary>;
