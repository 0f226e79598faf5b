import { byteLoopsWasm } from './byte-loops-wasm.ts';
import { startWasm } from './wasm.ts';

export const pieceLength = 80_000;
/** Below this input size, starting WebAssembly costs more time than it saves. */
export const minWasmBytes = 1_024;

export const classes = new Uint8Array(256).fill(63);
export const classCount = 64;
'abcdefghijklmnopqrstuvwxyz0123456789_-.:/=~$+@%<"\' ()\\!?#&*,;'.split('').forEach((char, at) => {
  classes[char.charCodeAt(0)] = at + 1;
  classes[char.toUpperCase().charCodeAt(0)] = at + 1;
});
classes[0] = 0;

export const crcTable = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  crcTable[byte] = crc;
}

let loops: ByteLoops | undefined;
let hasTried = false;

/** Undefined if WebAssembly cannot run; callers then use JavaScript loops with the same result. */
export function byteLoops(): ByteLoops | undefined {
  if (hasTried) return loops;
  hasTried = true;
  const program = startWasm<Exports>(byteLoopsWasm);
  loops = program && loopsOf(program);
  return loops;
}

interface Exports {
  memory: { buffer: ArrayBuffer };
  crc32(crc: number, length: number): number;
  places(length: number): number;
}

/** Loops over every byte of a hook's input, fast from the first call; see byte-loops.wat. */
function loopsOf({ memory: { buffer }, crc32, places }: Exports) {
  new Uint32Array(buffer, 0, 256).set(crcTable);
  new Uint8Array(buffer, 1024, 256).set(classes);
  const triples = new Uint8Array(buffer, 4096, 32_768);
  const text = Buffer.from(buffer, 65_536, 131_072);
  const found = new Uint32Array(buffer, 196_608, pieceLength);
  let currentBits: Uint8Array | undefined;
  return {
    /** Continues a CRC-32. The caller starts with 0xffffffff and inverts the final result. */
    crc32(crc: number, bytes: Uint8Array) {
      let sum = crc;
      for (let at = 0; at < bytes.length; at += text.length) {
        const piece = bytes.subarray(at, at + text.length);
        text.set(piece);
        sum = crc32(sum, piece.length);
      }
      return sum;
    },
    /**
     * Returns the positions within the `pieceLength` characters from `from` where three consecutive characters
     * have classes whose bit is set in `bits`. A character beyond Latin-1 counts as its lower byte. The array
     * is overwritten by the next call.
     */
    places(words: string, from: number, bits: Uint8Array) {
      if (currentBits !== bits) triples.set(bits);
      currentBits = bits;
      // A match at the last position needs the two characters that follow; at the end of the text these are zero.
      const piece = words.slice(from, from + pieceLength + 2);
      text.write(piece, 'latin1');
      text.fill(0, piece.length, piece.length + 2);
      return found.subarray(0, places(Math.min(pieceLength, words.length - from)));
    },
  };
}

export type ByteLoops = ReturnType<typeof loopsOf>;
