/** A place in a file: a line or a range, now or as of a commit. */
export interface FilePlace {
  line?: number | undefined;
  to?: number | undefined;
  commit?: string | undefined;
}

/** Links to the page of a file. The path stays readable in the address. */
export function fileLink(path: string, { line, to, commit }: FilePlace = {}): string {
  const query = new URLSearchParams();
  if (line !== undefined) query.set('line', to === undefined || to === line ? `${line}` : `${line}-${to}`);
  if (commit !== undefined) query.set('commit', commit);
  const place = query.toString();
  return `#/file/${path.split('/').map(encodeURIComponent).join('/')}${place === '' ? '' : `?${place}`}`;
}
