import type { Database } from './connect.ts';

/** Runs a query that always returns a row. */
export const firstRow = async <T extends object>(database: Database, sql: string): Promise<T> =>
  (await database.query(sql))[0] as T;
