import { spawnSync } from 'node:child_process';
import type { Language } from './trees.ts';

export interface Tag {
  path: string;
  name: string;
  line: number;
  end: number | undefined;
  kind: string;
  /** The source line. */
  pattern: string;
  scopeKind?: string;
  /** A known false positive of ctags. */
  isQuirk: boolean;
}

const names: Record<Language, string> = {
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  c: 'C',
  cpp: 'C++',
  ruby: 'Ruby',
  php: 'PHP',
  csharp: 'C#',
};

/** Kinds that are not definitions. */
const others = new Set([
  'package',
  'packageName',
  'import',
  'unknown',
  'local',
  'parameter',
  'label',
  'header',
  'library',
  'anonMember',
  'implementation',
]);

/**
 * Disagreements that were reviewed and are errors of ctags: names from `import` and `use`, JavaScript object literals
 * as classes, macro calls as prototypes, local variables.
 */
function isQuirk(language: Language, { kind, name, pattern, scopeKind }: Omit<Tag, 'isQuirk'>): boolean {
  if (kind === 'alias') return language !== 'rust' && !/\btype\b[^'"]*=/.test(pattern);
  if (kind === 'namespace') return language === 'python';
  if (language === 'javascript' && kind === 'class') return !/\bclass\b|\bfunction\b/.test(pattern);
  if (kind === 'prototype' || kind === 'function')
    return /^[A-Z][A-Z0-9_]+$/.test(name) && /^(?:c|cpp)$/.test(language);
  return /^(?:constant|variable|property)$/.test(kind) && /function|method|generator/.test(scopeKind ?? '');
}

/** Definitions that universal-ctags finds, including prototypes, and its CPU time including startup. */
export function runCtags(
  language: Language,
  files: string[],
): { tags: Tag[]; quirks: number; cpuMs: number } {
  const prototypes = language === 'c' || language === 'cpp' ? [`--kinds-${names[language]}=+px`] : [];
  const args = [
    '--output-format=json',
    '--fields=+neKZP',
    '--sort=no',
    `--language-force=${names[language]}`,
    ...prototypes,
    '-L',
    '-',
    '-f',
    '-',
  ];
  const { stdout, stderr, status } = spawnSync('bash', ['-c', 'time -p ctags "$@"', 'ctags', ...args], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  if (status !== 0) throw new Error(`ctags failed; is universal-ctags installed? ${stderr}`);
  const seconds = [...stderr.matchAll(/^(?:user|sys) ([\d.]+)$/gm)].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  );
  const tags = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Omit<Tag, 'isQuirk'>)
    .filter(({ kind, name }) => !others.has(kind) && !/^__anon|^Anonymous/i.test(name));
  const judged = tags.map((tag) => ({ ...tag, isQuirk: isQuirk(language, tag) }));
  return { tags: judged, quirks: judged.filter((tag) => tag.isQuirk).length, cpuMs: seconds * 1000 };
}
