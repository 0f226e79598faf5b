import type { Context } from 'hono';

/**
 * For who reloads a tab after half a day, or opens the link of `backstory ui` a second time: a person, who cannot do
 * anything with an envelope. Programs never ask for a document and always get theirs.
 */
export const isPerson = ({ req }: Pick<Context, 'req'>): boolean =>
  req.method === 'GET' && req.header('sec-fetch-dest') === 'document';

export const signedOutPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Signed out · Backstory</title>
<h1>This link is over</h1>
<p>A link opens the viewer once, and what it opened stays open for half a day.</p>
<p>In a terminal: <code>backstory ui</code></p>
</html>
`;
