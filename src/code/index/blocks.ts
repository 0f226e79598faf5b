const newline = 10;

/** Smaller blocks make candidates cheaper to verify and lists longer; 32 KB was the best of three measured. */
const blockBytes = 32 * 1024;

export interface Block {
  offset: number;
  end: number;
}

/**
 * Cuts a file at line ends, so that a match within a line never lies in two blocks. Files as units would make
 * every rare word a candidate in the few huge generated files that hold almost every gram.
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
  // One line longer than a block is a block of its own.
  const after = bytes.indexOf(newline, offset + blockBytes);
  return after === -1 ? bytes.length : after + 1;
}
