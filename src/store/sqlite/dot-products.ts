import { dotProductsWasm } from './dot-products-wasm.ts';

/**
 * Computes the dot products of one query with `count` consecutive vectors. Both implementations use integers,
 * so they agree exactly and results do not depend on the machine. The result is overwritten by the next call.
 */
export type DotProducts = (query: Int16Array, vectors: Int8Array, count: number) => Int32Array;

/** Numbers per SIMD step; vectors are padded with zeros to a multiple of it. */
export const lanes = 16;

export const plainDotProducts: DotProducts = (query, vectors, count) => {
  const sums = new Int32Array(count);
  const dims = query.length;
  for (let row = 0, at = 0; row < count; row++) {
    let sum = 0;
    for (let number = 0; number < dims; number++, at++)
      sum += (query[number] as number) * (vectors[at] as number);
    sums[row] = sum;
  }
  return sums;
};

interface Kernel {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  dotProducts(query: number, dims: number, vectors: number, count: number, out: number): void;
}

const pageBytes = 65_536;

/** The parts of the WebAssembly global used here; the types of Node omit it. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/** Undefined if WebAssembly is disabled, lacks SIMD or is out of memory. It can only fail here, not in later calls. */
function startKernel(): Kernel | undefined {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyGlobal };
  try {
    const module = new WebAssembly.Module(Buffer.from(dotProductsWasm, 'base64'));
    return new WebAssembly.Instance(module).exports as Kernel;
  } catch {
    return undefined;
  }
}

export function createSimdDotProducts(): DotProducts | undefined {
  const kernel = startKernel();
  if (kernel === undefined) return undefined;
  return (query, vectors, count) => {
    const dims = query.length;
    const vectorsAt = dims * 2;
    const outAt = vectorsAt + dims * count;
    const missing = outAt + count * 4 - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / pageBytes));
    const { buffer } = kernel.memory;
    new Int16Array(buffer, 0, dims).set(query);
    new Int8Array(buffer, vectorsAt, dims * count).set(
      vectors.length === dims * count ? vectors : vectors.subarray(0, dims * count),
    );
    kernel.dotProducts(0, dims, vectorsAt, count, outAt);
    return new Int32Array(buffer, outAt, count);
  };
}

let chosen: DotProducts | undefined;

/** Created on first use, because most processes never compare vectors. */
export function dotProducts(): DotProducts {
  chosen ??= createSimdDotProducts() ?? plainDotProducts;
  return chosen;
}
