/**
 * pgvector's binary format of vectors, which Postgres converts to half precision. Formatting and parsing the text format
 * was a large part of the cost of saving and searching.
 */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + vector.byteLength);
  bytes.writeUInt16BE(vector.length);
  for (const [at, number] of vector.entries()) bytes.writeFloatBE(number, 4 + at * 4);
  return bytes;
}

/** Encodes an array of vectors. `vectorType` is the oid of the element type in this database. */
export function vectorArrayBytes(vectors: Float32Array[], vectorType: number): Buffer {
  const parts = vectors.map(vectorBytes);
  // The header of the array: number of dimensions, no nulls, element type, length, lower bound.
  const header = [1, 0, vectorType, vectors.length, 1].map(uint32);
  return Buffer.concat([...header, ...parts.flatMap((bytes) => [uint32(bytes.length), bytes])]);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
