import { isProgram } from '../code/languages.ts';
import { kindOfPath, testFlag } from '../code/path-kind.ts';
import type { KnownPart } from '../domain/knowledge.ts';
import { workflows } from './commands.ts';
import { folderReadme } from './documents.ts';
import { plain, shorten } from './markdown.ts';
import { folderOf, isSource, nameOf, type ProjectTree } from './project-tree.ts';

const maxFolders = 16;
const maxDescriptionLength = 220;
const maxDepth = 10;

/** Describes where things are: source folders and their purpose, tests, and CI workflows. */
export function layoutParts(tree: ProjectTree): KnownPart[] {
  return [...folderPart(tree), ...testPart(tree), ...ciPart(tree)];
}

function folderPart(tree: ProjectTree): KnownPart[] {
  const folders = sourceFolders(tree);
  const lines = folders.map((folder) => {
    const description = folderReadme(tree, folder) || plain(mainFileComment(tree, folder));
    return `${folder}/: ${shorten(description, maxDescriptionLength) || fileList(tree, folder)}`;
  });
  return lines.length === 0 ? [] : [{ title: 'Folders', text: lines.join('\n'), source: '' }];
}

/** The source folders of the first level. A folder with most of the sources is replaced by its subfolders. */
function sourceFolders(tree: ProjectTree): string[] {
  const sources = tree.paths.filter((path) => isSource(path));
  const below = (folder: string): Map<string, number> => {
    const counts = new Map<string, number>();
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const path of sources) {
      const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
      const at = rest.indexOf('/');
      if (at > 0) counts.set(prefix + rest.slice(0, at), (counts.get(prefix + rest.slice(0, at)) ?? 0) + 1);
    }
    return counts;
  };
  const expand = (folder: string, count: number, depth: number): string[] => {
    const inner = [...below(folder)].filter(([, own]) => own >= 2);
    const own = sources.filter((path) => folderOf(path) === folder).length;
    const isOnlyParent = own === 0 && inner.length === 1;
    const isDominant = depth < 4 && count > sources.length * 0.4 && inner.length > 0;
    if (depth > maxDepth || (!isOnlyParent && !isDominant)) return [folder];
    const itself = own >= 3 ? [folder] : [];
    return [...itself, ...inner.sort(byPath).flatMap(([path, size]) => expand(path, size, depth + 1))];
  };
  const first = [...below('')].filter(([, count]) => count >= 2).sort(byPath);
  const all = first.flatMap(([path, count]) => expand(path, count, 1));
  if (all.length <= maxFolders) return all;
  const size = (folder: string): number => sources.filter((path) => path.startsWith(`${folder}/`)).length;
  const largest = new Set(
    [...all].sort((a, b) => size(b) - size(a) || (a < b ? -1 : 1)).slice(0, maxFolders),
  );
  return all.filter((folder) => largest.has(folder));
}

const byPath = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);

/** Names of the main file of a folder. Its comment describes the folder. */
const mainFiles = ['index', 'mod', 'lib', 'main', '__init__', 'doc', 'package-info'];

function mainFileComment(tree: ProjectTree, folder: string): string {
  const own = tree.paths.filter(
    (path) => folderOf(path) === folder && isProgram(path) && (kindOfPath(path) & testFlag) === 0,
  );
  const stem = (path: string): string => nameOf(path).replace(/\.[^.]+$/, '');
  const wanted = [...mainFiles, nameOf(folder)];
  const named = wanted.flatMap((name) => own.filter((path) => stem(path) === name));
  const isGo = own.some((path) => path.endsWith('.go'));
  return (
    [...named, ...(isGo ? own : [])]
      .map((path) => openingComment(tree.read(path)))
      .find((comment) => comment !== '') ?? ''
  );
}

const licence =
  /copyright|licen[cs]e|spdx|all rights reserved|use strict|eslint|generated|@ts-|pylint|flake8|coding[:=]/i;

