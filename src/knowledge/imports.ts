import { folderOf, type ProjectTree } from './project-tree.ts';

/** Maps each file to the files that import it, by their import lines. Imports of packages are ignored. */
export function importedBy(tree: ProjectTree, sources: string[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  const resolve = createResolver(tree, sources);
  for (const path of sources) {
    for (const target of resolve(path, tree.read(path))) {
      if (target === path) continue;
      users.set(target, (users.get(target) ?? new Set()).add(path));
    }
  }
  return users;
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

type Resolver = (path: string, source: string) => string[];

function createResolver(tree: ProjectTree, sources: string[]): Resolver {
  const byExtension: Record<string, Resolver> = {};
  const add = (extensions: string[], resolver: Resolver) => {
    for (const extension of extensions) byExtension[extension] = resolver;
  };
  add(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'], scriptImports(tree));
  add(['py', 'pyi'], pythonImports(tree, sources));
  add(['rs'], rustImports(tree));
  add(['go'], goImports(tree, sources));
  add(['java', 'kt', 'scala'], javaImports(sources));
  add(['c', 'h', 'cc', 'cpp', 'hpp', 'hh', 'cxx'], includes(tree, sources));
  add(['rb'], rubyRequires(tree, sources));
  add(['php', 'cs'], namespaceUses(sources));
  return (path, source) => byExtension[extensionOf(path)]?.(path, source) ?? [];
}

const matches = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '').filter((name) => name !== '');

/** `a/b/../c` → `a/c`; empty if the path leads out of the project. */
function normalize(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.length === 0) return '';
      names.pop();
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

const scriptSuffixes = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
];

function scriptImports(tree: ProjectTree): Resolver {
  return (path, source) =>
    matches(
      source,
      /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bexport\s+\*\s+from\s*)["'](\.{1,2}\/[^"'\n]+|\.{1,2})["']/g,
    ).flatMap((specifier) => {
      const base = normalize(`${folderOf(path)}/${specifier}`);
      const asWritten = scriptSuffixes.map((suffix) => base + suffix);
      // TypeScript sources may import `./x.js` for `./x.ts`.
      const asSource = /\.[cm]?jsx?$/.test(base) ? [base.replace(/js(x?)$/, 'ts$1')] : [];
      return [...asWritten, ...asSource].find((candidate) => tree.has(candidate)) ?? [];
    });
}

