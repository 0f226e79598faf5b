import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { getLoadablePath } from 'sqlite-vec';
import { openDatabase } from '../../src/base/sqlite.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { schemaSql } from '../../src/store/sqlite/schema.ts';
import { createVectors } from '../../src/store/sqlite/vectors.ts';

export interface Engine {
  fill(vectors: Float32Array[]): void;
  /** Row numbers, starting at 1. */
  search(query: Float32Array, limit: number): number[];
  bytes(): number;
  close(): void;
}

const batch = 500;

function engineOn(
  path: string,
  database: DatabaseSync,
  put: (first: number, vectors: Float32Array[]) => void,
  search: Engine['search'],
): Engine {
  return {
    fill(vectors) {
      for (let start = 0; start < vectors.length; start += batch) {
        database.exec('begin immediate');
        put(start + 1, vectors.slice(start, start + batch));
        database.exec('commit');
      }
      database.exec('pragma wal_checkpoint(truncate)');
    },
    search,
    bytes: () => statSync(path).size,
    close: () => database.close(),
  };
}

/** Creates the file if it does not exist. Reopening gives the state that a new process finds. */
function open(path: string): { database: DatabaseSync; isNew: boolean } {
  const isNew = !existsSync(path);
  const database = openDatabase(path, { allowExtension: true });
  database.exec('pragma journal_mode = wal; pragma synchronous = normal');
  return { database, isNew };
}

export function openOurs(folder: string, model: Pick<Embedder, 'id' | 'dims'>): Engine {
  const path = join(folder, 'ours.db');
  const { database, isNew } = open(path);
  if (isNew) database.exec(schemaSql);
  const vectors = createVectors(database);
  return engineOn(
    path,
    database,
    (first, added) =>
      vectors.put(
        model,
        added.map((vector, at) => ({ row: first + at, vector })),
      ),
    (query, limit) => vectors.search({ model: model.id, query, limit }).map(({ row }) => row),
  );
}

export function openSqliteVec(folder: string, dims: number, kind: 'float' | 'int8'): Engine {
  const path = join(folder, `sqlite-vec-${kind}.db`);
  const { database, isNew } = open(path);
  database.loadExtension(getLoadablePath());
  if (isNew)
    database.exec(`create virtual table v using vec0 (vector ${kind}[${dims}] distance_metric=cosine)`);
  const value = kind === 'float' ? '?' : `vec_quantize_int8(?, 'unit')`;
  const insert = database.prepare(`insert into v (rowid, vector) values (?, ${value})`);
  const select = database.prepare(
    `select rowid as row from v where vector match ${value} and k = ? order by distance`,
  );
  const bytes = (vector: Float32Array): Uint8Array =>
    new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return engineOn(
    path,
    database,
    (first, added) => {
      added.forEach((vector, at) => {
        insert.run(BigInt(first + at), bytes(vector));
      });
    },
    (query, limit) => (select.all(bytes(query), limit) as { row: number }[]).map(({ row }) => row),
  );
}
