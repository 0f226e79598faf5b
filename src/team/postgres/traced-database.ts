import type { SpanStart, Tracer } from '../../base/trace.ts';
import type { Database, Rows } from './connect.ts';

/** Each call as a span: what kind of statement, on which table or function, and nothing of what it says. */
export function traceDatabase(database: Database, tracer: Tracer): Database {
  const traced = (query: Rows): Rows =>
    ((...asked: Parameters<Rows>) =>
      tracer.current() === undefined
        ? query(...asked)
        : tracer.inSpan(callOf(asked[0]), () => query(...asked))) as Rows;
  const inTransaction = (...[work, ...rest]: Parameters<Database['transaction']>) =>
    tracer.inSpan(transaction, () => database.transaction((query) => work(traced(query)), ...rest));
  return {
    query: traced(database.query),
    transaction: inTransaction as Database['transaction'],
    close: () => database.close(),
  };
}

const system = { 'db.system.name': 'postgresql' };
/** With the wait for a connection in it. */
const transaction: SpanStart = { name: 'transaction', kind: 'client', attributes: system, isPartOnly: true };

function callOf(text: string): SpanStart {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'call';
  const subject = /\bbackstory\.([a-z_]+)/.exec(text)?.[1];
  return {
    name: subject === undefined ? operation : `${operation} ${subject}`,
    kind: 'client',
    isPartOnly: true,
    attributes: {
      ...system,
      'db.operation.name': operation,
      ...(subject === undefined ? {} : { 'db.collection.name': subject }),
    },
  };
}
