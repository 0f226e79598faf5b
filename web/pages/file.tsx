import { Loaded } from '../parts/states.tsx';
import { useResource } from '../resource.ts';

/** Loads the code of file pages on first use, because the first view does not need it. */
export function FilePage() {
  const code = useResource(() => import('../file/page.tsx'), []);
  return <Loaded of={code}>{({ FileBody }) => <FileBody />}</Loaded>;
}
