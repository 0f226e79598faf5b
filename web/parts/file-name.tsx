import { signal } from '@preact/signals';
import { type FilePlace, fileLink } from './file-link.ts';

/** Whether this viewer has pages of files. A team server has no checkout to show. */
export const hasFilePages = signal(false);

/** A path that leads to its page. Paths outside the checkout, which events may name, have none. */
export const FileName = ({
  path,
  label = path,
  ...place
}: FilePlace & { path: string; label?: string | undefined }) =>
  hasFilePages.value && isInside(path) ? (
    <a class="file-name" href={fileLink(path, place)} title={label === path ? undefined : path}>
      <code>{label}</code>
    </a>
  ) : (
    <code title={label === path ? undefined : path}>{label}</code>
  );

const isInside = (path: string): boolean => !/^(?:\/|~|[A-Za-z]:[\\/])/.test(path);

/** The paths that a memory is about, the first `shown` of them. */
export const Paths = ({ paths, shown = paths.length }: { paths: string[]; shown?: number }) =>
  paths.length === 0 ? null : (
    <p class="paths">
      {paths.slice(0, shown).map((path) => (
        <FileName key={path} path={path} />
      ))}
      {paths.length > shown && <span class="muted">{paths.length - shown} more</span>}
    </p>
  );
