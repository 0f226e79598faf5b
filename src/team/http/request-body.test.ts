import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUploads, type Uploads } from './request-body.ts';

const mebibyte = 1024 * 1024;
const terms = (...unauthenticated: string[]) => ({ maxBytes: mebibyte, unauthenticated });
const known = { maxBytes: 8 * mebibyte };

/** A request whose body arrives when the test sends it. */
function sending(announced?: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
  });
  const headers: Record<string, string> =
    announced === undefined ? {} : { 'content-length': String(announced) };
  return {
    request: new Request('http://localhost/', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit),
    send: (bytes: number) => controller?.enqueue(new Uint8Array(bytes)),
    end: () => controller?.close(),
  };
}

const sizeOf = async (body: Uint8Array): Promise<number> => body.length;
const settle = () => vi.advanceTimersByTimeAsync(1);

describe('[team-uploads] The body of a request', () => {
  let uploads: Uploads;
  beforeEach(() => {
    vi.useFakeTimers();
    uploads = createUploads();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const whole = (bytes: number, ...names: string[]) => {
    const { request, send, end } = sending(bytes);
    send(bytes);
    end();
    return uploads.receive(request, terms(...names), sizeOf);
  };

  it('uses memory only for bytes that have arrived, not for the announced length', async () => {
    const stalled = Array.from({ length: 64 }, () => {
      const { request, send } = sending(mebibyte);
      send(1);
      return uploads.receive(request, terms('address a'), sizeOf).catch((error: Error) => error.message);
    });
    await settle();
    expect(await whole(mebibyte, 'address a')).toBe(mebibyte);
    await vi.advanceTimersByTimeAsync(5_000);
    const [first, ...others] = await Promise.all(stalled);
    // The whole body made 65 uploads from one address, one more than allowed.
    expect(first).toBe('too many uploads are in progress');
    expect(new Set(others)).toEqual(new Set(['the body did not arrive in time']));
  });

  it('is dropped for a newer one if its address, its webhook or all clients together exceed a budget', async () => {
    for (const names of [
      (at: number) => [`address ${at}`],
      () => ['address a'],
      (at: number) => [`address ${at}`, 'webhook w'],
    ]) {
      const outcomes: Promise<unknown>[] = [];
      for (let at = 0; at < 9; at++) {
        const { request, send } = sending(mebibyte);
        send(mebibyte - 1);
        outcomes.push(
          uploads.receive(request, terms(...names(at)), sizeOf).catch((error: Error) => error.message),
        );
        await settle();
      }
      expect(await whole(mebibyte, ...names(10))).toBe(mebibyte);
      await expect(Promise.race([outcomes[0], settle()])).resolves.toBe('too many uploads are in progress');
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all(outcomes);
    }
  });

  it('has no time limit with a valid token, but all such bodies share a memory budget', async () => {
    const slow = sending();
    const first = uploads.receive(slow.request, known, sizeOf);
    slow.send(8 * mebibyte);
    await vi.advanceTimersByTimeAsync(30_000);
    const second = sending();
    const refused = uploads.receive(second.request, { maxBytes: 16 * mebibyte }, sizeOf);
    second.send(8 * mebibyte + 1);
    await expect(refused).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
    slow.end();
    expect(await first).toBe(8 * mebibyte);
    expect(await whole(mebibyte, 'address a')).toBe(mebibyte);
  });

  it('is refused if it is too long, and immediately if the announced length is', async () => {
    const long = { code: 'INVALID_ARGUMENT' };
    const announcing = sending(mebibyte + 1);
    await expect(uploads.receive(announcing.request, terms('address a'), sizeOf)).rejects.toMatchObject(long);
    const silent = sending();
    const refused = uploads.receive(silent.request, terms('address a'), sizeOf);
    silent.send(mebibyte + 1);
    await expect(refused).rejects.toMatchObject(long);
  });
});
