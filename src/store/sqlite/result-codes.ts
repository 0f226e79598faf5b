/** SQLite's primary result code, which Node puts on its errors. Undefined for any other error. */
export const resultCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export const damageCodes = [11, 26];
