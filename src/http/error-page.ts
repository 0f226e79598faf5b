import type { Context } from 'hono';

/**
 * True if a browser requests a page, for example after the session has expired or when a sign-in link is opened twice.
 * The browser then gets an HTML page; programs get the JSON error.
 */
export const isPageRequest = ({ req }: Pick<Context, 'req'>): boolean =>
  req.method === 'GET' && req.header('sec-fetch-dest') === 'document';

export const signedOutPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Signed out · Backstory</title>
<h1>You are signed out</h1>
<p>A sign-in link works once, and a session lasts 12 hours.</p>
<p>To open the viewer again, run in a terminal: <code>backstory ui</code></p>
</html>
`;
