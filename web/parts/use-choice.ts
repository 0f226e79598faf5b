import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys.ts';

/** Which row of a list the keys are about: j and k go through it, and it stays in view. */
export function useChoice(length: number, open: (at: number) => void) {
  const [at, setAt] = useState(-1);
  const list = useRef<HTMLElement>(null);
  const chosen = Math.min(at, length - 1);
  const step = (by: number) => setAt(Math.max(0, Math.min(length - 1, chosen + by)));
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ...(chosen < 0 ? {} : { Enter: () => open(chosen), o: () => open(chosen) }),
  });
  useEffect(() => {
    list.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return { chosen, choose: setAt, list };
}
