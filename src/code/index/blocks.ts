const newline = 10;

/**
 * Size of a block, the part of a file that the index refers to. Smaller blocks make candidates cheaper to verify but
 * lists of blocks longer; 32 KB was the best of three sizes measured.
 */
const blockBytes = 32 * 1024;

export interface Block {
  offset: number;
  end: number;
}

/**
 * Cuts a file at line ends into the blocks that the index refers to, so that a match within a line is never in two
 * blocks. If the index referred to whole files, the few huge generated files that contain almost every three-letter
 * sequence would be candidates for every rare word.
 */
export function cutBlocks(bytes: Buffer): Block[] {
  const blocks: Block[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = blockEnd(bytes, offset);
    blocks.push({ offset, end });
    offset = end;
  }
  return blocks;
}

function blockEnd(bytes: Buffer, offset: number): number {
  if (bytes.length - offset <= blockBytes) return bytes.length;
  const before = bytes.lastIndexOf(newline, offset + blockBytes - 1);
  if (before >= offset) return before + 1;
  // A line longer than a block is a block of its own.
  const after = bytes.indexOf(newline, offset + blockBytes);
  return after === -1 ? bytes.length : after + 1;
}
