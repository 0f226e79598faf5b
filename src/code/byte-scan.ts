import { startWasm } from '../base/wasm.ts';
import { byteScanWasm } from './byte-scan-wasm.ts';
import { newline } from './pattern/syntax.ts';

/** What one byte of a window may be: `byte | or` lies between `low` and `low + more`. */
export interface ByteTest {
  or: number;
  low: number;
  more: number;
}

export const exactly = (low: number): ByteTest => ({ or: 0, low, more: 0 });

/** The first place from `from` on at which every byte passes its test; -1 where there is none. */
export type WindowSearch = (bytes: Buffer, from: number) => number;

interface Loops {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  find(from: number, to: number, length: number, a: number, b: number): number;
  countLines(from: number, to: number): number;
}

const pageBytes = 65_536;
const textAt = 65_536;
const padding = 16;
const maxWindow = 4_096;

let loops: Loops | undefined;
let isTried = false;
let text = Buffer.alloc(0);
/** Whose window the loops hold. */
let held: ByteTest[] | undefined;

function startLoops(): Loops | undefined {
  if (!isTried) loops = startWasm<Loops>(byteScanWasm);
  isTried = true;
  return loops;
}

/**
 * A place to read a file into, overwritten by the next call. What lies there is searched several times faster
 * than elsewhere, where WebAssembly can be had.
 */
export function scanBuffer(length: number): Buffer {
  if (text.length < length) {
    const room = startLoops();
    if (room === undefined) text = Buffer.allocUnsafe(Math.max(length, 4 * pageBytes));
    else {
      const missing = textAt + length + padding - room.memory.buffer.byteLength;
      if (missing > 0) room.memory.grow(Math.ceil(missing / pageBytes));
      text = Buffer.from(room.memory.buffer, textAt, room.memory.buffer.byteLength - textAt - padding);
    }
  }
  return text.subarray(0, length);
}

const isHere = (bytes: Uint8Array): boolean => loops !== undefined && bytes.buffer === loops.memory.buffer;

export function countLines(bytes: Uint8Array, from: number, to: number): number {
  if (isHere(bytes))
    return (loops as Loops).countLines(bytes.byteOffset + from, bytes.byteOffset + Math.max(from, to));
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === newline) count++;
  return count;
}

/** Bytes from the most to the least common, in the sources of many languages. */
const byCommonness =
  ' etrnisao\ndlcupm_fgh*,.\t0);(b-v"y=1x/S2TE>k:3Ac4RINwPO<LD8q5M69CF7{}[]B&GU+#\'zH@V|W!\\jXYK%$?;JQZ~^`';
const share = new Float64Array(256).fill(0.0002);
[...byCommonness].forEach((char, rank) => {
  share[char.charCodeAt(0)] = 0.12 / (rank + 1);
});

/** How often a byte passes, by guess. */
export function chanceOf({ or, low, more }: ByteTest): number {
  let sum = 0;
  for (let byte = low; byte <= low + more; byte++) {
    sum += share[byte] as number;
    if (or !== 0) sum += share[byte & ~or] as number;
  }
  return sum;
}

const passes = (byte: number, { or, low, more }: ByteTest): boolean => {
  const over = (byte | or) - low;
  return over >= 0 && over <= more;
};

/** The two places that pass most seldom. */
function rarestPair(tests: ByteTest[]): { a: number; b: number } {
  const [a, b = a] = tests
    .map((test, at) => ({ at, chance: chanceOf(test) }))
    .sort((x, y) => x.chance - y.chance)
    .map(({ at }) => at);
  return { a: a ?? 0, b: b ?? 0 };
}

export function createWindowSearch(tests: ByteTest[]): WindowSearch {
  const { length } = tests;
  const { a, b } = rarestPair(tests);
  const exact = tests.every(({ or, more }) => or === 0 && more === 0)
    ? Buffer.from(tests.map(({ low }) => low))
    : undefined;
  const plain: WindowSearch =
    exact === undefined
      ? (bytes, from) => plainFind(bytes, from, tests, a)
      : (bytes, from) => bytes.indexOf(exact, from);
  if (length > maxWindow || startLoops() === undefined) return plain;
  const { memory, find } = loops as Loops;
  return (bytes, from) => {
    if (!isHere(bytes)) return plain(bytes, from);
    if (held !== tests) {
      const room = new Uint8Array(memory.buffer, 0, textAt);
      tests.forEach(({ or, low, more }, at) => {
        room[at] = or;
        room[at + maxWindow] = low;
        room[at + 2 * maxWindow] = more;
      });
      held = tests;
    }
    const { byteOffset } = bytes;
    const found = find(byteOffset + from, byteOffset + bytes.length, length, a, b);
    return found === -1 ? -1 : found - byteOffset;
  };
}

function plainFind(bytes: Buffer, from: number, tests: ByteTest[], rarest: number): number {
  const test = tests[rarest] as ByteTest;
  for (let at = from; at <= bytes.length - tests.length; at++) {
    if (!passes(bytes[at + rarest] as number, test)) continue;
    if (tests.every((each, place) => passes(bytes[at + place] as number, each))) return at;
  }
  return -1;
}