function pythonImports(tree: ProjectTree, sources: string[]): Resolver {
  const roots = [
    '',
    ...new Set(sources.filter((path) => /^(?:src|lib)\//.test(path)).map((path) => `${path.split('/')[0]}/`)),
  ];
  const file = (module: string): string | undefined =>
    roots
      .flatMap((root) => [`${root}${module}.py`, `${root}${module}/__init__.py`])
      .find((candidate) => tree.has(candidate));
  return (path, source) => {
    const found: string[] = [];
    for (const [, dots = '', module = '', names = ''] of source.matchAll(
      /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([\w, \t\n*]+)/gm,
    )) {
      const up = dots === '' ? '' : `${folderOf(path)}/${'../'.repeat(dots.length - 1)}`;
      const base = normalize(`${up}${module.replaceAll('.', '/')}`);
      const inner = names
        .split(',')
        .flatMap((name) => file(`${base === '' ? '' : `${base}/`}${name.trim().split(/\s/)[0]}`) ?? []);
      const own = base === '' ? undefined : file(base);
      found.push(...(inner.length > 0 ? inner : own === undefined ? [] : [own]));
    }
    for (const module of matches(source, /^[ \t]*import[ \t]+([\w.]+)/gm))
      found.push(...[file(module.replaceAll('.', '/')) ?? []].flat());
    return found;
  };
}

function rustImports(tree: ProjectTree): Resolver {
  return (path, source) => {
    const at = path.lastIndexOf('src/');
    const root = at < 0 ? folderOf(path) : path.slice(0, at + 3);
    const own = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? folderOf(path) : path.replace(/\.rs$/, '');
    const file = (base: string): string | undefined =>
      [`${base}.rs`, `${base}/mod.rs`].find((candidate) => tree.has(candidate));
    const uses = matches(source, /\buse\s+crate::([\w:]+)/g).flatMap((name) => {
      const names = name.split('::').filter((part) => part !== '');
      for (let length = names.length; length > 0; length--) {
        const found = file(`${root}/${names.slice(0, length).join('/')}`);
        if (found !== undefined) return [found];
      }
      return [];
    });
    return [
      ...uses,
      ...matches(source, /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm).flatMap(
        (name) => file(`${own}/${name}`) ?? [],
      ),
    ];
  };
}

/** A Go package is a folder. It is represented by the file with its name, else by doc.go, else by its first file. */
function goImports(tree: ProjectTree, sources: string[]): Resolver {
  const module = /^module\s+(\S+)/m.exec(tree.read('go.mod'))?.[1] ?? '';
  const files = Map.groupBy(
    sources.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go')),
    folderOf,
  );
  const packageFile = (folder: string): string | undefined => {
    const own = files.get(folder) ?? [];
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    return (
      own.find((path) => path.endsWith(`/${name}.go`)) ??
      own.find((path) => path.endsWith('/doc.go')) ??
      own[0]
    );
  };
  return (_, source) =>
    module === ''
      ? []
      : matches(source, /"([\w./-]+)"/g)
          .filter((name) => name === module || name.startsWith(`${module}/`))
          .flatMap((name) => packageFile(name.slice(module.length + 1)) ?? []);
}

function javaImports(sources: string[]): Resolver {
  const byClass = new Map(
    sources.map((path) => [
      path
        .replace(/^.*?(?:java|kotlin|scala)\//, '')
        .replace(/\.\w+$/, '')
        .replaceAll('/', '.'),
      path,
    ]),
  );
  return (_, source) =>
    matches(source, /^\s*import\s+(?:static\s+)?([\w.]+)/gm).flatMap(
      (name) => byClass.get(name) ?? byClass.get(name.slice(0, name.lastIndexOf('.'))) ?? [],
    );
}

function includes(tree: ProjectTree, sources: string[]): Resolver {
  const byName = Map.groupBy(
    sources.filter((path) => /\.(?:h|hh|hpp)$/.test(path)),
    (path) => path.slice(path.lastIndexOf('/') + 1),
  );
  return (path, source) =>
    matches(source, /^\s*#\s*include\s+["<]([^">\n]+)[">]/gm).flatMap((name) => {
      const near = normalize(`${folderOf(path)}/${name}`);
      if (tree.has(near)) return [near];
      const ending = (byName.get(name.slice(name.lastIndexOf('/') + 1)) ?? []).filter(
        (own) => own === name || own.endsWith(`/${name}`),
      );
      return ending.length === 1 ? ending : [];
    });
}

function rubyRequires(tree: ProjectTree, sources: string[]): Resolver {
  const byFeature = new Map(
    sources
      .filter((path) => path.endsWith('.rb'))
      .map((path) => [path.replace(/^(?:.*?\/)?lib\//, '').replace(/\.rb$/, ''), path]),
  );
  return (path, source) => [
    ...matches(source, /^\s*require_relative\s+["']([^"'\n]+)["']/gm)
      .map((name) => `${normalize(`${folderOf(path)}/${name}`).replace(/\.rb$/, '')}.rb`)
      .filter((candidate) => tree.has(candidate)),
    ...matches(source, /^\s*(?:require|autoload\s+:\w+,)\s+["']([^"'\n]+)["']/gm).flatMap(
      (name) => byFeature.get(name) ?? [],
    ),
  ];
}

/** Resolves `use Slim\App;` to the file named App, if there is only one. */
function namespaceUses(sources: string[]): Resolver {
  const byName = Map.groupBy(sources, (path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, ''));
  return (_, source) =>
    matches(source, /^\s*use\s+(?:function\s+)?[\w\\]*\\(\w+)/gm).flatMap((name) => {
      const own = byName.get(name) ?? [];
      return own.length === 1 ? own : [];
    });
}
