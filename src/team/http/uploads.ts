import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { brokenOff } from '../../http/request-input.ts';
import { overloaded } from './limits.ts';

/**
 * The only way the team server reads a request body. Memory is charged for bytes that have arrived, never for the
 * length a client announces: announcing costs a client nothing.
 *
 * Bodies of unauthenticated clients (webhooks, sign-in) must arrive within seconds, and share a part of the memory.
 * When an address, a webhook or all of them together hold too much, the upload that began first is dropped: one that
 * is sent at normal speed is read within milliseconds, so it is a stalled one that goes.
 */
export interface Uploads {
  /** Runs the work with the whole body; its bytes count as held until the work is done. */
  receive<T>(request: Request, terms: UploadTerms, work: (body: Uint8Array) => Promise<T>): Promise<T>;
}

export interface UploadTerms {
  maxBytes: number;
  /** For an unauthenticated client, what to count it by besides the total, such as its address; undefined for others. */
  unauthenticated?: string[] | undefined;
}

const maxHeldBytes = 16 * 1024 * 1024;
const maxUnauthenticatedBytes = 8 * 1024 * 1024;
/** For each address and each webhook. */
const maxBytesPerClient = 4 * 1024 * 1024;
const maxArrivingPerClient = 64;
const unauthenticatedPatienceMs = 5_000;

/** One budget: how many bytes are held, and which uploads are still arriving, oldest first. */
interface Account {
  maxBytes: number;
  maxArriving: number;
  bytes: number;
  arriving: Set<Upload>;
}

interface Upload {
  accounts: Account[];
  bytes: number;
  /** Ends the upload while it arrives. */
  drop(error: AppError): void;
}

export function createUploads(): Uploads {
  const total = accountOf(maxHeldBytes);
  const unauthenticated = accountOf(maxUnauthenticatedBytes);
  const clients = new Map<string, Account>();
  const clientOf = (name: string): Account => {
    const account = clients.get(name) ?? accountOf(maxBytesPerClient, maxArrivingPerClient);
    clients.set(name, account);
    return account;
  };
  return {
    async receive(request, { maxBytes, unauthenticated: names }, work) {
      if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong(maxBytes);
      const { promise: dropped, reject: drop } = Promise.withResolvers<never>();
      dropped.catch(() => {});
      const accounts = names === undefined ? [total] : [unauthenticated, ...names.map(clientOf)];
      const upload: Upload = { accounts, bytes: 0, drop };
      const patience =
        names === undefined ? undefined : setTimeout(() => drop(tooSlow()), unauthenticatedPatienceMs);
      for (const { arriving } of accounts) arriving.add(upload);
      if (names !== undefined) makeRoom(accounts);
      try {
        const body = await read(request, dropped, (bytes, length) => {
          if (length > maxBytes) throw tooLong(maxBytes);
          hold(upload, bytes);
          if (names !== undefined) makeRoom(accounts);
          else if (total.bytes > total.maxBytes) throw overloaded('too many bytes are being uploaded');
        });
        arrived(upload, patience);
        return await work(body);
      } finally {
        arrived(upload, patience);
        hold(upload, -upload.bytes);
        for (const name of names ?? []) {
          const { bytes, arriving } = clientOf(name);
          if (bytes === 0 && arriving.size === 0) clients.delete(name);
        }
      }
    },
  };
}

const maxShortBytes = 4_096;

/** The body of a form or a small JSON object that anybody may send. */
export const shortBody = <T>(
  uploads: Uploads,
  { req }: Context,
  address: string,
  work: (body: string) => Promise<T>,
): Promise<T> =>
  uploads.receive(req.raw, { maxBytes: maxShortBytes, unauthenticated: [`address ${address}`] }, (body) =>
    work(new TextDecoder().decode(body)),
  );

const accountOf = (maxBytes: number, maxArriving = Number.POSITIVE_INFINITY): Account => ({
  maxBytes,
  maxArriving,
  bytes: 0,
  arriving: new Set(),
});

function hold(upload: Upload, bytes: number): void {
  upload.bytes += bytes;
  for (const account of upload.accounts) account.bytes += bytes;
}

function arrived(upload: Upload, patience: NodeJS.Timeout | undefined): void {
  clearTimeout(patience);
  for (const { arriving } of upload.accounts) arriving.delete(upload);
}

/** Drops the oldest uploads until each account is within its limits; the newest may be the only one left to drop. */
function makeRoom(accounts: Account[]): void {
  for (const account of accounts) {
    while (account.bytes > account.maxBytes || account.arriving.size > account.maxArriving) {
      const [oldest] = account.arriving;
      if (oldest === undefined) break;
      arrived(oldest, undefined);
      hold(oldest, -oldest.bytes);
      oldest.drop(overloaded('too many uploads are under way'));
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
    throw error instanceof AppError ? error : brokenOff(error);
  }
  return Buffer.concat(parts);
}

const tooLong = (maxBytes: number): AppError =>
  new AppError('INVALID_ARGUMENT', 'the body is too long', { hint: `Send at most ${maxBytes} bytes` });

const tooSlow = (): AppError =>
  new AppError('INVALID_ARGUMENT', 'the body did not arrive in time', {
    hint: `Send it within ${unauthenticatedPatienceMs / 1_000} seconds`,
    retryable: true,
  });
