import { byteLoopsWasm } from './byte-loops-wasm.ts';
import { startWasm } from './wasm.ts';

/** What runs over every byte of what a hook is told, fast from the first call on; see byte-loops.wat. */
export interface ByteLoops {
  /** Goes on from `crc`, which begins as all ones; inverting the end is the caller's. */
  crc32(crc: number, bytes: Uint8Array): number;
  /**
   * Where in `text`, of the `pieceLength` characters after `from`, three in a row are of classes whose bit is
   * set. A character beyond Latin-1 counts as its lower byte. Valid until the next call.
   */
  places(text: string, from: number, bits: Uint8Array): Uint32Array;
}

export const pieceLength = 80_000;
/** For less than this, starting the loops takes longer than they save. */
export const worthALoop = 1_024;

export const classes = new Uint8Array(256).fill(63);
export const classCount = 64;
'abcdefghijklmnopqrstuvwxyz0123456789_-.:/=~$+@%<"\' ()\\!?#&*,;'.split('').forEach((char, at) => {
  classes[char.charCodeAt(0)] = at + 1;
  classes[char.toUpperCase().charCodeAt(0)] = at + 1;
});
classes[0] = 0;

/** CRC-32's table: what each byte adds. */
export const crcTable = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  crcTable[byte] = crc;
}

let loops: ByteLoops | undefined;
let isTried = false;

/** Undefined where WebAssembly cannot run; plain loops then do the same, slower. */
export function byteLoops(): ByteLoops | undefined {
  if (isTried) return loops;
  isTried = true;
  const program = startWasm<Exports>(byteLoopsWasm);
  loops = program && loopsOf(program);
  return loops;
}

interface Exports {
  memory: { buffer: ArrayBuffer };
  crc32(crc: number, length: number): number;
  places(length: number): number;
}

function loopsOf({ memory: { buffer }, crc32, places }: Exports): ByteLoops {
  new Uint32Array(buffer, 0, 256).set(crcTable);
  new Uint8Array(buffer, 1024, 256).set(classes);
  const held = new Uint8Array(buffer, 4096, 32_768);
  const text = Buffer.from(buffer, 65_536, 131_072);
  const found = new Uint32Array(buffer, 196_608, pieceLength);
  let heldBits: Uint8Array | undefined;
  return {
    crc32(crc, bytes) {
      let sum = crc;
      for (let at = 0; at < bytes.length; at += text.length) {
        const piece = bytes.subarray(at, at + text.length);
        text.set(piece);
        sum = crc32(sum, piece.length);
      }
      return sum;
    },
    places(words, from, bits) {
      if (heldBits !== bits) held.set(bits);
      heldBits = bits;
      // Two more, because a place is known by the two characters after it; at the end these are nothing.
      const piece = words.slice(from, from + pieceLength + 2);
      text.write(piece, 'latin1');
      text.fill(0, piece.length, piece.length + 2);
      return found.subarray(0, places(Math.min(pieceLength, words.length - from)));
    },
  };
}
