import { damageCodes, resultCode } from './sqlite/result-codes.ts';

/** Whether the index raised this error. Callers then answer from the log. */
export const isIndexFault = (error: unknown): boolean => resultCode(error) !== undefined;

/** Whether the index file is damaged. Callers then discard the index, and the next writer rebuilds it. */
export const isIndexDamage = (error: unknown): boolean => damageCodes.includes(resultCode(error) ?? 0);
