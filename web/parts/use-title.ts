import { useEffect } from 'preact/hooks';
import { plainly } from './plainly.ts';

const maxTitleLength = 80;

/** Sets the title of the document, so that tabs, bookmarks and history entries differ. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${plainly(title).slice(0, maxTitleLength)} · Backstory`;
  }, [title]);
}
