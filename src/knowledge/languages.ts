import { isSource, type ProjectTree } from './project-tree.ts';

const names: Record<string, string> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  pyi: 'Python',
  pyx: 'Cython',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  kts: 'Kotlin',
  scala: 'Scala',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  cxx: 'C++',
  hpp: 'C++',
  hh: 'C++',
  cs: 'C#',
  rb: 'Ruby',
  php: 'PHP',
  swift: 'Swift',
  dart: 'Dart',
  ex: 'Elixir',
  exs: 'Elixir',
  lua: 'Lua',
  zig: 'Zig',
  hs: 'Haskell',
  vue: 'Vue',
  svelte: 'Svelte',
  sql: 'SQL',
  sh: 'Shell',
};

const minShare = 0.1;

/** The languages of at least a tenth of the sources, most used first. */
export function languagesOf(tree: ProjectTree): string[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const path of tree.paths) {
    if (!isSource(path)) continue;
    const name = names[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    if (name === undefined) continue;
    total += 1;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // If there is any C++, count headers and C files as C++.
  if (counts.has('C++')) {
    counts.set('C++', (counts.get('C++') ?? 0) + (counts.get('C') ?? 0));
    counts.delete('C');
  }
  return [...counts]
    .filter(([, count]) => count >= total * minShare)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name]) => name);
}
