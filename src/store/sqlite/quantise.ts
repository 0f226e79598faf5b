import { lanes } from './dot-products.ts';

/** A vector as integers; multiplied by `scale` they approximate the vector. */
export interface Quantised<Numbers> {
  numbers: Numbers;
  scale: number;
}

const paddedDims = (dims: number): number => Math.ceil(dims / lanes) * lanes;

/**
 * Quantises a vector for storage, one byte per number. Each vector has its own scale, because a common scale
 * would leave short vectors with few steps. Returns undefined for a vector of zeros, which means that the
 * model cannot embed the text.
 */
export function toStored(vector: Float32Array): Quantised<Int8Array> | undefined {
  // Round the scale to 32 bits, as it is stored in a segment, so that the score does not depend on where the vector
  // is stored.
  const scale = Math.fround(largestMagnitude(vector) / 127);
  if (!(scale > 0 && Number.isFinite(scale))) return undefined;
  const numbers = new Int8Array(paddedDims(vector.length));
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round((vector[at] as number) / scale);
  return { numbers, scale };
}

/** Quantises a query vector as finely as 16 bits allow without the sum of products exceeding 32 bits. */
export function toQuery(vector: Float32Array): Quantised<Int16Array> | undefined {
  const dims = paddedDims(vector.length);
  const steps = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * dims)));
  const scale = largestMagnitude(vector) / steps;
  if (!(scale > 0 && Number.isFinite(scale))) return undefined;
  const numbers = new Int16Array(dims);
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round((vector[at] as number) / scale);
  return { numbers, scale };
}

function largestMagnitude(vector: Float32Array): number {
  let size = 0;
  for (const number of vector) size = Math.max(size, Math.abs(number));
  return size;
}
