/**
 * pgvector's binary format of half-precision vectors, two bytes per number. The text format is four times as long, and
 * formatting and parsing it was a large part of the cost of saving and searching.
 */
const headerBytes = 4;

const sizeOf = (vector: Float32Array): number => headerBytes + vector.length * 2;

/** Encodes a vector. Expects a unit vector, since numbers beyond 65,504 overflow. */
export function halfvecBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(sizeOf(vector));
  write(bytes, 0, vector);
  return bytes;
}

const arrayHeaderBytes = 20;
const lengthBytes = 4;

/** Encodes an array of vectors. `halfvecType` is the oid of the element type in this database. */
export function halfvecArrayBytes(vectors: Float32Array[], halfvecType: number): Buffer {
  const size = vectors.reduce((sum, vector) => sum + lengthBytes + sizeOf(vector), arrayHeaderBytes);
  const bytes = Buffer.alloc(size);
  // The header of the array: number of dimensions, no nulls, element type, length, lower bound.
  for (const [at, number] of [1, 0, halfvecType, vectors.length, 1].entries())
    bytes.writeUInt32BE(number, at * 4);
  let at = arrayHeaderBytes;
  for (const vector of vectors) {
    bytes.writeUInt32BE(sizeOf(vector), at);
    write(bytes, at + lengthBytes, vector);
    at += lengthBytes + sizeOf(vector);
  }
  return bytes;
}

function write(bytes: Buffer, start: number, vector: Float32Array): void {
  bytes.writeUInt16BE(vector.length, start);
  const bits = new Uint32Array(vector.buffer, vector.byteOffset, vector.length);
  let at = start + headerBytes;
  for (let place = 0; place < bits.length; place++) {
    const half = halfOf(bits[place] as number);
    bytes[at++] = half >>> 8;
    bytes[at++] = half;
  }
}

/** Converts the bits of a single-precision number below 65,504 to those of the nearest half-precision number. */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = bits & 0x7fffff;
  // Rounding up to the next power of two correctly carries into the exponent.
  if (exponent > 0) return sign | (((exponent << 10) | (fraction >>> 13)) + ((fraction >>> 12) & 1));
  if (exponent < -10) return sign;
  const shift = 14 - exponent;
  const whole = fraction | 0x800000;
  return sign | ((whole >>> shift) + ((whole >>> (shift - 1)) & 1));
}
