/**
 * Vectors as pgvector sends and reads them, two bytes a number. Written as text, a vector was four times as long, and
 * writing and reading the digits was a good part of what a memory and a question cost on both sides.
 */
const headBytes = 4;

const sizeOf = (vector: Float32Array): number => headBytes + vector.length * 2;

/** Of a vector of length one. */
export function halfvecBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(sizeOf(vector));
  write(bytes, 0, vector);
  return bytes;
}

const arrayHeadBytes = 20;
const lengthBytes = 4;

/** A whole array of them. Postgres wants to be told what its elements are, by the number its own catalogue has. */
export function halfvecArrayBytes(vectors: Float32Array[], halfvecType: number): Buffer {
  const size = vectors.reduce((sum, vector) => sum + lengthBytes + sizeOf(vector), arrayHeadBytes);
  const bytes = Buffer.alloc(size);
  // One dimension, no nulls, the type, how many, counted from 1.
  for (const [at, number] of [1, 0, halfvecType, vectors.length, 1].entries())
    bytes.writeUInt32BE(number, at * 4);
  let at = arrayHeadBytes;
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
  let at = start + headBytes;
  for (let place = 0; place < bits.length; place++) {
    const half = halfOf(bits[place] as number);
    bytes[at++] = half >>> 8;
    bytes[at++] = half;
  }
}

/** The nearest half-precision number to one below 65,504, both as their bits. */
function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = bits & 0x7fffff;
  // What is rounded up to the next power of two carries over into the exponent, as it should.
  if (exponent > 0) return sign | (((exponent << 10) | (fraction >>> 13)) + ((fraction >>> 12) & 1));
  if (exponent < -10) return sign;
  const shift = 14 - exponent;
  const whole = fraction | 0x800000;
  return sign | ((whole >>> shift) + ((whole >>> (shift - 1)) & 1));
}
