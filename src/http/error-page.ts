import type { Context } from 'hono';
import { htmlPage } from '../api/html-page.ts';

/**
 * True if a browser requests a page, for example after the session has expired or when a sign-in link is opened twice.
 * The browser then gets an HTML page; programs get the JSON error.
 */
export const isPageRequest = ({ req }: Pick<Context, 'req'>): boolean =>
  req.method === 'GET' && req.header('sec-fetch-dest') === 'document' && !req.path.startsWith('/api/');

const startPage = '<p><a href="/">Go to the start page</a></p>';

/** The page for an error. It contains nothing from the request. */
export function errorPage(status: number): string {
  if (status === 401)
    return htmlPage(
      'You are signed out',
      `<p>A sign-in link works once, and a session lasts 12 hours.</p>
<p>To open the viewer again, run in a terminal: <code>backstory ui</code></p>`,
    );
  if (status === 404) return htmlPage('This page does not exist', startPage);
  return htmlPage(
    'This page cannot be shown',
    `<p>To find out why, run in a terminal: <code>backstory doctor</code></p>${startPage}`,
  );
}
