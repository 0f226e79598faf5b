export type GrammarName =
  | 'typescript'
  | 'tsx'
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'c'
  | 'cpp'
  | 'ruby'
  | 'php'
  | 'csharp';

const extensions: Record<string, GrammarName> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  ipp: 'cpp',
  inl: 'cpp',
  rb: 'ruby',
  rake: 'ruby',
  gemspec: 'ruby',
  php: 'php',
  cs: 'csharp',
};

/** A Map, because a file may be named `x.constructor`. */
const byExtension = new Map(Object.entries(extensions));

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
