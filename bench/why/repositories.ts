import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../test/support/sandbox.ts';

export type Manifest = readonly { name: string; head: string }[];

/** Six public histories in five languages, each pinned to a commit, read from `--histories DIR`. */
const ownManifest: Manifest = [
  { name: 'expressjs/express', head: 'a3714473feb3d2908add734d340e7755fd85e0a3' },
  { name: 'go-chi/chi', head: '735ae2b87f8c733d616e809ae86e0985c1bc3350' },
  { name: 'hynek/structlog', head: '025edaf799c6d6d511ab672d14c2ba8e885c4c36' },
  { name: 'jqlang/jq', head: '579e6f76cffd7643ba4002a2c3618a5ea710589a' },
  { name: 'sharkdp/fd', head: 'ee20f426ddf338ac7ead5c5f00ea49258005caaf' },
  { name: 'spf13/cobra', head: 'adbc8813901bba65827259daa8e22ff94ec1f30e' },
];

/** A history under `--histories DIR`: at `DIR/owner+name/repo`, `DIR/owner+name` or `DIR/owner/name`. */
export function repositoryOf(folder: string, name: string): string | undefined {
  const flat = join(folder, name.replace('/', '+'));
  return [join(flat, 'repo'), flat, join(folder, name)].find((path) => existsSync(path));
}

/** Checks out the public histories under `folder`, on a branch named trunk, without copying their objects. */
export function checkOutHistories(
  histories: string,
  folder: string,
  manifest: Manifest = ownManifest,
): string[] {
  return manifest.map(({ name, head }) => {
    const source = repositoryOf(histories, name);
    if (source === undefined) throw new Error(`no history of ${name} under ${histories}`);
    const work = join(folder, name.replace('/', '+'));
    execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, work], { stdio: 'ignore' });
    git(work, 'checkout', '-q', '-b', 'trunk', head);
    return work;
  });
}

/**
 * For machines without public histories: puts the sources of this repository into two repositories with a short history
 * each.
 */
export function checkOutOwnSources(folder: string): string[] {
  const halves = [
    ['src/code', 'src/recall', 'src/store', 'docs/guides'],
    ['src/memory', 'src/agents', 'src/cli', 'docs/adr'],
  ];
  return halves.map((parts, at) => {
    const work = join(folder, `own-${at}`);
    mkdirSync(work, { recursive: true });
    git(work, 'init', '-q', '-b', 'trunk', '.');
    for (const part of parts) {
      cpSync(join(import.meta.dirname, '../..', part), join(work, part), { recursive: true });
      git(work, 'add', '-A');
      git(work, 'commit', '-q', '-m', `Add ${part}`);
    }
    return work;
  });
}
