import { useEffect } from 'preact/hooks';
import { escapeHidden } from './escape-hidden.ts';

const maxTitleLength = 80;

/** Sets the title of the document, so that tabs, bookmarks and history entries differ. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${escapeHidden(title).slice(0, maxTitleLength)} · Backstory`;
  }, [title]);
}
