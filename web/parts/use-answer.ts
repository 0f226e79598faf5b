import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Answer, ShownHit } from '../api.ts';
import { failureOf } from '../failure.ts';
import type { Resource } from '../resource.ts';

/**
 * Searches while the user types, without a debounce delay. Only one request is in flight; when it returns, only the
 * latest query is sent.
 */
export function useAnswer<H extends ShownHit>(
  text: string,
  load: (words: string) => Promise<Answer<H>>,
  dependencies: unknown[] = [],
  /** Whether there is something to ask; a filter is enough. */
  isWanted = text.trim() !== '',
): Resource<Answer<H>> {
  const [resource, set] = useState<Resource<Answer<H>>>({ isLoading: false });
  const wanted = useRef<(() => Promise<Answer<H>>) | undefined>(undefined);
  const isAsking = useRef(false);
  const isAsked = useRef(false);
  const words = text.trim();
  const ask = async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    for (let question = wanted.current; question !== undefined; question = wanted.current) {
      wanted.current = undefined;
      const answer = await question().then(
        (value): Resource<Answer<H>> => ({ value, isLoading: false }),
        (error): Resource<Answer<H>> => ({ failure: failureOf(error), isLoading: false }),
      );
      // Discard the result if the field was emptied in the meantime.
      if (isAsked.current) set({ ...answer, isLoading: wanted.current !== undefined });
    }
    isAsking.current = false;
  };
  // A layout effect, so that the request does not wait for the next paint.
  useLayoutEffect(() => {
    isAsked.current = isWanted;
    wanted.current = isWanted ? () => load(words) : undefined;
    if (!isWanted) set({ isLoading: false });
    else {
      set((before) => ({ ...before, isLoading: true }));
      void ask();
    }
  }, [words, isWanted, ...dependencies]);
  return resource;
}
