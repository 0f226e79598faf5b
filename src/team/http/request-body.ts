import type { Context } from 'hono';
import { incompleteBody } from '../../api/request-input.ts';
import { AppError } from '../../base/errors.ts';
import { overloaded } from './limits.ts';

/**
 * The only way the team server reads a request body. Memory is charged for bytes that have arrived, never for the
 * length a client announces: announcing costs a client nothing.
 *
 * Bodies of unauthenticated clients (webhooks, sign-in) must arrive within seconds, and share a part of the memory. If an
 * address, a webhook or all of them together exceed their budget, the oldest upload is dropped. Uploads at normal speed
 * arrive within milliseconds, so the oldest one is stalled.
 */
export type Uploads = ReturnType<typeof createUploads>;

interface UploadTerms {
  maxBytes: number;
  /** For unauthenticated clients: names of the budgets to charge besides the total, such as the client's address. */
  unauthenticated?: string[] | undefined;
}

const maxTotalBytes = 16 * 1024 * 1024;
const maxUnauthenticatedBytes = 8 * 1024 * 1024;
/** The limit of each address and of each webhook. */
const maxBytesPerClient = 4 * 1024 * 1024;
const maxArrivingPerClient = 64;
const unauthenticatedTimeoutMs = 5_000;

/** A budget: how many bytes it uses, and which uploads are still arriving, oldest first. */
interface Budget {
  maxBytes: number;
  maxArriving: number;
  bytes: number;
  arriving: Set<Upload>;
}

interface Upload {
  budgets: Budget[];
  bytes: number;
  /** Aborts the upload while it is arriving. */
  drop(error: AppError): void;
}

export function createUploads() {
  const total = budgetOf(maxTotalBytes);
  const unauthenticated = budgetOf(maxUnauthenticatedBytes);
  const clients = new Map<string, Budget>();
  const clientOf = (name: string): Budget => {
    const budget = clients.get(name) ?? budgetOf(maxBytesPerClient, maxArrivingPerClient);
    clients.set(name, budget);
    return budget;
  };
  return {
    /** Runs the work with the whole body. The bytes count as used memory until the work is done. */
    async receive<T>(
      request: Request,
      { maxBytes, unauthenticated: names }: UploadTerms,
      work: (body: Uint8Array) => Promise<T>,
    ): Promise<T> {
      if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong(maxBytes);
      const { promise: dropped, reject: drop } = Promise.withResolvers<never>();
      dropped.catch(() => {});
      const budgets = names === undefined ? [total] : [unauthenticated, ...names.map(clientOf)];
      const upload: Upload = { budgets, bytes: 0, drop };
      const timer =
        names === undefined ? undefined : setTimeout(() => drop(tooSlow()), unauthenticatedTimeoutMs);
      for (const { arriving } of budgets) arriving.add(upload);
      if (names !== undefined) makeRoom(budgets);
      try {
        const body = await read(request, dropped, (bytes, length) => {
          if (length > maxBytes) throw tooLong(maxBytes);
          charge(upload, bytes);
          if (names !== undefined) makeRoom(budgets);
          else if (total.bytes > total.maxBytes) throw overloaded('too much data is being uploaded');
        });
        arrived(upload, timer);
        return await work(body);
      } finally {
        arrived(upload, timer);
        charge(upload, -upload.bytes);
        for (const name of names ?? []) {
          const { bytes, arriving } = clientOf(name);
          if (bytes === 0 && arriving.size === 0) clients.delete(name);
        }
      }
    },
  };
}

const maxShortBytes = 4_096;

/** Reads a form or a small JSON object from an unauthenticated client. */
export const shortBody = <T>(
  uploads: Uploads,
  { req }: Context,
  address: string,
  work: (body: string) => Promise<T>,
): Promise<T> =>
  uploads.receive(req.raw, { maxBytes: maxShortBytes, unauthenticated: [`address ${address}`] }, (body) =>
    work(new TextDecoder().decode(body)),
  );

const budgetOf = (maxBytes: number, maxArriving = Number.POSITIVE_INFINITY): Budget => ({
  maxBytes,
  maxArriving,
  bytes: 0,
  arriving: new Set(),
});

function charge(upload: Upload, bytes: number): void {
  upload.bytes += bytes;
  for (const budget of upload.budgets) budget.bytes += bytes;
}

function arrived(upload: Upload, timer: NodeJS.Timeout | undefined): void {
  clearTimeout(timer);
  for (const { arriving } of upload.budgets) arriving.delete(upload);
}

/** Drops the oldest uploads until each budget is within its limits. This can be the newest upload, if it is the only one. */
function makeRoom(budgets: Budget[]): void {
  for (const budget of budgets) {
    while (budget.bytes > budget.maxBytes || budget.arriving.size > budget.maxArriving) {
      const [oldest] = budget.arriving;
      if (oldest === undefined) break;
      arrived(oldest, undefined);
      charge(oldest, -oldest.bytes);
      oldest.drop(overloaded('too many uploads are in progress'));
    }
  }
}

async function read(
  { body }: Request,
  dropped: Promise<never>,
  count: (bytes: number, length: number) => void,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  try {
    for (;;) {
      const next = await Promise.race([dropped, reader?.read()]);
      if (next === undefined || next.done) break;
      length += next.value.length;
      parts.push(next.value);
      count(next.value.length, length);
    }
  } catch (error) {
    throw error instanceof AppError ? error : incompleteBody(error);
  }
  return Buffer.concat(parts);
}

const tooLong = (maxBytes: number): AppError =>
  new AppError('INVALID_ARGUMENT', 'the body is too long', { hint: `Send at most ${maxBytes} bytes` });

const tooSlow = (): AppError =>
  new AppError('INVALID_ARGUMENT', 'the body did not arrive in time', {
    hint: `Send it within ${unauthenticatedTimeoutMs / 1_000} seconds`,
    retryable: true,
  });
