import { htmlPage, htmlPageHeaders } from '../../api/html-page.ts';

/** Renders the server's own pages, such as sign-in. Scripts are disabled on them. */
export const page = (
  heading: string,
  message: string,
  content: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response =>
  new Response(htmlPage(heading, `<p role="status">${message}</p>${content}`), {
    status,
    headers: {
      ...htmlPageHeaders,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // With `no-referrer`, browsers would send `Origin: null` with forms, and the origin check would fail.
      'referrer-policy': 'same-origin',
      ...headers,
    },
  });

export const asText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
