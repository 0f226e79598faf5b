import { useEffect } from 'preact/hooks';
import { plainly } from './plainly.ts';

const mostLetters = 80;

/** Tabs, bookmarks and the browser's history tell one note from another by it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${plainly(title).slice(0, mostLetters)} · Backstory`;
  }, [title]);
}
