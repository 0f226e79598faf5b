import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { sha256 } from '../base/ids.ts';

export interface StaticFile {
  etag: string;
  headers: Record<string, string>;
  read(): Uint8Array<ArrayBuffer>;
}

export interface StaticFiles {
  /** By the path of a request; a page of the viewer for whatever looks like one. */
  find(path: string): StaticFile | undefined;
  /** The one of exactly this name. */
  named(name: string): StaticFile | undefined;
}

export const noStaticFiles: StaticFiles = { find: () => undefined, named: () => undefined };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** Nothing from anywhere else, and nothing that stands in the page itself is run. */
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

/**
 * The viewer as it was built. Its files are listed once, and only what is on the list is ever read, so that no path,
 * however it is written, leads out of the folder.
 */
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
    find(asked) {
      const isPage = extname(asked) === '' && !asked.startsWith('/api/');
      return named(files.has(asked) ? asked : isPage ? '/index.html' : '');
    },
  };
}

function staticFile(name: string, path: string): StaticFile {
  const content = new Uint8Array(readFileSync(path));
  const etag = `"${sha256(content).slice(0, 32)}"`;
  // Names under assets are made from what the files hold; the others may hold something else tomorrow.
  const keep = name.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'private, no-cache';
  return {
    etag,
    headers: {
      etag,
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': keep,
      'content-security-policy': pagePolicy,
    },
    read: () => content,
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    // A build without the viewer still answers programs.
    return [];
  }
}
