import { AppError } from '../base/errors.ts';

/** Names people use, each with the ends of its files' names. */
const languages: Record<string, string[]> = {
  c: ['.c', '.h'],
  cpp: ['.cc', '.cpp', '.cxx', '.hpp', '.hh', '.hxx', '.h', '.ipp'],
  csharp: ['.cs'],
  css: ['.css', '.scss', '.sass', '.less'],
  dart: ['.dart'],
  elixir: ['.ex', '.exs'],
  go: ['.go'],
  haskell: ['.hs'],
  html: ['.html', '.htm'],
  java: ['.java'],
  javascript: ['.js', '.jsx', '.mjs', '.cjs'],
  json: ['.json', '.jsonc'],
  kotlin: ['.kt', '.kts'],
  lua: ['.lua'],
  markdown: ['.md', '.mdx'],
  php: ['.php'],
  python: ['.py', '.pyi'],
  ruby: ['.rb', '.rake'],
  rust: ['.rs'],
  scala: ['.scala'],
  shell: ['.sh', '.bash', '.zsh'],
  sql: ['.sql'],
  svelte: ['.svelte'],
  swift: ['.swift'],
  toml: ['.toml'],
  typescript: ['.ts', '.tsx', '.mts', '.cts'],
  vue: ['.vue'],
  yaml: ['.yml', '.yaml'],
  zig: ['.zig'],
};

const short: Record<string, string> = {
  'c++': 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  js: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  bash: 'shell',
  ts: 'typescript',
  yml: 'yaml',
};

export function extensionsOf(name: string): string[] {
  const folded = name.toLowerCase().replace(/^\./, '');
  const extensions = languages[short[folded] ?? folded];
  if (extensions !== undefined) return extensions;
  throw new AppError('INVALID_QUERY', `there is no language called ${name} here`, {
    hint: `Languages: ${Object.keys(languages).join(', ')}; or give a path such as *.${folded}`,
  });
}

const notPrograms = new Set(['html', 'json', 'markdown', 'toml', 'yaml']);
const programEnds = new Set(
  Object.entries(languages)
    .filter(([name]) => !notPrograms.has(name))
    .flatMap(([, ends]) => ends),
);
/** Languages nobody searches by name, but which are programs all the same. */
for (const end of [
  '.clj',
  '.cr',
  '.erl',
  '.f90',
  '.fs',
  '.jl',
  '.l',
  '.m',
  '.ml',
  '.mm',
  '.nim',
  '.pl',
  '.pyx',
  '.r',
  '.y',
])
  programEnds.add(end);

/** Written to be run, as far as the end of its name says. */
export const isProgram = (path: string): boolean =>
  programEnds.has(path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/'))).toLowerCase());
