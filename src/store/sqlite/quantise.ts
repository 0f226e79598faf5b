import { lanes } from './dot-products.ts';

/** A vector as whole numbers; times `scale` they are the vector again, nearly. */
export interface Quantised<Numbers> {
  numbers: Numbers;
  scale: number;
}

const paddedDims = (dims: number): number => Math.ceil(dims / lanes) * lanes;

/**
 * For keeping: a byte per number. Each vector has its own scale, because one scale for all would leave short
 * vectors with a few steps only. Undefined for a vector of zeros, by which a model says that it cannot judge.
 */
export function toStored(vector: Float32Array): Quantised<Int8Array> | undefined {
  // As a segment keeps it, so that a score does not depend on where the vector lies.
  const scale = Math.fround(largest(vector) / 127);
  if (!(scale > 0 && Number.isFinite(scale))) return undefined;
  const numbers = new Int8Array(paddedDims(vector.length));
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round((vector[at] as number) / scale);
  return { numbers, scale };
}

/** For asking: as fine as 16 bits allow without the sum of products passing 32 bits. */
export function toQuery(vector: Float32Array): Quantised<Int16Array> | undefined {
  const dims = paddedDims(vector.length);
  const steps = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * dims)));
  const scale = largest(vector) / steps;
  if (!(scale > 0 && Number.isFinite(scale))) return undefined;
  const numbers = new Int16Array(dims);
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round((vector[at] as number) / scale);
  return { numbers, scale };
}

function largest(vector: Float32Array): number {
  let size = 0;
  for (const number of vector) size = Math.max(size, Math.abs(number));
  return size;
}
