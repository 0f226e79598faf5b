import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUploads, type Uploads } from './uploads.ts';

const mebibyte = 1024 * 1024;
const terms = (...unauthenticated: string[]) => ({ maxBytes: mebibyte, unauthenticated });
const known = { maxBytes: 8 * mebibyte };

/** A request whose body arrives as the test says. */
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

  it('takes no room before it has arrived, whatever length it announces', async () => {
    const stalled = Array.from({ length: 64 }, () => {
      const { request, send } = sending(mebibyte);
      send(1);
      return uploads.receive(request, terms('address a'), sizeOf).catch((error: Error) => error.message);
    });
    await settle();
    expect(await whole(mebibyte, 'address a')).toBe(mebibyte);
    await vi.advanceTimersByTimeAsync(5_000);
    const messages = new Set(await Promise.all(stalled));
    // The newcomer was one more than an address may have under way.
    expect(messages).toEqual(new Set(['too many uploads are under way', 'the body did not arrive in time']));
  });

  it('gives way to a newer one when its address, its webhook or everybody holds too much', async () => {
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
      await expect(Promise.race([outcomes[0], settle()])).resolves.toBe('too many uploads are under way');
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all(outcomes);
    }
  });

  it('has no limit of seconds with a valid token, but all of them share some megabytes', async () => {
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

  it('is refused when it is too long, at once where it says so', async () => {
    const long = { code: 'INVALID_ARGUMENT' };
    const said = sending(mebibyte + 1);
    await expect(uploads.receive(said.request, terms('address a'), sizeOf)).rejects.toMatchObject(long);
    const silent = sending();
    const refused = uploads.receive(silent.request, terms('address a'), sizeOf);
    silent.send(mebibyte + 1);
    await expect(refused).rejects.toMatchObject(long);
  });
});
