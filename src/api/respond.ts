import { sha256 } from '../base/ids.ts';
import { mapStrings, readable } from '../text/fence.ts';
import { hasHidden, showHidden } from '../text/hidden-characters.ts';
import type { RouteShape } from './route.ts';
import type { StaticFile } from './static-files.ts';

/** The only place where hidden characters are removed from or escaped in text for the viewer or a program. */
export function serialise({ text = 'memory' }: Pick<RouteShape, 'text'>, answer: unknown): string {
  const json = JSON.stringify(answer);
  if (text === 'exact' || !(hasHidden(json) || escapedControl.test(json))) return json;
  return JSON.stringify(mapStrings(answer, text === 'code' ? showHidden : readable));
}

/** Matches the escapes that JSON uses for control characters. Most answers contain none and need no cleaning. */
const escapedControl = /\\[bfru]/;

interface Asked {
  method: string;
  header(name: string): string | undefined;
}

export const securityHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Of responses that are no page: a browser that shows one loads nothing for it. */
export const dataHeaders = { ...securityHeaders, 'content-security-policy': "default-src 'none'" };

/** Of pages and their files: no other origin can embed or read them. */
export const pageHeaders = {
  ...securityHeaders,
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** A text body, because the server sends it directly, without turning it into a stream. */
export function jsonResponse(
  req: Asked,
  body: string,
  { status = 200, location }: { status?: number | undefined; location?: string | undefined } = {},
): Response {
  const headers = {
    ...dataHeaders,
    ...(location === undefined ? {} : { location }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
    etag: `"${sha256(body).slice(0, 32)}"`,
  };
  const known = (req.header('if-none-match') ?? '').split(/,\s*/);
  return req.method === 'GET' && known.includes(headers.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { status, headers });
}

export function fileResponse(req: Asked, file: StaticFile): Response {
  const headers = { ...file.headers, ...pageHeaders };
  if (req.header('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
  const gzipped = /\bgzip\b/.test(req.header('accept-encoding') ?? '') ? file.gzipped() : undefined;
  return gzipped === undefined
    ? new Response(file.content, { headers })
    : new Response(gzipped, { headers: { ...headers, 'content-encoding': 'gzip' } });
}
