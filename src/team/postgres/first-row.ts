import type { Database } from './connect.ts';

/** Of a question that always has an answer. */
export const firstRow = async <T extends object>(database: Database, sql: string): Promise<T> =>
  (await database.query(sql))[0] as T;