/** The first comment of a file that is not a licence. For Go, the comment of the package. */
export function openingComment(source: string): string {
  const head = source.slice(0, 6_000).replace(/^#!.*\n/, '');
  const blocks = [
    ...(/^(?:\s*(?:\/\/|#)[^\n]*\n|\s*\n)*?((?:\/\/!?[^\n]*\n)+)\s*package \w+/.exec(head)?.[1] === undefined
      ? []
      : [/((?:\/\/[^\n]*\n)+)\s*package \w+/.exec(head)?.[1] ?? '']),
    ...leadingComments(head),
  ];
  const comment = blocks
    .map(
      (block) =>
        block
          .split('\n')
          .map((line) =>
            line
              .replace(/^\s*(?:\/\*[*!]?|\*\/|\*|\/\/[!/]?|#+!?|"""|''')\s?/, '')
              .replace(/\*\/\s*$|"""\s*$|'''\s*$/, '')
              .trim(),
          )
          .join('\n')
          .trim()
          .split(/\n\s*\n/)[0]
          ?.replace(/\s+/g, ' ')
          .trim() ?? '',
    )
    .find(
      (text) =>
        text.length >= 25 &&
        !licence.test(text) &&
        /[a-z]{3,} [a-z]{2,}/i.test(text) &&
        !text.startsWith('@'),
    );
  return comment ?? '';
}

/** Comment blocks before the first line of code. */
function leadingComments(head: string): string[] {
  const blocks: string[] = [];
  let rest = head.trimStart();
  for (let tries = 0; tries < 4; tries++) {
    const block =
      /^(?:\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*(?:\n|$))+|(?:#(?!include|define|if|pragma|import)[^\n]*(?:\n|$))+|(?:[rRuU]?"""[\s\S]*?"""))/.exec(
        rest,
      )?.[0];
    if (block === undefined) break;
    blocks.push(block.replace(/^[rRuU]?"""/, ''));
    rest = rest.slice(block.length).trimStart();
  }
  return blocks;
}

function fileList(tree: ProjectTree, folder: string): string {
  const names = tree.paths
    .filter((path) => path.startsWith(`${folder}/`) && isProgram(path) && (kindOfPath(path) & testFlag) === 0)
    .map((path) => path.slice(folder.length + 1).split('/')[0] as string);
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, 8).join(', ');
  return `${shown}${distinct.length > 8 ? ' …' : ''}`;
}

function testPart(tree: ProjectTree): KnownPart[] {
  const tests = tree.paths.filter(
    (path) => isProgram(path) && (kindOfPath(path) & testFlag) !== 0 && /test|spec/i.test(path),
  );
  if (tests.length === 0) return [];
  const sources = new Set(tree.paths.filter((path) => (kindOfPath(path) & testFlag) === 0).map(folderOf));
  const beside = tests.filter((path) => sources.has(folderOf(path)) && folderOf(path) !== '');
  const folders = new Map<string, number>();
  for (const path of tests.filter((own) => !beside.includes(own))) {
    const folder = path
      .split('/')
      .slice(0, /^(?:packages|crates|apps|libs)\//.test(path) ? 3 : 1)
      .join('/');
    if (path.includes('/') && !/^(?:src|lib)$/.test(folder))
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const apart = [...folders]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, 4)
    .map(([folder]) => `${folder}/`);
  const where = [
    ...(beside.length * 3 >= tests.length
      ? [`beside the sources, such as ${beside.find((path) => path.startsWith('src/')) ?? beside[0]}`]
      : []),
    ...(apart.length === 0 ? [] : [`in ${apart.sort().join(', ')}`]),
  ];
  return where.length === 0
    ? []
    : [{ title: 'Tests', text: `Tests are ${where.join(', and ')}.`, source: '' }];
}

/** The CI workflows, by file and name. */
function ciPart(tree: ProjectTree): KnownPart[] {
  const files = workflows(tree).slice(0, 8);
  if (files.length === 0) return [];
  const names = files.map((path) => {
    const name = /^name:\s*["']?([^"'\n#]+)/m.exec(tree.read(path))?.[1]?.trim();
    return name === undefined ? nameOf(path) : `${nameOf(path)} (${name})`;
  });
  return [
    { title: 'Continuous integration', text: `Checked by ${names.join(', ')}.`, source: files[0] ?? '' },
  ];
}
