import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';
import { sha256 } from '../base/ids.ts';

export interface StaticFile {
  etag: string;
  headers: Record<string, string>;
  read(): Uint8Array<ArrayBuffer>;
  /** The content compressed; undefined if that would save nothing. */
  gzipped(): Uint8Array<ArrayBuffer> | undefined;
}

export interface StaticFiles {
  /** Returns the file for the path of a request. For page URLs of the viewer that is index.html. */
  find(path: string): StaticFile | undefined;
  /** Returns the file with exactly this name. */
  named(name: string): StaticFile | undefined;
}

export const noStaticFiles: StaticFiles = { find: () => undefined, named: () => undefined };

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

/** The files of the built viewer. They are listed once, and only listed files are read, so path traversal is impossible. */
export function listStaticFiles(folder: string): StaticFiles {
  const files = new Map(
    listFiles(folder).map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]),
  );
  const found = new Map<string, StaticFile>();
  const named = (name: string): StaticFile | undefined => {
    const path = files.get(name);
    if (path === undefined) return undefined;
    const known = found.get(name) ?? staticFile(name, path);
    found.set(name, known);
    return known;
  };
  return {
    named,
    find(path) {
      const isPage = extname(path) === '' && !path.startsWith('/api/');
      return named(files.has(path) ? path : isPage ? '/index.html' : '');
    },
  };
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
    etag,
    headers: {
      etag,
      'content-type': getMimeType(name) ?? 'application/octet-stream',
      'cache-control': cacheControl,
      'content-security-policy': pagePolicy,
      vary: 'accept-encoding',
    },
    read: () => content,
    gzipped() {
      if (!textFiles.has(extname(name))) return undefined;
      gzipped ??= new Uint8Array(gzipSync(content, { level: 9 }));
      return gzipped;
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    // A build without the viewer still serves the API.
    return [];
  }
}
