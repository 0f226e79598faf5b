import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, failureOf } from '../failure.ts';
import { Loaded } from '../parts/states.tsx';

let loaded: ComponentType | undefined;

/** Loads the code of file pages on first use, because the first view does not need it. */
export function FilePage() {
  const [Body, setBody] = useState(() => loaded);
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    if (Body !== undefined) return;
    import('../file/page.tsx').then(
      ({ FileBody }) => {
        loaded = FileBody;
        setBody(() => FileBody);
      },
      (error) => setFailure(failureOf(error)),
    );
  }, []);
  return (
    <Loaded of={{ isLoading: true, ...(Body && { value: Body }), ...(failure && { failure }) }}>
      {(Shown) => <Shown />}
    </Loaded>
  );
}
