import { AppError } from '../base/errors.ts';

/** Language names, each with its file extensions. */
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

const aliases: Record<string, string> = {
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
  const extensions = languages[aliases[folded] ?? folded];
  if (extensions !== undefined) return extensions;
  throw new AppError('INVALID_QUERY', `unknown language: ${name}`, {
    hint: `Languages: ${Object.keys(languages).join(', ')}; or use a path such as *.${folded}`,
  });
}

const dataLanguages = new Set(['html', 'json', 'markdown', 'toml', 'yaml']);
const programExtensions = new Set(
  Object.entries(languages)
    .filter(([name]) => !dataLanguages.has(name))
    .flatMap(([, ends]) => ends),
);
/**
 * Extensions of other programming languages. They count as programs, but the language filter has no name for them.
 */
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
  programExtensions.add(end);

/** Whether the extension is that of a programming language. */
export const isProgram = (path: string): boolean =>
  programExtensions.has(path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/'))).toLowerCase());
