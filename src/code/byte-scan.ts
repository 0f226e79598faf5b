import { startWasm } from '../base/wasm.ts';
import { byteScanWasm } from './byte-scan-wasm.ts';
import { newline } from './pattern/syntax.ts';

/** A test of one byte: `byte | or` is between `low` and `low + more`. */
export interface ByteTest {
  or: number;
  low: number;
  more: number;
}

export const exactly = (low: number): ByteTest => ({ or: 0, low, more: 0 });

/** Returns the first position from `from` on where every byte passes its test, or -1. */
export type WindowSearch = (bytes: Buffer, from: number) => number;

interface Loops {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  find(from: number, to: number, length: number, a: number, b: number): number;
  countLines(from: number, to: number): number;
}

const pageBytes = 65_536;
const textOffset = 65_536;
const padding = 16;
const maxWindow = 4_096;

let loops: Loops | undefined;
let hasTried = false;
let text = Buffer.alloc(0);
/**
 * The tests currently loaded into WebAssembly memory, so that searching again with the same tests does not load them
 * again.
 */
let loadedTests: ByteTest[] | undefined;

function startLoops(): Loops | undefined {
  if (!hasTried) loops = startWasm<Loops>(byteScanWasm);
  hasTried = true;
  return loops;
}

/**
 * Returns a buffer to read a file into; the next call overwrites it. Text in this buffer is searched several
 * times faster, if WebAssembly is available.
 */
export function scanBuffer(length: number): Buffer {
  if (text.length < length) {
    const memoryView = startLoops();
    if (memoryView === undefined) text = Buffer.allocUnsafe(Math.max(length, 4 * pageBytes));
    else {
      const missing = textOffset + length + padding - memoryView.memory.buffer.byteLength;
      if (missing > 0) memoryView.memory.grow(Math.ceil(missing / pageBytes));
      text = Buffer.from(
        memoryView.memory.buffer,
        textOffset,
        memoryView.memory.buffer.byteLength - textOffset - padding,
      );
    }
  }
  return text.subarray(0, length);
}

const isInWasmMemory = (bytes: Uint8Array): boolean =>
  loops !== undefined && bytes.buffer === loops.memory.buffer;

export function countLines(bytes: Uint8Array, from: number, to: number): number {
  if (isInWasmMemory(bytes))
    return (loops as Loops).countLines(bytes.byteOffset + from, bytes.byteOffset + Math.max(from, to));
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === newline) count++;
  return count;
}

/** Bytes from most to least common in source code of many languages. */
const bytesByFrequency =
  ' etrnisao\ndlcupm_fgh*,.\t0);(b-v"y=1x/S2TE>k:3Ac4RINwPO<LD8q5M69CF7{}[]B&GU+#\'zH@V|W!\\jXYK%$?;JQZ~^`';
const frequency = new Float64Array(256).fill(0.0002);
[...bytesByFrequency].forEach((char, rank) => {
  frequency[char.charCodeAt(0)] = 0.12 / (rank + 1);
});

/** Estimates the probability that a byte passes the test. */
export function chanceOf({ or, low, more }: ByteTest): number {
  let sum = 0;
  for (let byte = low; byte <= low + more; byte++) {
    sum += frequency[byte] as number;
    if (or !== 0) sum += frequency[byte & ~or] as number;
  }
  return sum;
}

const passes = (byte: number, { or, low, more }: ByteTest): boolean => {
  const over = (byte | or) - low;
  return over >= 0 && over <= more;
};

/**
 * Returns the positions in the window of the two tests that a byte is least likely to pass. The search looks for
 * these first, because they rule out the most text.
 */
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
    if (!isInWasmMemory(bytes)) return plain(bytes, from);
    if (loadedTests !== tests) {
      const memoryView = new Uint8Array(memory.buffer, 0, textOffset);
      tests.forEach(({ or, low, more }, at) => {
        memoryView[at] = or;
        memoryView[at + maxWindow] = low;
        memoryView[at + 2 * maxWindow] = more;
      });
      loadedTests = tests;
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
