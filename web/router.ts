import { signal } from '@preact/signals';
import { enterStep, stepName } from './step.ts';

/** The current page, read from the part of the address after `#`, which needs no server route and survives a reload. */
export interface Route {
  /** Name of the page; empty for the start page. */
  page: string;
  /** The path after the page's name, such as the id of a note. */
  rest: string;
  query: URLSearchParams;
  /** Identifies the entry in the browser's history. Visiting the same page again makes another entry. */
  step: string;
}

export const route = signal<Route>(parse(location.hash));

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page, rest: safeDecode(rest.join('/')), query: new URLSearchParams(query), step: stepName() };
}

/** Decodes a part of the address. A pasted address may be incomplete; then the part stays as it is. */
function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

addEventListener('hashchange', () => {
  enterStep();
  route.value = parse(location.hash);
});

export function linkTo(page: string, rest = '', query: Record<string, string> = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${page}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}${search === '' ? '' : `?${search}`}`;
}

export function go(link: string): void {
  location.hash = link;
}

/** Changes the address without a new history entry, for example while the user types a query. */
export function replace(link: string): void {
  history.replaceState(history.state, '', link);
  route.value = parse(link);
}
