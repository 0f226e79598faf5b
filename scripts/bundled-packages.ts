import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package with code in a bundle. */
export interface BundledPackage {
  name: string;
  version: string;
  /** SPDX identifier from its package.json. */
  license: string;
  folder: string;
}

/** Packages in the bundles, from esbuild's metafiles. A package counts if any of its bytes are in an output. */
export function bundledPackages(metafiles: Metafile[]): BundledPackage[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap(({ inputs: own }) =>
    Object.entries(own).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = new Set(inputs.flatMap((path) => packageFolder(path) ?? []));
  return [...folders].map(describe).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ name, version }: BundledPackage): string => `${name}@${version}`;

/** The folder as package-lock.json names it. If `node_modules` is a link, esbuild names the place that it leads to. */
const packageFolder = (path: string): string | undefined =>
  /(?<=^|\/)node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(
    path.replaceAll('\\', '/'),
  )?.[0];

function describe(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    'name' | 'version' | 'license',
    string | undefined
  >;
  if (name === undefined || version === undefined || typeof license !== 'string')
    throw new Error(`${folder}/package.json does not name its package, version and license`);
  return { name, version, license, folder };
}

const legalFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Text of the package's licence and notices. */
export function licenceText({ folder }: BundledPackage): string {
  const names = readdirSync(folder);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
  const legal = names.filter((name) => legalFile.test(name)).sort();
  if (legal.length > 0) return legal.map(read).join('\n\n');
  // Some packages have it only at the end of their README.
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  return /^#+ *licen[cs]e\n([\s\S]*)$/im.exec(readme === undefined ? '' : read(readme))?.[1]?.trim() ?? '';
}

/** Written by the build, and not published. */
export const bundledPackagesFile = 'bundled-packages.json';

export const readBundledPackages = (dist: string): BundledPackage[] =>
  JSON.parse(readFileSync(join(dist, bundledPackagesFile), 'utf8')) as BundledPackage[];
