import type { Anchor } from '../domain/anchor.ts';

/**
 * An anchor as a line of a note's front matter, which people can read and correct:
 * `src/load.js:3-9 load @1a2b3c4d5e6f #9f31c2…`. The symbol, the commit and the hash may be missing.
 */
export function formatAnchor({ path, start, lines, symbol, commit }: Anchor): string {
  const count = lines.kind === 'span' ? lines.count : lines.hashes.length;
  const hash = lines.kind === 'span' ? lines.hash : '';
  return [
    `${path}:${start}-${start + count - 1}`,
    ...(symbol === undefined ? [] : [symbol.replace(/\s+/g, '_')]),
    ...(commit === '' ? [] : [`@${commit.slice(0, 12)}`]),
    ...(hash === '' ? [] : [`#${hash}`]),
  ].join(' ');
}

const anchorLine = /^(\S.*?):(\d+)(?:-(\d+))?(?: ([^@#\s]\S*))?(?: @([0-9a-f]{7,64}))?(?: #([0-9a-f]{32}))?$/;
const maxLines = 2_000;

/**
 * Parses an anchor from a line of a note's front matter; returns undefined if the line does not name a place in a file.
 */
export function parseAnchor(text: string, at: number): Anchor | undefined {
  const [, path, from, to, symbol, commit = '', hash = ''] = anchorLine.exec(text.trim()) ?? [];
  const start = Number(from);
  const count = Number(to ?? from) - start + 1;
  if (path === undefined || start < 1 || count < 1 || count > maxLines) return undefined;
  return {
    path,
    start,
    lines: { kind: 'span', count, hash },
    commit,
    branch: '',
    at,
    ...(symbol === undefined ? {} : { symbol }),
  };
}
