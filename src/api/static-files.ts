import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';
import { sha256 } from '../base/ids.ts';

export interface StaticFile {
  headers: Record<string, string> & { etag: string };
  content: Uint8Array<ArrayBuffer>;
  /** The content compressed; undefined if that would save nothing. */
  gzipped(): Uint8Array<ArrayBuffer> | undefined;
}

export type StaticFiles = ReadonlyMap<string, StaticFile>;

const textFiles = new Set(['.html', '.js', '.css', '.svg']);

/** Nothing is loaded from other origins, and inline scripts and styles are not allowed. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Reads the built viewer. Nothing else is read later, so path traversal is impossible. */
export function listStaticFiles(folder: string): StaticFiles {
  // A build without the viewer still serves the API.
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const name = `/${relative(folder, path).split(sep).join('/')}`;
        return [name, staticFile(name, path)];
      }),
  );
}

function staticFile(name: string, path: string): StaticFile {
  const content = new Uint8Array(readFileSync(path));
  // Weak, because it is also that of the compressed content.
  const etag = `W/"${sha256(content).slice(0, 32)}"`;
  let gzipped: Uint8Array<ArrayBuffer> | undefined;
  // Names under /assets/ contain a hash of the content; other files may change.
  const cacheControl = name.startsWith('/assets/')
    ? 'private, max-age=31536000, immutable'
    : 'private, no-cache';
  return {
    headers: {
      etag,
      'content-type': getMimeType(name) ?? 'application/octet-stream',
      'cache-control': cacheControl,
      'content-security-policy': pagePolicy,
      vary: 'accept-encoding',
    },
    content,
    gzipped() {
      if (!textFiles.has(extname(name))) return undefined;
      gzipped ??= new Uint8Array(gzipSync(content, { level: 9 }));
      return gzipped;
    },
  };
}
