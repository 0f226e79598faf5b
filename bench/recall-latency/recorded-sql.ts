import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { dotProducts } from '../../src/store/sqlite/dot-products.ts';
import { cpuMsOf } from '../../test/harness/cpu-time.ts';

export interface SqlCall {
  sql: string;
  method: Method;
  values: SQLInputValue[];
}

const methods = ['all', 'get', 'run'] as const;
type Method = (typeof methods)[number];

/**
 * Records the SQL statements of an operation, so that the same statements can be run alone. It wraps the statement
 * methods of node:sqlite while the operation runs, independent of how the product uses them.
 */
export async function recordSql(work: () => Promise<unknown>): Promise<SqlCall[]> {
  const calls: SqlCall[] = [];
  const originals = methods.map((method) => [method, StatementSync.prototype[method]] as const);
  for (const [method, original] of originals) {
    StatementSync.prototype[method] = function (this: StatementSync, ...values: SQLInputValue[]) {
      calls.push({ sql: this.sourceSQL, method, values });
      return Reflect.apply(original, this, values);
    } as never;
  }
  try {
    await work();
  } finally {
    for (const [method, original] of originals) StatementSync.prototype[method] = original as never;
  }
  return calls;
}

export interface BareSql {
  /** CPU time of all calls, in milliseconds. */
  time(asked: readonly SqlCall[]): number;
  close(): void;
}

/**
 * Opens a connection with prepared statements, and keeps the vectors in memory for the multiplications. Reading the
 * vectors is timed with the question's own statements.
 */
export function openBare(path: string): BareSql {
  const database = new DatabaseSync(path, { readOnly: true });
  const vectors = vectorsIn(database);
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return {
    time(asked) {
      const ready = asked.map(({ sql, method, values }) => ({ to: statement(sql), method, values }));
      const usesVectors = asked.some(({ sql }) => sql.includes('vector_segment'));
      return cpuMsOf(() => {
        for (const { to, method, values } of ready) to[method](...values);
        if (usesVectors) vectors.scan();
      });
    },
    close: () => database.close(),
  };
}

function vectorsIn(database: DatabaseSync): { scan(): void } {
  const segments = database.prepare('select scales, numbers from vector_segment').all() as Record<
    'scales' | 'numbers',
    Uint8Array
  >[];
  const [first] = segments;
  if (first === undefined) return { scan: () => {} };
  const dims = first.numbers.byteLength / (first.scales.byteLength / Float32Array.BYTES_PER_ELEMENT);
  const query = Int16Array.from({ length: dims }, (_, at) => at);
  const multiply = dotProducts();
  return {
    scan: () => {
      for (const { numbers } of segments) {
        const bytes = new Int8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        multiply(query, bytes, bytes.length / dims);
      }
    },
  };
}

/**
 * Inserts the same rows into an empty file with the same tables, in transactions of the same size. Returns
 * the CPU time in milliseconds.
 */
export function insertBare(
  path: string,
  schema: string,
  asked: readonly SqlCall[],
  perTransaction: number,
): number {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on');
  database.exec(schema);
  const prepared = new Map<string, StatementSync>();
  const inserts = asked.filter(({ method, sql }) => method === 'run' && /^\s*insert/i.test(sql));
  for (const { sql } of inserts) if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql));
  const cpuMs = cpuMsOf(() => {
    for (const [at, { sql, values }] of inserts.entries()) {
      if (at % perTransaction === 0) database.exec(at === 0 ? 'begin' : 'commit; begin');
      (prepared.get(sql) as StatementSync).run(...values);
    }
    database.exec('commit');
  });
  database.close();
  return cpuMs;
}
