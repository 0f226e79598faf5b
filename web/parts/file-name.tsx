import { signal } from '@preact/signals';
import type { Hit } from '../../src/wire/answers/memory.ts';
import { type FilePlace, fileLink } from './file-link.ts';

/** Whether this viewer has pages of files. A team server has no checkout to show. */
export const hasFilePages = signal(false);

/** A path that leads to its page. Paths that the checkout does not have, which events may name, have none. */
export const FileName = ({
  path,
  label = path,
  isMissing = false,
  ...place
}: FilePlace & { path: string; label?: string | undefined; isMissing?: boolean | undefined }) =>
  hasFilePages.value && isInside(path) && !isMissing ? (
    <a class="file-name" href={fileLink(path, place)} title={label === path ? undefined : path}>
      <code>{label}</code>
    </a>
  ) : (
    <code title={label === path ? undefined : path}>{label}</code>
  );

const isInside = (path: string): boolean => !/^(?:\/|~|[A-Za-z]:[\\/])/.test(path);

type PathsOf = Pick<Partial<Hit>, 'missing'> & { paths: string[]; shown?: number };

/** The paths that a memory is about, the first `shown` of them. */
export const Paths = ({ paths, missing, shown = paths.length }: PathsOf) =>
  paths.length === 0 ? null : (
    <p class="paths">
      {paths.slice(0, shown).map((path) => (
        <FileName key={path} path={path} isMissing={missing?.includes(path)} />
      ))}
      {paths.length > shown && <span class="muted">{paths.length - shown} more</span>}
    </p>
  );
