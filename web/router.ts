import { signal } from '@preact/signals';
import { enterStep, stepName } from './step.ts';

/** Where we are, from the part of the address after `#`: it needs nothing of the server and survives a reload. */
export interface Route {
  /** Empty at the door. */
  page: string;
  /** What follows the page's name, such as the id of a note. */
  rest: string;
  query: URLSearchParams;
  /** Which step in the browser's history this is: the same place again is another one. */
  step: string;
}

export const route = signal<Route>(parse(location.hash));

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page, rest: safeDecode(rest.join('/')), query: new URLSearchParams(query), step: stepName() };
}

/** Somebody may paste half an address. */
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
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${page}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}${asked === '' ? '' : `?${asked}`}`;
}

export function go(link: string): void {
  location.hash = link;
}

/** The same place with another question, without a step in the browser's history for every letter typed. */
export function replace(link: string): void {
  history.replaceState(history.state, '', link);
  route.value = parse(link);
}
