import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, failureOf } from './failure.ts';

/** What was asked for: on its way, there, or failed. While it is asked again the old answer stays. */
export interface Resource<T> {
  value?: T;
  failure?: ApiFailure;
  isLoading: boolean;
}

export function useResource<T>(load: () => Promise<T>, dependencies: unknown[]): Resource<T> {
  const [resource, set] = useState<Resource<T>>({ isLoading: true });
  useEffect(() => {
    let isWanted = true;
    set((before) => ({ ...before, isLoading: true }));
    load().then(
      (value) => isWanted && set({ value, isLoading: false }),
      (error) => isWanted && set({ failure: failureOf(error), isLoading: false }),
    );
    return () => {
      isWanted = false;
    };
  }, dependencies);
  return resource;
}
