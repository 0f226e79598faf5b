import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../failure.ts';
import type { Resource } from '../resource.ts';
import type { Answer, Hit } from '../wire.ts';

/**
 * The answer to what is being typed, asked for with the first letter: nobody waits for a pause in their own typing.
 * While one question is on its way the next waits, and of those that wait only the last is asked.
 */
export function useAnswer<H extends Hit>(
  text: string,
  load: (words: string) => Promise<Answer<H>>,
  dependencies: unknown[] = [],
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
      // Whoever has emptied the field meanwhile asks nothing any more.
      if (isAsked.current) set({ ...answer, isLoading: wanted.current !== undefined });
    }
    isAsking.current = false;
  };
  // Not after the next paint: that would be a frame of waiting for nothing.
  useLayoutEffect(() => {
    isAsked.current = words !== '';
    wanted.current = words === '' ? undefined : () => load(words);
    if (words === '') set({ isLoading: false });
    else {
      set((before) => ({ ...before, isLoading: true }));
      void ask();
    }
  }, [words, ...dependencies]);
  return resource;
}
