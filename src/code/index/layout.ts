export interface SegmentCounts {
  files: number;
  blocks: number;
  grams: number;
  nameBytes: number;
}

export const bitmapMark = 0x8000_0000;
/** The first bytes of the file; they change with the format. */
export const magic = Buffer.from('BSTSEG02');

/**
 * The tables of a segment file, after its posting lists, in this order. They are read into memory when a segment is
 * opened; posting lists are read when a search needs them. The widest come first, so that all are aligned.
 */
const sections = ({ files, blocks, grams, nameBytes }: SegmentCounts) =>
  [
    // Size, times and inode of each file, to detect a change.
    ['size', Float64Array, files],
    ['mtimeMs', Float64Array, files],
    ['ctimeMs', Float64Array, files],
    ['inode', Float64Array, files],
    // All grams that occur, ascending.
    ['grams', Uint32Array, grams],
    ['listAt', Uint32Array, grams + 1],
    // Length of each posting list; the highest bit is set for a bitmap.
    ['listCount', Uint32Array, grams],
    ['blockFile', Uint32Array, blocks],
    ['blockOffset', Uint32Array, blocks],
    ['blockLine', Uint32Array, blocks],
    // Number of the first block of each file, plus one entry at the end.
    ['firstBlock', Uint32Array, files + 1],
    ['nameAt', Uint32Array, files + 1],
    // File numbers, sorted by the path of the file.
    ['byPath', Uint32Array, files],
    // The tier of each file, and whether it is searched; see `path-kind.ts`.
    ['flags', Uint8Array, files],
    ['names', Uint8Array, nameBytes],
  ] as const;

export type SegmentTables = {
  [Section in ReturnType<typeof sections>[number] as Section[0]]: InstanceType<Section[1]>;
};

export const tableBytes = (counts: SegmentCounts): number =>
  sections(counts).reduce((sum, [, kind, length]) => sum + kind.BYTES_PER_ELEMENT * length, 0);

export function viewTables(memory: ArrayBuffer, counts: SegmentCounts): SegmentTables {
  let at = 0;
  const views: Record<string, ArrayBufferView> = {};
  for (const [name, Kind, length] of sections(counts)) {
    views[name] = new Kind(memory, at, length);
    at += Kind.BYTES_PER_ELEMENT * length;
  }
  return views as unknown as SegmentTables;
}
