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
