import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onEnd } from '../cleanup.ts';
import { linuxSource } from '../corpora.ts';
import type { Random } from '../random.ts';

export interface Sample {
  language: Language;
  split: 'dev' | 'held';
  /** Absolute paths. */
  files: string[];
}

/** Ends of names, as both sides read them. */
const endings = {
  typescript: /\.tsx?$/,
  javascript: /\.(?:[cm]?js|jsx)$/,
  python: /\.py$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.java$/,
  c: /\.[ch]$/,
  cpp: /\.(?:cc|cpp|h|hpp)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  csharp: /\.cs$/,
};
export type Language = keyof typeof endings;

/**
 * Real trees, read where `--histories DIR` says as `DIR/owner+name/repo`, each at its newest commit there. The
 * rules were written looking at the first list; the second was only ever counted.
 */
const trees: Record<Language, { dev: string[]; held: string[] }> = {
  typescript: { dev: ['honojs+hono'], held: ['sindresorhus+got', 'trpc+trpc', 'yamadashy+repomix'] },
  javascript: { dev: ['expressjs+express'], held: ['koajs+koa', 'brianc+node-postgres', 'fastify+fastify'] },
  python: { dev: ['encode+httpx'], held: ['pallets+click', 'hynek+structlog', 'django+django'] },
  go: { dev: ['gin-gonic+gin'], held: ['spf13+cobra', 'go-chi+chi', 'sourcegraph+zoekt'] },
  rust: { dev: ['sharkdp+fd'], held: ['sharkdp+bat', 'tokio-rs+axum', 'BurntSushi+ripgrep'] },
  java: { dev: ['google+gson'], held: ['square+javapoet'] },
  c: { dev: ['jqlang+jq', 'linux/kernel'], held: ['tmux+tmux', 'pgbouncer+pgbouncer', 'linux/fs'] },
  cpp: { dev: ['fmtlib+fmt'], held: ['google+leveldb'] },
  ruby: { dev: ['sidekiq+sidekiq'], held: ['sinatra+sinatra'] },
  php: { dev: ['slimphp+Slim'], held: ['guzzle+guzzle'] },
  csharp: { dev: ['serilog+serilog'], held: ['DapperLib+Dapper'] },
};

const maxBytes = 400_000;

export function sampleTrees(histories: string, random: Random, filesPerSplit: number): Sample[] {
  return (Object.keys(trees) as Language[]).flatMap((language) =>
    (['dev', 'held'] as const).map((split) => {
      const files = trees[language][split].flatMap((tree) => {
        const own = filesOf(folderOf(tree, histories)).filter((path) => endings[language].test(path));
        const share = Math.ceil(filesPerSplit / trees[language][split].length);
        return random.shuffled(own).slice(0, share);
      });
      return { language, split, files };
    }),
  );
}

const unpacked = new Map<string, string>();

function folderOf(tree: string, histories: string): string {
  const known = unpacked.get(tree);
  if (known !== undefined) return known;
  if (tree.startsWith('linux/')) return join(linuxSource(), tree.slice('linux/'.length));
  const repository = join(histories, tree, 'repo');
  if (!existsSync(repository)) throw new Error(`no history of ${tree} under ${histories}`);
  const folder = mkdtempSync(join(tmpdir(), 'backstory-symbols-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['--git-dir', repository, 'archive', 'HEAD'], { maxBuffer: 1 << 29 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  unpacked.set(tree, folder);
  return folder;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !/node_modules|\/vendor\/|\.min\./.test(relative(folder, path)) && statSync(path).size <= maxBytes,
    )
    .sort();
}
