const extensions = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js jsx mjs cjs',
  python: 'py pyi',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c h',
  cpp: 'cc cpp cxx hpp hh hxx ipp inl',
  ruby: 'rb rake gemspec',
  php: 'php',
  csharp: 'cs',
};

export type GrammarName = keyof typeof extensions;

const byExtension = new Map(
  (Object.entries(extensions) as [GrammarName, string][]).flatMap(([grammar, own]) =>
    own.split(' ').map((extension) => [extension, grammar] as const),
  ),
);

/** Line starts that occur only in C++. */
const cppOnly =
  /^[ \t]*(?:class\s+\w|namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:|using\s+\w)/m;

/** Returns undefined for a language without a parser. For headers the text decides between C and C++. */
export function grammarOf(path: string, text: string): GrammarName | undefined {
  const grammar = grammarOfName(path);
  return grammar === 'c' && path.endsWith('.h') && cppOnly.test(text) ? 'cpp' : grammar;
}

export const grammarOfName = (path: string): GrammarName | undefined =>
  byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
