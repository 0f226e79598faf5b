import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, failureOf } from './failure.ts';
import { memoryChanges } from './live.ts';
import { chosenProject } from './project.ts';

/** Data that is loading, loaded or failed. A reload keeps the old value until it succeeds. */
export interface Resource<T> {
  value?: T;
  failure?: ApiFailure;
  isLoading: boolean;
}

/**
 * Shows data only once what stands above it is loaded too. Otherwise the scroll position would be restored too early,
 * and be wrong when the part above is inserted.
 */
export const below = <T>(above: Resource<unknown>, own: Resource<T>): Resource<T> =>
  above.value === undefined && above.failure === undefined ? { isLoading: true } : own;

/** Loads again when `key` or `reload` changes. A new `key` means other data, so a failure discards the old value. */
export function useResource<T>(load: () => Promise<T>, key: unknown[], reload: unknown[] = []): Resource<T> {
  const question = JSON.stringify(key);
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
        // If only the server became unreachable, keep the value that the user is reading or editing.
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
  }, [question, ...reload]);
  return resource;
}

/** Loads memory of the chosen project, and again when it changes. */
export const useMemoryResource = <T>(
  load: () => Promise<T>,
  key: unknown[] = [],
  reload: unknown[] = [],
): Resource<T> => useResource(load, [chosenProject.value, ...key], [memoryChanges.value, ...reload]);
