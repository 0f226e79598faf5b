import { type Attributes, SpanKind, type Tracer } from '@opentelemetry/api';
import { inSpan, isSpanOpen } from '../span.ts';
import type { Database, Query } from './connect.ts';

/**
 * Makes a span of each query and transaction within a request or job, with the kind of statement and its table or
 * function, never its values. Queries outside of one, such as polling for jobs every second, make none.
 */
export function traceDatabase(database: Database, tracer: Tracer): Database {
  const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
    isSpanOpen()
      ? inSpan(
          tracer,
          name,
          { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', ...attributes } },
          work,
        )
      : work();
  const tracedQuery = (query: Query): Query =>
    ((...call: Parameters<Query>) => {
      const { name, attributes } = describeStatement(call[0]);
      return traced(name, attributes, () => query(...call));
    }) as Query;
  return {
    query: tracedQuery(database.query),
    // The span includes the wait for a connection.
    transaction: (work, ...rest) =>
      traced('transaction', {}, () => database.transaction((query) => work(tracedQuery(query)), ...rest)),
    close: () => database.close(),
  };
}

function describeStatement(text: string): { name: string; attributes: Attributes } {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'call';
  const subject = /\bbackstory\.([a-z_]+)/.exec(text)?.[1];
  return {
    name: subject === undefined ? operation : `${operation} ${subject}`,
    attributes: {
      'db.operation.name': operation,
      ...(subject === undefined ? {} : { 'db.collection.name': subject }),
    },
  };
}
