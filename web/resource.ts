import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, failureOf } from './failure.ts';

/** What was asked for: on its way, there, or failed. While it is asked again the old answer stays, also when that fails. */
export interface Resource<T> {
  value?: T;
  failure?: ApiFailure;
  isLoading: boolean;
}

/** `about` is what the question depends on; `again` only says when to ask the same once more. */
export function useResource<T>(load: () => Promise<T>, about: unknown[], again: unknown[] = []): Resource<T> {
  const question = JSON.stringify(about);
  const [{ of, ...resource }, set] = useState<Resource<T> & { of: string }>({
    of: question,
    isLoading: true,
  });
  useEffect(() => {
    let isWanted = true;
    set((before) => ({ ...before, isLoading: true }));
    load().then(
      (value) => isWanted && set({ of: question, value, isLoading: false }),
      (error) => {
        if (!isWanted) return;
        const failure = failureOf(error);
        // What somebody reads, or writes into, is not taken from them because the server went away.
        set((before) =>
          before.of === question && failure.code !== 'NOT_FOUND'
            ? { ...before, failure, isLoading: false }
            : { of: question, failure, isLoading: false },
        );
      },
    );
    return () => {
      isWanted = false;
    };
  }, [question, ...again]);
  return resource;
}
