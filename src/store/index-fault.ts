/** Whether the index raised this error. Callers then answer from the log. */
export const isIndexFault = (error: unknown): boolean => resultCode(error) !== undefined;

/** Whether the index file is damaged. Callers then discard the index, and the next writer rebuilds it. */
export const isIndexDamage = (error: unknown): boolean => damageCodes.includes(resultCode(error) ?? 0);

/** SQLite's primary result code, which Node puts on its errors. Undefined for any other error. */
const resultCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export const damageCodes = [11, 26];
